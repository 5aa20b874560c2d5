/** A part of a bank statement, in the order of the file. `line` is its line in the file, counted from 1. */
export type StatementPart =
  | { readonly kind: 'account'; readonly line: number; readonly number: string | null; readonly currency: string | null }
  | { readonly kind: 'opening' | 'closing'; readonly line: number; readonly minor: number }
  | Entry;

/** A booked line of a bank account. */
export interface Entry {
  readonly kind: 'entry';
  readonly line: number;
  /** Booking day as the bank writes it, YYYY-MM-DD, without conversion between time zones. */
  readonly day: string;
  /** Debits are negative. */
  readonly minor: number;
  readonly text: string;
  /** Name of the line at the bank (FITID, AcctSvcrRef, bank reference); null if the file has none. */
  readonly reference: string | null;
}

/** Reads a statement from text in pieces, in bounded memory. @throws StatementFault at the first part that is not readable. */
export interface StatementReader {
  read(text: string): Iterable<StatementPart>;
  end(): Iterable<StatementPart>;
}

/** A part of a statement that cannot be read, with its line. */
export class StatementFault extends Error {
  override name = 'StatementFault';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** Formats that are recognized by their content. A file of any other content is CSV. */
export const FORMATS = ['ofx', 'camt.053', 'mt940', 'bai2', 'csv'] as const;
export type Format = (typeof FORMATS)[number];

/** Largest number of characters of one line, element or record. */
export const PART_MAX = 65_536;
/** Largest number of characters of an entry's text that is kept. */
const TEXT_MAX = 500;

/** Returns a text of one line without repeated spaces, limited in length. */
export const plainText = (...parts: readonly (string | null | undefined)[]): string =>
  parts
    .filter((part) => part)
    .join(' ')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, TEXT_MAX)
    .toWellFormed();

/** Returns an unsigned decimal with a comma or a point as minor units; null if it has more decimals than the currency. */
export function minorOf(text: string, exponent: number): number | null {
  const match = /^(?<whole>\d{1,13})(?:[.,](?<fraction>\d*))?$/.exec(text)?.groups;
  const fraction = (match?.fraction ?? '').replace(/0+$/, '');
  if (!match?.whole || fraction.length > exponent) return null;
  return Number(match.whole + fraction.padEnd(exponent, '0'));
}

/** Returns the existing day of a year, month and day; null if there is none. */
export function dayOf(year: string, month: string, day: string): string | null {
  const text = `${year}-${month}-${day}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text) ? text : null;
}

/** Splits text in pieces into lines with their numbers. */
export function createLineReader() {
  let rest = '';
  let number = 0;
  let afterReturn = false;
  const line = (text: string) => {
    number += 1;
    if (text.length > PART_MAX) throw new StatementFault(number, `the line is longer than ${PART_MAX} characters`);
    return { number, text };
  };
  return {
    *read(chunk: string): Generator<{ number: number; text: string }> {
      const text = afterReturn && chunk.startsWith('\n') ? chunk.slice(1) : chunk;
      if (chunk !== '') afterReturn = chunk.endsWith('\r');
      const lines = (rest + text).split(/\r\n|\n|\r/);
      rest = lines.pop() ?? '';
      for (const each of lines) yield line(each);
      if (rest.length > PART_MAX) line(rest);
    },
    *end(): Generator<{ number: number; text: string }> {
      if (rest !== '') yield line(rest);
      rest = '';
    },
  };
}
