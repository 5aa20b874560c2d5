import { exponentOf, formatDecimal, type Money } from '#core/kernel';
import type { TransferKind } from '#core/ledger';
import { type AccountNames, BOOK_ACCOUNTS, type BookAccount } from './accounts.ts';
import type { JournalEntry } from './entries.ts';

/** Formats of the journal. */
export const JOURNAL_FORMATS = ['xero', 'quickbooks', 'iif', 'hledger', 'beancount', 'csv'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** A journal file: a table that is written as CSV, or a text. */
export type JournalFile =
  | {
      readonly kind: 'table';
      readonly filename: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | Money)[])[];
    }
  | { readonly kind: 'text'; readonly filename: string; readonly text: string; readonly entries: number };

const DESCRIPTIONS: Readonly<Partial<Record<TransferKind, string>>> = {
  capture: 'Captures',
  capture_reversed: 'Canceled captures',
  refund: 'Refunds',
  credit: 'Unlinked credits',
  refund_outside: 'Refunds paid outside of the processor',
  fee: 'Processing fees',
  payout: 'Payout',
  chargeback: 'Chargebacks',
  chargeback_reversed: 'Reversed chargebacks',
  dispute_fee: 'Dispute fees',
  tip: 'Tips',
  tip_reversed: 'Tips of canceled captures',
  tip_refunded: 'Refunded tips',
  surcharge: 'Surcharges',
  surcharge_reversed: 'Surcharges of canceled captures',
  surcharge_refunded: 'Refunded surcharges',
  tax: 'Sales tax',
  tax_reversed: 'Sales tax of canceled captures',
  tax_refunded: 'Refunded sales tax',
  bank_deposit: 'Payout received',
  bank_deposit_reversed: 'Match undone: payout received',
  bank_fee: 'Bank line: fee',
  bank_fee_reversed: 'Bank line: fee returned',
  bank_chargeback: 'Bank line: chargeback',
  bank_chargeback_reversed: 'Bank line: chargeback returned',
  cash_sale: 'Cash sales',
  cash_refund: 'Cash refunds',
  check_sale: 'Checks received',
  check_refund: 'Refunded and returned checks',
  other_sale: 'Other tenders received',
  other_refund: 'Refunded other tenders',
  cash_in: 'Cash put into drawers',
  cash_out: 'Cash taken out of drawers',
  cash_over: 'Surplus cash',
  cash_short: 'Missing cash',
};

/** Returns the description of an entry: its kind, the payout or bank line, and the day that it adjusts. */
function descriptionOf({ kind, subject, adjusts }: JournalEntry): string {
  return [DESCRIPTIONS[kind] ?? kind, subject, adjusts && `adjusts ${adjusts}`].filter(Boolean).join(' ');
}

/** A debit or credit of an entry. Credits are negative in `signed`. */
interface Posting {
  readonly account: BookAccount;
  readonly amount: Money;
  readonly isDebit: boolean;
  readonly signed: Money;
}

function postingsOf({ debit, credit, amount }: JournalEntry): readonly [Posting, Posting] {
  return [
    { account: debit, amount, isDebit: true, signed: amount },
    { account: credit, amount, isDebit: false, signed: { minor: -amount.minor, currency: amount.currency } },
  ];
}

