import { readStandardAmount } from '#shared/file-cells';

/** A part of a bank statement, in the order of the file. `line` is its line in the file, counted from 1. */
export type StatementPart =
  | { readonly kind: 'account'; readonly line: number; readonly number: string | null; readonly currency: string | null }
  | {
      readonly kind: 'opening' | 'closing';
      readonly line: number;
      readonly minor: number;
      /** True if the balances prove that the newest line is the first one of the file. */
      readonly isNewestFirst?: boolean;
    }
  /** A line of another account, or in another currency than that of the account, which is left out. */
  | { readonly kind: 'foreign'; readonly line: number; readonly number: string | null; readonly currency: string | null }
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

export const SEVERAL_ACCOUNTS =
  'the file has statements of several accounts. Add the bank account with its number, then import the file again';

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

/** Returns an amount of a standard format in minor units. @throws StatementFault if it is none, or has more decimals than the currency. */
export function standardMinor(text: string, exponent: number, line: number): number {
  const minor = readStandardAmount(text, exponent);
  if (minor === null) throw new StatementFault(line, `\`${text.slice(0, 30)}\` is not an amount`);
  return minor;
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
