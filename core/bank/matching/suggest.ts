import type { PartKind } from '../schema.ts';
import { businessDaysAfter, dayNumber, TRANSIT_BUSINESS_DAYS } from './business-days.ts';
import { findCombination } from './sums.ts';

/** An open bank line. Amounts are the unmatched parts, in minor units. */
export interface OpenLine {
  readonly id: string;
  readonly day: string;
  /** Debits are negative. */
  readonly minor: number;
  readonly text: string;
}

/** A payout that is not fully covered by bank lines. */
export interface OpenPayout {
  readonly id: string;
  readonly reference: string;
  readonly day: string;
  readonly minor: number;
}

export interface Rule {
  readonly id: string;
  readonly contains: string;
  readonly kind: Exclude<PartKind, 'payout'>;
}

/** A part of a suggestion, in the form in which a match is requested. */
export interface SuggestedPart {
  readonly kind: PartKind;
  readonly payoutId?: string;
  readonly minor: number;
  readonly withheld?: number;
}

/**
 * Finding for a line. `reference`, `amount`, `sum`, `fee` and `rule` have parts that a person can accept. `duplicate` (another line or match
 * has the payout already) and `amount_differs` (the line names a payout of another amount) need a decision, and have no parts.
 */
export interface Suggestion {
  readonly reason: 'reference' | 'amount' | 'sum' | 'fee' | 'rule' | 'duplicate' | 'amount_differs';
  readonly parts: readonly SuggestedPart[];
  /** Payouts that the line names. */
  readonly payoutIds?: readonly string[];
  readonly ruleId?: string;
  /** The other line of a duplicate; absent if it was matched before. */
  readonly lineId?: string;
  /** True if other payouts would fit as well. */
  readonly isAmbiguous?: boolean;
}

interface Input {
  /** Currency of the bank account; its holidays count. */
  readonly currency: string;
  /** Lines in pages. Their texts are not kept. */
  readonly pages: AsyncIterable<readonly OpenLine[]>;
  readonly payouts: readonly OpenPayout[];
  readonly rules: readonly Rule[];
  /** IDs of payouts that are covered already, by reference, for the references in the texts of the lines. */
  readonly covered: ReadonlyMap<string, string>;
}

const REFERENCE_CHARS = 10;
/** Characters of references of payouts, which have no digits that look like letters. */
const REFERENCE_RUN = /[A-Z2-7]{10,}/g;
/** Days before the payout on which a line may be booked: the bank's day can be earlier than that of the merchant's time zone. */
const DAYS_BEFORE = 1;
/** Largest number of payouts near a line that are combined. */
const COMBINED_MAX = 24;
/** Largest withheld fee: this share of the payout, and this many minor units more. */
const FEE_SHARE = 0.06;
const FEE_FIXED = 100;
/** Steps of all searches for sums together, so that thousands of lines without a match take seconds. */
const SEARCH_STEPS = 8_000_000;
/** Lines between two pauses. */
const BLOCK = 1_000;

/** A line with what its text says. The text itself is dropped, because hundreds of thousands of lines are in memory. */
interface Line {
  readonly id: string;
  readonly at: number;
  readonly minor: number;
  /** Payouts that are not covered yet, and one that is, by the references in the text; absent for debits. */
  readonly named?: readonly Payout[];
  readonly coveredPayout?: string | undefined;
  /** Longest rule that applies to a line without references. */
  readonly rule?: Rule | undefined;
}
interface Payout extends OpenPayout {
  readonly at: number;
  /** Last day on which it is expected at the bank. */
  readonly until: number;
}

/**
 * Returns a text in capitals without spaces and punctuation: banks break and pad texts. The result is one piece; `replaceAll` would keep a tree of
 * its pieces, ten times as large, in memory for every line.
 */
