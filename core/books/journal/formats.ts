import { formatDecimal, type Money, parseCurrency, ServiceError } from '#core/kernel';
import type { JournalEntry } from './entries.ts';
import { writeBeancount, writeHledger } from './plain-text.ts';
import { describe, descriptionOf, type Posting, postingsOf } from './postings.ts';
import type { AccountNames } from './records.ts';

/** Formats of the journal. */
export const JOURNAL_FORMATS = ['xero', 'quickbooks', 'iif', 'hledger', 'beancount', 'csv'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** Programs that book every amount of a file in one currency, because the file does not name it. */
const ONE_CURRENCY: Readonly<Partial<Record<JournalFormat, string>>> = { xero: 'Xero', iif: 'QuickBooks Desktop' };

/**
 * Returns the currency of a file, or undefined if the file contains several currencies. @throws ServiceError VALIDATION_ERROR if the program takes one
 * currency and none was named; INVALID_CURRENCY.
 */
export function selectCurrency(
  format: JournalFormat,
  amounts: readonly { readonly currency: string }[],
  currency: string | undefined,
): string | undefined {
  if (currency !== undefined) return parseCurrency(currency);
  const currencies = [...new Set(amounts.map((amount) => amount.currency))].toSorted();
  const program = ONE_CURRENCY[format];
  if (program === undefined || currencies.length <= 1) return undefined;
  throw new ServiceError(
    'VALIDATION_ERROR',
    `${program} takes one currency in a file, but these entries are in ${currencies.join(', ')}. Export a file for each \`currency\`.`,
    { field: 'currency', details: { currencies } },
  );
}

/** A journal file: a table that is written as CSV, or a text. */
export type JournalFile =
  | {
      readonly kind: 'table';
      readonly filename: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly (string | Money)[])[];
    }
  | { readonly kind: 'text'; readonly filename: string; readonly text: string; readonly entries: number };

/** Writes journal entries in a format, with the account names of a merchant. */
export function writeJournal(format: JournalFormat, entries: readonly JournalEntry[], names: AccountNames, period: string): JournalFile {
  const filename = `journal-${period}`;
  const text = (extension: string, content: string): JournalFile => ({
    kind: 'text',
    filename: `${filename}.${extension}`,
    text: content,
    entries: entries.length,
  });
  if (format === 'hledger') return text('journal', writeHledger(entries.map(describe), names));
  if (format === 'beancount') return text('beancount', writeBeancount(entries.map(describe), names));
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
