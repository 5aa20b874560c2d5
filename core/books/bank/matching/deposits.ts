import { writtenNames } from '#core/billing/invoicing';
import { addDays } from '#core/kernel';
import { dayNumber } from './business-days.ts';
import { isWhole, numbersIn } from './invoice-numbers.ts';
import type { Held, OpenLine, Suggestion } from './suggestion.ts';
import { findCombination } from './sums.ts';

/** Cash of a closed shift or of a payment without a shift, or a check, that no bank line contains. */
export interface OpenDeposit {
  readonly kind: 'cash' | 'check';
  readonly isShift: boolean;
  /** ID of the shift, or of the tender of the cash or the check. */
  readonly id: string;
  readonly day: string;
  readonly minor: number;
  /** Part that usually stays in the shop for the next shift: the float of the drawer; 0 for checks. */
  readonly kept: number;
}

/** Money that left the bank account again: a returned check that bank lines contain as a deposit, or a refund of a bank transfer. */
export interface PaidBack {
  readonly kind: 'check' | 'refund';
  /** ID of the tender of the check, or of the refund. */
  readonly id: string;
  readonly day: string;
  /** Part of the deposit of a check that bank lines contain; part of a refund that they do not contain. */
  readonly minor: number;
  /** Numbers that its line may name: of the check, or of the refund and the invoice. */
  readonly numbers: readonly string[];
  /** Names of the customer. */
  readonly names: readonly string[];
}

/** Days before a line on which its cash and checks were received. */
const DAYS_BEFORE = 14;
/** The bank's day can be earlier than that of the merchant's time zone. */
const DAYS_AFTER = 1;
/** Days after a line on which its refund may be recorded. */
const RECORDED_WITHIN_DAYS = 10;
/** Number of a tender or its refund with its prefix: T-000123. */
const TENDER_NUMBER = /(?<![A-Z\d])T\W?(\d{6,9})(?!\d)/g;
/** Newest deposits whose combinations are searched. */
const COMBINED_MAX = 24;

type Item = OpenDeposit & { readonly at: number };

/**
 * Creates the search for deposits: one, a run of neighbors such as all checks of a day, or a combination of two to six, without the floats of the drawers
 * or with them. `deposits` are in order of time. Each one is suggested for one line; what remains of cash is not, if it is the float.
 */
export function createDepositFinder(
  deposits: readonly OpenDeposit[],
  held: Held,
): (line: { readonly at: number; readonly minor: number }) => Suggestion | null {
  const items: readonly Item[] = deposits
    .filter(({ minor, kept }) => minor > kept)
    .map((deposit) => ({ ...deposit, at: dayNumber(deposit.day) }));
  const withoutFloats = items.map((item) => ({ ...item, minor: item.minor - item.kept }));
  const hasFloats = items.some(({ kept }) => kept > 0);
  const taken = new Set(held.keys());
  const find = (from: readonly Item[], { at, minor }: { readonly at: number; readonly minor: number }): Suggestion | null => {
    const near = from.filter((item) => !taken.has(item.id) && item.at >= at - DAYS_BEFORE && item.at <= at + DAYS_AFTER);
    const newest = near.toReversed();
    const found = [newest, newest.filter(({ kind }) => kind === 'cash'), newest.filter(({ kind }) => kind === 'check')]
      .map((list) => runOf(list, minor))
      .find((run) => run !== null);
    const combined = found ? null : findCombination(near.slice(-COMBINED_MAX), minor);
    const chosen = found ?? combined?.items;
    if (!chosen) return null;
    for (const { id } of chosen) taken.add(id);
    return {
      reason: 'deposit',
      parts: chosen.map((item) => ({
        kind: item.kind,
        ...(item.isShift ? { shiftId: item.id } : { tenderId: item.id }),
        minor: item.minor,
      })),
      ...(combined && !combined.isUnique && { isAmbiguous: true }),
    };
  };
  return (line) => (line.minor <= 0 ? null : ((hasFloats ? find(withoutFloats, line) : null) ?? find(items, line)));
}

/**
 * Creates the search for the returned check or the refund of a debit: one of its amount, each for one line. It is ambiguous unless the text has a number
 * of it, or the name of the customer as whole words. The number of a refund or an invoice counts with its prefix only, because bare digits may be anything.
 * The bank may book a refund before it is recorded, but not the return of a check.
 */
export function createReturnFinder(items: readonly PaidBack[], held: Held): (line: OpenLine, compact: string) => Suggestion | null {
  const taken = new Set(held.keys());
  const byMinor = Map.groupBy(
    items.map((item) => ({
      ...item,
      numbers: item.numbers.map((number) => number.replace(/^(\D*)0*/, '$1')),
      names: writtenNames(item.names),
    })),
    ({ minor }) => minor,
  );
  return ({ day, minor, text }, compact) => {
    const lastRecorded = addDays(day, RECORDED_WITHIN_DAYS);
    const equal = (byMinor.get(-minor) ?? []).filter(
      (item) => item.day <= (item.kind === 'refund' ? lastRecorded : day) && !taken.has(item.id),
    );
    const [first] = equal;
    if (!first) return null;
    const written = writtenNumbers(text, compact);
    const bounds = wordBounds(text);
    const named = equal.find(
      ({ numbers, names }) => numbers.some((number) => written.has(number)) || names.some((name) => hasWords(compact, bounds, name)),
    );
    const { id, kind } = named ?? first;
    taken.add(id);
    return {
      reason: kind === 'check' ? 'deposit' : 'refund',
      parts: [{ kind, ...(kind === 'check' ? { tenderId: id } : { refundId: id }), minor }],
      ...(!named && { isAmbiguous: true }),
    };
  };
}

/** Returns the numbers in a text without leading zeros: those of invoices and tenders with their prefix, and the runs of digits, as of checks. */
function writtenNumbers(text: string, compact: string): ReadonlySet<string> {
  const invoices = numbersIn(text, compact).prefixed.filter(isWhole);
  const tenders = [...text.toUpperCase().matchAll(TENDER_NUMBER)].map(([, digits]) => digits);
  return new Set([
    ...invoices.map((digits) => `INV-${Number(digits)}`),
    ...tenders.map((digits) => `T-${Number(digits)}`),
    ...(text.match(/\d+/g) ?? []).map((digits) => digits.replace(/^0+/, '')).filter((digits) => digits !== ''),
  ]);
}

/** Returns the positions in the compact form of a text at which its words begin and end. */
function wordBounds(text: string): ReadonlySet<number> {
  const bounds = new Set([0]);
  let at = 0;
  for (const word of text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    at += word.length;
    bounds.add(at);
  }
  return bounds;
}

/** Returns true if a compact text has a name that begins and ends with a word. */
function hasWords(compact: string, bounds: ReadonlySet<number>, name: string): boolean {
  for (let at = compact.indexOf(name); at >= 0; at = compact.indexOf(name, at + 1))
    if (bounds.has(at) && bounds.has(at + name.length)) return true;
  return false;
}

/** Returns the first run of neighbors with a sum; null without one. Amounts are positive. */
function runOf(items: readonly Item[], minor: number): readonly Item[] | null {
  let from = 0;
  let sum = 0;
  for (const [index, item] of items.entries()) {
    sum += item.minor;
    while (sum > minor) {
      sum -= (items[from] as Item).minor;
      from += 1;
    }
    if (sum === minor && from <= index) return items.slice(from, index + 1);
  }
  return null;
}