export const compactText = (text: string): string =>
  COMPACT.test(text) ? text : (text.toUpperCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('');
const COMPACT = /^[\dA-Z]*$/;

/** Returns every part of a text that has the length and the characters of a payout's reference. */
function referenceCandidates(compact: string): string[] {
  const candidates: string[] = [];
  for (const run of compact.match(REFERENCE_RUN) ?? [])
    for (let start = 0; start + REFERENCE_CHARS <= run.length; start += 1) candidates.push(run.slice(start, start + REFERENCE_CHARS));
  return candidates;
}

/**
 * Finds what explains each line: payouts by reference, by rule, by amount within the business days of a transfer, by sums of two to six, and with a
 * withheld fee. Each payout is suggested for one line. `pause` is called between blocks.
 */
export async function suggestMatches(input: Input, pause: () => Promise<void>): Promise<Map<string, Suggestion>> {
  const found = new Map<string, Suggestion>();
  const free = new Map<string, Payout>();
  const byReference = new Map<string, Payout>();
  const payouts = input.payouts.toSorted((left, right) => (left.day < right.day ? -1 : left.day > right.day ? 1 : 0));
  const daysOf = createTransitDays(input.currency);
  for (const [index, payout] of payouts.entries()) {
    const own = { ...payout, ...daysOf(payout.day) };
    free.set(payout.id, own);
    byReference.set(payout.reference, own);
    if (index % BLOCK === BLOCK - 1) await pause();
  }
  const lines: Line[] = [];
  const readLine = lineReader({ ...input, byReference });
  for await (const page of input.pages)
    for (const [index, line] of page.entries()) {
      lines.push(readLine(line));
      if (index % BLOCK === BLOCK - 1) await pause();
    }
  lines.sort((left, right) => left.at - right.at || (left.id < right.id ? -1 : 1));
  const rest = await byReferences(lines, { free, found, pause });
  const unruled = byRules(rest, found);
  const unpaired = byAmount(unruled, free, found);
  await pause();
  await bySums(unpaired, free, found, pause);
  return found;
}

/** Returns a function that returns the numbers of a day and of the last day on which its payouts are expected. Many payouts have the same day. */
function createTransitDays(currency: string): (day: string) => Pick<Payout, 'at' | 'until'> {
  const known = new Map<string, Pick<Payout, 'at' | 'until'>>();
  return (day) => {
    const before = known.get(day);
    if (before) return before;
    const at = dayNumber(day);
    const days = { at, until: businessDaysAfter(at, TRANSIT_BUSINESS_DAYS, currency) };
    known.set(day, days);
    return days;
  };
}

interface Texts extends Pick<Input, 'covered' | 'rules'> {
  readonly byReference: ReadonlyMap<string, Payout>;
}

/** Returns a function that reads what the text of a line says. */
function lineReader({ byReference, covered, rules }: Texts): (line: OpenLine) => Line {
  const compactRules = rules
    .map((rule) => ({ rule, text: compactText(rule.contains) }))
    .filter(({ text }) => text !== '')
    .toSorted((left, right) => right.text.length - left.text.length);
  const ruleOf = (compact: string) => compactRules.find(({ text }) => compact.includes(text))?.rule;
  return ({ id, day, minor, text }) => {
    const compact = compactText(text);
    const line = { id, at: dayNumber(day), minor };
    if (minor <= 0) return { ...line, rule: ruleOf(compact) };
    const named: Payout[] = [];
    let coveredPayout: string | undefined;
    for (const candidate of referenceCandidates(compact)) {
      const payout = byReference.get(candidate);
      if (payout) named.push(payout);
      else coveredPayout ??= covered.get(candidate);
    }
    return named.length > 0 || coveredPayout !== undefined ? { ...line, named, coveredPayout } : { ...line, rule: ruleOf(compact) };
  };
}

interface ReferencePass {
  readonly free: Map<string, Payout>;
  readonly found: Map<string, Suggestion>;
  readonly pause: () => Promise<void>;
}

/** Explains the lines that name payouts; returns the others. */
async function byReferences(lines: readonly Line[], { free, found, pause }: ReferencePass): Promise<Line[]> {
  const rest: Line[] = [];
  const unequal: { line: Line; named: readonly Payout[] }[] = [];
  /** The line for which a payout is suggested. */
  const takenBy = new Map<string, string>();
  const take = (line: Line, named: readonly Payout[], suggestion: Suggestion) => {
    found.set(line.id, suggestion);
    for (const payout of named) {
      free.delete(payout.id);
      takenBy.set(payout.id, line.id);
    }
  };
  for (const [index, line] of lines.entries()) {
    if (index % BLOCK === BLOCK - 1) await pause();
    const { named, coveredPayout } = line;
    if (named === undefined) rest.push(line);
    else if (named.length === 0) found.set(line.id, { reason: 'duplicate', parts: [], payoutIds: [coveredPayout as string] });
    else if (sumOf(named) === line.minor && named.every(({ id }) => free.has(id)))
      take(line, named, { reason: 'reference', parts: named.map(partOf) });
    else unequal.push({ line, named });
  }
  // Only now is it known which payouts have an exact line.
  for (const { line, named } of unequal) {
    const [payout] = named as readonly [Payout];
    const payoutIds = named.map(({ id }) => id);
    const other = named.map(({ id }) => takenBy.get(id)).find((id) => id !== undefined);
    const withheld = payout.minor - line.minor;
    if (other !== undefined) found.set(line.id, { reason: 'duplicate', parts: [], payoutIds, lineId: other });
    else if (named.length === 1 && isFee(payout.minor, withheld)) take(line, named, feeSuggestion(line, payout));
    else take(line, named, { reason: 'amount_differs', parts: [], payoutIds });
  }
  return rest;
}

const sumOf = (payouts: readonly Payout[]) => payouts.reduce((sum, { minor }) => sum + minor, 0);
const partOf = ({ id, minor }: Payout): SuggestedPart => ({ kind: 'payout', payoutId: id, minor });
const isFee = (gross: number, withheld: number) => withheld > 0 && withheld <= gross * FEE_SHARE + FEE_FIXED && withheld < gross;
const feeSuggestion = (line: Line, payout: Payout): Suggestion => ({
  reason: 'fee',
  parts: [{ kind: 'payout', payoutId: payout.id, minor: line.minor, withheld: payout.minor - line.minor }],
});
const isInWindow = (line: Line, payout: Payout) => line.at >= payout.at - DAYS_BEFORE && line.at <= payout.until;

/** Explains lines by the rules of their texts; returns the others. The longest rule wins. */
function byRules(lines: readonly Line[], found: Map<string, Suggestion>): Line[] {
  return lines.filter((line) => {
    const { rule } = line;
    if (!rule) return line.minor > 0;
    found.set(line.id, { reason: 'rule', ruleId: rule.id, parts: [{ kind: rule.kind, minor: line.minor }] });
    return false;
  });
}

/** Pairs lines and payouts of equal amounts in order of time; returns the lines that remain. */
function byAmount(lines: readonly Line[], free: Map<string, Payout>, found: Map<string, Suggestion>): Line[] {
  const byMinor = new Map<number, { readonly payouts: Payout[]; next: number }>();
  for (const payout of free.values()) {
    const equal = byMinor.get(payout.minor);
    if (equal) equal.payouts.push(payout);
    else byMinor.set(payout.minor, { payouts: [payout], next: 0 });
  }
  return lines.filter((line) => {
    const equal = byMinor.get(line.minor);
    if (!equal) return true;
    while ((equal.payouts[equal.next]?.until ?? Number.POSITIVE_INFINITY) < line.at) equal.next += 1;
    const [first, second] = equal.payouts.slice(equal.next, equal.next + 2);
    if (!first || !isInWindow(line, first)) return true;
    equal.next += 1;
    free.delete(first.id);
    const isAmbiguous = second !== undefined && isInWindow(line, second);
    found.set(line.id, { reason: 'amount', parts: [partOf(first)], ...(isAmbiguous ? { isAmbiguous } : {}) });
    return false;
  });
}

/** Explains lines by sums of payouts, and by one payout with a withheld fee. */
async function bySums(
  lines: readonly Line[],
  free: Map<string, Payout>,
  found: Map<string, Suggestion>,
  pause: () => Promise<void>,
): Promise<void> {
  const payouts = [...free.values()];
  let from = 0;
  const budget = { steps: SEARCH_STEPS };
  for (const [index, line] of lines.entries()) {
    if (index % 20 === 19) await pause();
    while (from < payouts.length && (payouts[from] as Payout).until < line.at) from += 1;
    const near: Payout[] = [];
    for (let next = from; next < payouts.length && near.length < COMBINED_MAX; next += 1) {
      const payout = payouts[next] as Payout;
      if (payout.at - DAYS_BEFORE > line.at) break;
      if (free.has(payout.id) && isInWindow(line, payout)) near.push(payout);
    }
    const combination = findCombination(near, line.minor, budget);
    const withFee = near.filter(({ minor }) => isFee(minor, minor - line.minor));
    if (combination) {
      const parts = combination.items.map(partOf);
      found.set(line.id, { reason: 'sum', parts, ...(combination.isUnique ? {} : { isAmbiguous: true }) });
      for (const { id } of combination.items) free.delete(id);
    } else if (withFee.length === 1) {
      const [payout] = withFee as [Payout];
      found.set(line.id, feeSuggestion(line, payout));
      free.delete(payout.id);
    }
  }
}
