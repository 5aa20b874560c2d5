import type { BankMapping as SavedBankMapping } from '#renderer/base/client';
import {
  apiColumns,
  chosenColumns,
  columnFinder,
  type FileHead,
  type FileMapping,
  guessMapping,
  NO_MAPPING,
} from '#renderer/kit/file-import';
import { layoutOf } from '#shared/bank-layouts';

/** Columns of a bank's CSV file by their meaning. A blank name is a column that is not chosen. */
export interface StatementMapping extends FileMapping {
  readonly text: readonly string[];
  readonly reference: string;
  readonly balance: string;
  /** Number of the account. */
  readonly account: string;
}
type ApiMapping = SavedBankMapping['mapping'];

const BALANCES = [/\b(balance|saldo|bal)\b/];
/** A column of accounts is only guessed if it has the whole number of one, and not that of the other party. */
const ACCOUNTS = [/^(iban|account|auftragskonto|konto|rekening|cuenta|compte|conto)\b/];
const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9 ]{11,40}$/;
const REFERENCES = [/reference|fitid|transaction id|^ref\b/];
const TEXTS = [
  /description|details|narrative|verwendungszweck|concepto|omschrijving|libell[eé]|descrizione/,
  /memo|text|payee|particulars/,
  /name/,
];

/** Returns the columns of a known bank, or guesses them by their names and texts. */
export function guessStatementMapping(head: FileHead, currency: string): StatementMapping {
  const layout = head.hasHeader ? layoutOf(head.columns) : null;
  if (layout) return fromApi(layout);
  const find = columnFinder(head);
  const owner = columnFinder(head)(ACCOUNTS);
  const account = owner !== '' && head.rows.length > 0 && head.rows.every(({ cells }) => IBAN.test(cells[owner] ?? '')) ? owner : '';
  const balance = find(BALANCES);
  const columns = guessMapping(head, find, currency);
  const reference = find(REFERENCES);
  const text = find(TEXTS, (cell) => /\p{L}{2}/u.test(cell));
  return { ...columns, text: text === '' ? [] : [text], reference, balance, account };
}

/** Returns a saved mapping for the fields. */
export function fromApi(mapping: Omit<ApiMapping, 'text'> & { readonly text: readonly string[] }): StatementMapping {
  const { date, dateFormat, amount, credit, debit, direction, debitValues, currency, text, reference, balance, account, sign } = mapping;
  return {
    ...NO_MAPPING,
    date,
    dateFormat: dateFormat ?? NO_MAPPING.dateFormat,
    amounts: amount === undefined ? 'two' : direction === undefined ? 'one' : 'direction',
    amount: amount ?? '',
    direction: direction ?? '',
    debitValues: debitValues?.join(', ') ?? '',
    credit: credit ?? '',
    debit: debit ?? '',
    currency: currency ?? '',
    sign: sign ?? 'positive',
    text,
    reference: reference ?? '',
    balance: balance ?? '',
    account: account ?? '',
  };
}

/** Returns the columns as the API takes them. */
export const toApi = (head: FileHead, mapping: StatementMapping): ApiMapping => ({
  ...apiColumns(mapping),
  text: [...mapping.text],
  ...(mapping.reference !== '' && { reference: mapping.reference }),
  ...(mapping.balance !== '' && { balance: mapping.balance }),
  ...(mapping.account !== '' && { account: mapping.account }),
  ...(!head.hasHeader && { header: 'none' as const }),
});

/** Returns true if a file has all columns of a saved mapping. */
export function fits(head: FileHead, { mapping }: SavedBankMapping): boolean {
  const { text, reference, balance, account, ...columns } = fromApi(mapping);
  const names = [...chosenColumns(columns), ...text, reference, balance, account];
  return head.hasHeader === (mapping.header === undefined) && names.every((name) => name === '' || head.columns.includes(name));
}