/** Writes journal entries in a format, with the account names of a merchant. */
export function writeJournal(format: JournalFormat, entries: readonly JournalEntry[], names: AccountNames, period: string): JournalFile {
  const filename = `journal-${period}`;
  const text = (extension: string, content: string): JournalFile => ({
    kind: 'text',
    filename: `${filename}.${extension}`,
    text: content,
    entries: entries.length,
  });
  if (format === 'hledger') return text('journal', hledger(entries, names));
  if (format === 'beancount') return text('beancount', beancount(entries, names));
  if (format === 'iif') return text('iif', iif(entries, names));
  const rows = entries.flatMap((entry) => postingsOf(entry).map((posting) => TABLES[format].row(entry, posting, names)));
  return { kind: 'table', filename: `${filename}-${format}.csv`, columns: TABLES[format].columns, rows };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
/** Returns a day as "30 Jun 2026", which Xero reads in every country. */
const namedDate = (date: string) => `${date.slice(8, 10)} ${MONTHS[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
const usDate = (date: string) => `${date.slice(5, 7)}/${date.slice(8, 10)}/${date.slice(0, 4)}`;

interface Table {
  readonly columns: readonly string[];
  readonly row: (entry: JournalEntry, posting: Posting, names: AccountNames) => readonly (string | Money)[];
}

const TABLES: Readonly<Record<'xero' | 'quickbooks' | 'csv', Table>> = {
  /** Manual journals of Xero: debits are positive and credits negative, and lines with the same narration are one journal. */
  xero: {
    columns: ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount', 'TrackingName1', 'TrackingOption1'],
    row: (entry, { account, signed }, names) => [
      `${entry.id} ${descriptionOf(entry)}`,
      namedDate(entry.date),
      `${descriptionOf(entry)} (${entry.status})`,
      names[account].code,
      'Tax Exempt',
      signed,
      '',
      '',
    ],
  },
  /** Journal entries of QuickBooks Online: one row for each line, and the same journal number for the lines of an entry. */
  quickbooks: {
    columns: ['Journal No.', 'Journal Date', 'Currency', 'Account', 'Debits', 'Credits', 'Description', 'Memo'],
    row: (entry, { account, amount, isDebit }, names) => [
      entry.id,
      usDate(entry.date),
      amount.currency,
      names[account].name,
      isDebit ? amount : '',
      isDebit ? '' : amount,
      descriptionOf(entry),
      entry.status,
    ],
  },
  csv: {
    columns: [
      'entryId',
      'status',
      'date',
      'kind',
      'subject',
      'adjusts',
      'currency',
      'account',
      'accountCode',
      'accountName',
      'debit',
      'credit',
      'description',
    ],
    row: (entry, { account, amount, isDebit }, names) => [
      entry.id,
      entry.status,
      entry.date,
      entry.kind,
      entry.subject ?? '',
      entry.adjusts ?? '',
      amount.currency,
      account,
      names[account].code,
      names[account].name,
      isDebit ? amount : '',
      isDebit ? '' : amount,
      descriptionOf(entry),
    ],
  },
};

/** Intuit Interchange Format of QuickBooks Desktop: tab-separated, one TRNS and one SPL line for each entry. */
function iif(entries: readonly JournalEntry[], names: AccountNames): string {
  const columns = ['TRNSTYPE', 'DATE', 'ACCNT', 'AMOUNT', 'DOCNUM', 'MEMO'];
  const lines = [['!TRNS', ...columns], ['!SPL', ...columns], ['!ENDTRNS']];
  for (const entry of entries) {
    const row = ({ account, signed }: Posting) => [
      'GENERAL JOURNAL',
      usDate(entry.date),
      names[account].name,
      formatDecimal(signed),
      entry.id,
      `${descriptionOf(entry)} (${entry.status})`,
    ];
    const [debit, credit] = postingsOf(entry);
    lines.push(['TRNS', ...row(debit)], ['SPL', ...row(credit)], ['ENDTRNS']);
  }
  return `${lines.map((line) => line.join('\t')).join('\r\n')}\r\n`;
}

/** Plain-text journal of hledger and ledger. The code of a transaction is the ID of the entry. */
function hledger(entries: readonly JournalEntry[], names: AccountNames): string {
  const currencies = [...new Set(entries.map(({ amount }) => amount.currency))];
  const decimals = currencies.map((currency) => {
    const exponent = exponentOf(currency);
    return `commodity 1000.${'0'.repeat(exponent)} ${currency}`;
  });
  const head = ['; Journal of Paydesk', ...decimals, ...BOOK_ACCOUNTS.map((account) => `account ${names[account].name}`), ''];
  const body = entries.flatMap((entry) => [
    `${entry.date} * (${entry.id}) ${descriptionOf(entry)}  ; status:${entry.status}`,
    ...postingsOf(entry).map(({ account, signed }) => `    ${names[account].name}  ${formatDecimal(signed)} ${signed.currency}`),
    '',
  ]);
  return [...head, ...body].join('\n');
}

/** Returns an account name in the syntax of beancount: parts of letters, digits and hyphens that begin with a capital letter or digit. */
function beancountName(name: string): string {
  const parts = name.split(':').map((part) => {
    const bare = part.replaceAll(/[^\p{L}\p{N}-]/gu, '-').replace(/^-+/, '');
    return bare === '' ? 'X' : bare.charAt(0).toUpperCase() + bare.slice(1);
  });
  const hasRoot = ['Assets', 'Liabilities', 'Equity', 'Income', 'Expenses'].includes(parts[0] ?? '');
  return (hasRoot && parts.length > 1 ? parts : ['Equity', ...parts]).join(':');
}

/** Plain-text journal of beancount. The link of a transaction is the ID of the entry. */
function beancount(entries: readonly JournalEntry[], names: AccountNames): string {
  // Entries are in order of their days.
  const opening = entries[0]?.date ?? '1970-01-01';
  const accounts = [...new Set(BOOK_ACCOUNTS.map((account) => beancountName(names[account].name)))];
  const head = ['; Journal of Paydesk', ...accounts.map((name) => `${opening} open ${name}`), ''];
  const body = entries.flatMap((entry) => [
    `${entry.date} * "Paydesk" "${descriptionOf(entry)}" ^${entry.id}`,
    `  status: "${entry.status}"`,
    ...postingsOf(entry).map(
      ({ account, signed }) => `  ${beancountName(names[account].name)}  ${formatDecimal(signed)} ${signed.currency}`,
    ),
    '',
  ]);
  return [...head, ...body].join('\n');
}
