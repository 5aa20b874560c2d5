import { realNow } from '#core/kernel';
import { compactText } from '#shared/compact-text';
import type { RuleKind } from '../schema.ts';
import { businessDaysAfter, dayNumber, TRANSIT_BUSINESS_DAYS } from './business-days.ts';
import { createDepositFinder, createReturnFinder, type OpenDeposit, type PaidBack } from './deposits.ts';
import { createInvoiceFinder, type InvoiceFinder, type NamedCustomers, type PayerRule } from './invoices.ts';
import { createReferenceFinder } from './references.ts';
import type { Held, OpenLine, SuggestedPart, Suggestion } from './suggestion.ts';
import { findCombination } from './sums.ts';
import { createInvoiceReader, type UnpaidInvoices } from './unpaid-invoices.ts';

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
  readonly kind: Exclude<RuleKind, 'invoice'>;
}

/** The suggestion for a line; null if nothing explains it. */
export interface LineResult {
  readonly lineId: string;
  readonly suggestion: Suggestion | null;
}

interface Input {
  /** Currency of the bank account; its holidays count. */
  readonly currency: string;
  /** Lines in pages, in order of their days. */
  readonly pages: AsyncIterable<readonly OpenLine[]>;
  readonly payouts: readonly OpenPayout[];
  readonly rules: readonly Rule[];
  readonly unpaid: UnpaidInvoices;
  /** Last number of an invoice of the merchant. */
  readonly lastNumber: number;
  readonly payers: readonly PayerRule[];
  readonly deposits: readonly OpenDeposit[];
  readonly returned: readonly PaidBack[];
  /** IDs of payouts that are covered already, by reference, for the references in the texts of the lines. */
  readonly covered: ReadonlyMap<string, string>;
  /** Payouts, invoices and deposits that are suggested for lines outside of `pages`. Each is suggested for one line only. */
  readonly held: Held;
  /** Called for a line that names a payout or an invoice that is held. */
  readonly onHeldNamed: () => void;
}

/** Days before the payout on which a line may be booked: the bank's day can be earlier than that of the merchant's time zone. */
const DAYS_BEFORE = 1;
/** Largest number of payouts near a line that are combined. */
const COMBINED_MAX = 24;
/** Largest withheld fee: this share of the payout, and this many minor units more. */
const FEE_SHARE = 0.06;
const FEE_FIXED = 100;
/** Steps of all searches for sums together, so that thousands of lines without a match take seconds. */
const SEARCH_STEPS = 8_000_000;
/**
 * Days that the search by amount is behind the reading of lines, and the search for sums behind the search by amount. A line that names a payout, or has
 * its amount, is then read before the payout is suggested for another line.
 */
const LAG_DAYS = 14;
/** Payouts between two pauses. */
const BLOCK = 1_000;
/** Time between two pauses while lines are read. */
const BUSY_MS = 20;

/** A line with what its text says. The text itself is dropped: the lines of some weeks are in memory. */
interface Line {
  readonly id: string;
  readonly day: string;
  readonly at: number;
  readonly minor: number;
  /** Payouts that are not covered yet, and one that is, by the references in the text; absent for debits. */
  readonly named?: readonly Payout[];
  readonly coveredPayout?: string | undefined;
  /** Longest rule that applies to a line without references. */
  readonly rule?: Rule | undefined;
  /** Customers in the text of a line that it does not explain. */
  readonly customers?: NamedCustomers;
}
interface Payout extends OpenPayout {
  readonly at: number;
  /** Last day on which it is expected at the bank. */
  readonly until: number;
}

/** Payouts that may explain lines. */
interface Pool {
  /** In order of time. */
  readonly payouts: readonly Payout[];
  readonly byReference: ReadonlyMap<string, Payout>;
  /** IDs of lines, by the IDs of the payouts that are suggested for them. */
  readonly takenBy: Map<string, string>;
  /** Payouts whose line is not computed again. */
  readonly held: Held;
  /** IDs of payouts that lines of other amounts name. They are not suggested for lines that do not name them. */
  readonly contested: Set<string>;
}

/**
 * Finds what explains each line: payouts by reference, invoices by text, rules, payouts by amount within the business days of a transfer, by sums of two to
 * six, and with a withheld fee, then invoices by amount, and deposits. Each payout, invoice and deposit is suggested for one line. Yields one result for each line, and keeps the lines of about a month in memory. `pause` is called
 * between blocks.
 */
export async function* suggestMatches(input: Input, pause: () => Promise<void>): AsyncGenerator<readonly LineResult[]> {
  const pool = await createPool(input, pause);
  const readLine = lineReader({ ...input, byReference: pool.byReference });
  const findPair = pairFinder(pool);
  const invoices = createInvoiceFinder({ ...input, hasInvoices: input.unpaid.exist });
  const readInvoices = createInvoiceReader(input.unpaid, invoices);
  const findDeposit = createDepositFinder(input.deposits, input.held);
  const findReturn = createReturnFinder(input.returned, input.held);
  const findSums = sumFinder(pool, pause, async (line) => {
    if (!line.customers) return findDeposit(line);
    await readInvoices.withAmountOf(line);
    return invoices.byAmount(line, line.customers) ?? findDeposit(line);
  });
  /** Lines that name payouts of other amounts. Only at the end is it known which payouts have an exact line. */
  const unequal: NamingLine[] = [];
  const unpaired: Line[] = [];
  const unsummed: Line[] = [];

  async function* guess(before: number): AsyncGenerator<readonly LineResult[]> {
    const paired: LineResult[] = [];
    for (const line of takeBefore(unpaired, before)) {
      const suggestion = findPair(line);
      if (suggestion) paired.push({ lineId: line.id, suggestion });
      else unsummed.push(line);
    }
    yield paired;
    const lines = takeBefore(unsummed, before - LAG_DAYS);
    if (lines.length === 0) return;
    await readInvoices.withAmountsOf(lines);
    yield await findSums(lines);
  }

  for await (const page of input.pages) {
    const results: LineResult[] = [];
    const texts = page.map((line) => ({ line, compact: compactText(line.text) }));
    await readInvoices.namedBy(texts);
    let startedMs = realNow();
    for (const { line: each, compact } of texts) {
      const line = readLine(each, compact);
      const { named } = line;
      const customers = invoices.customersIn(compact);
      const suggestion = named
        ? byReference(line, named, pool)
        : textSuggestion(each, compact, { ...line, customers }, invoices, findReturn);
      if (suggestion || (!named && line.minor <= 0)) results.push({ lineId: line.id, suggestion });
      else if (named) unequal.push({ line, named });
      else unpaired.push({ ...line, customers });
      if (realNow() - startedMs > BUSY_MS) {
        await pause();
        startedMs = realNow();
      }
    }
    yield results;
    const last = page.at(-1);
    if (last) yield* guess(dayNumber(last.day) - LAG_DAYS);
  }
  yield byUnequalReferences(unequal, pool, input.onHeldNamed);
  yield* guess(Number.POSITIVE_INFINITY);
}

/** Explains a line without references of payouts by the invoices that its text names, or by a rule; a debit by a returned check or a refund, unless it is a fee. */
function textSuggestion(
  each: OpenLine,
  compact: string,
  { rule, customers, ...line }: Line & { readonly customers: NamedCustomers },
  invoices: InvoiceFinder,
  findReturn: (line: OpenLine, compact: string) => Suggestion | null,
): Suggestion | null {
  const isFeeRule = rule?.kind === 'fee' || rule?.kind === 'chargeback';
  const found = line.minor > 0 ? invoices.byText(each, compact, customers) : isFeeRule ? null : findReturn(each, compact);
  return found ?? (rule ? ruleSuggestion(line, rule) : null);
}

/** Removes the lines of the days before a day from the start of a list, and returns them. */
function takeBefore(lines: Line[], day: number): Line[] {
  const kept = lines.findIndex(({ at }) => at >= day);
  return lines.splice(0, kept < 0 ? lines.length : kept);
}

async function createPool(input: Input, pause: () => Promise<void>): Promise<Pool> {
  const byReference = new Map<string, Payout>();
  const payouts: Payout[] = [];
  const daysOf = createTransitDays(input.currency);
  const ordered = input.payouts.toSorted((left, right) => (left.day < right.day ? -1 : left.day > right.day ? 1 : 0));
  for (const [index, payout] of ordered.entries()) {
    const own = { ...payout, ...daysOf(payout.day) };
    payouts.push(own);
    byReference.set(payout.reference, own);
    if (index % BLOCK === BLOCK - 1) await pause();
  }
  const takenBy = new Map([...input.held].map(([id, { lineId }]) => [id, lineId]));
  return { payouts, byReference, takenBy, held: input.held, contested: new Set() };
}

const isFree = ({ takenBy }: Pool, { id }: Payout) => !takenBy.has(id);
const canBeGuessed = (pool: Pool, payout: Payout) => isFree(pool, payout) && !pool.contested.has(payout.id);

function take({ takenBy }: Pool, line: Line, payouts: readonly Payout[], suggestion: Suggestion): Suggestion {
  for (const { id } of payouts) takenBy.set(id, line.id);
  return suggestion;
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
function lineReader({ byReference, covered, rules }: Texts): (line: OpenLine, compact: string) => Line {
  const compactRules = rules
    .map((rule) => ({ rule, text: compactText(rule.contains) }))
    .filter(({ text }) => text !== '')
    .toSorted((left, right) => right.text.length - left.text.length);
  const referencesIn = createReferenceFinder([...byReference.keys(), ...covered.keys()]);
  const ruleOf = (compact: string) => compactRules.find(({ text }) => compact.includes(text))?.rule;
  return ({ id, day, minor }, compact) => {
    const line = { id, day, at: dayNumber(day), minor };
    if (minor <= 0) return { ...line, rule: ruleOf(compact) };
    const named: Payout[] = [];
    let coveredPayout: string | undefined;
    for (const reference of referencesIn(compact)) {
      const payout = byReference.get(reference);
      if (payout) named.push(payout);
      else coveredPayout ??= covered.get(reference);
    }
    return named.length > 0 || coveredPayout !== undefined ? { ...line, named, coveredPayout } : { ...line, rule: ruleOf(compact) };
  };
}

interface NamingLine {
  readonly line: Line;
  readonly named: readonly Payout[];
}

/** Explains a line that names payouts by their references; returns null if their sum differs, or if they are suggested for another line. */
function byReference(line: Line, named: readonly Payout[], pool: Pool): Suggestion | null {
  if (named.length === 0) return { reason: 'duplicate', parts: [], payoutIds: [line.coveredPayout as string] };
  if (sumOf(named) === line.minor && named.every((payout) => isFree(pool, payout)))
    return take(pool, line, named, { reason: 'reference', parts: named.map(partOf) });
  for (const { id } of named) pool.contested.add(id);
  return null;
}

/** Explains the lines that name payouts of other amounts, when all lines are read. */
function byUnequalReferences(lines: readonly NamingLine[], pool: Pool, onHeldNamed: () => void): LineResult[] {
  return lines.map(({ line, named }) => {
    const [payout] = named as readonly [Payout];
    const payoutIds = named.map(({ id }) => id);
    if (payoutIds.some((id) => pool.held.has(id))) onHeldNamed();
    const other = payoutIds.map((id) => pool.takenBy.get(id)).find((id) => id !== undefined);
    const isWithFee = named.length === 1 && isFee(payout.minor, payout.minor - line.minor);
    const suggestion: Suggestion =
      other !== undefined
        ? { reason: 'duplicate', parts: [], payoutIds, lineId: other }
        : take(pool, line, named, isWithFee ? feeSuggestion(line, payout) : { reason: 'amount_differs', parts: [], payoutIds });
    return { lineId: line.id, suggestion };
  });
}

const sumOf = (payouts: readonly Payout[]) => payouts.reduce((sum, { minor }) => sum + minor, 0);
const partOf = ({ id, minor }: Payout): SuggestedPart => ({ kind: 'payout', payoutId: id, minor });
const isFee = (gross: number, withheld: number) => withheld > 0 && withheld <= gross * FEE_SHARE + FEE_FIXED && withheld < gross;
const feeSuggestion = (line: Line, payout: Payout): Suggestion => ({
  reason: 'fee',
  parts: [{ kind: 'payout', payoutId: payout.id, minor: line.minor, withheld: payout.minor - line.minor }],
});
const ruleSuggestion = ({ minor }: Line, rule: Rule): Suggestion => ({
  reason: 'rule',
  ruleId: rule.id,
  parts: [{ kind: rule.kind, minor }],
});
const isInWindow = (line: Line, payout: Payout) => line.at >= payout.at - DAYS_BEFORE && line.at <= payout.until;

/** Returns a function that finds the payout of the same amount for lines in order of time. */
function pairFinder(pool: Pool): (line: Line) => Suggestion | null {
  const byMinor = new Map<number, { readonly payouts: Payout[]; next: number }>();
  for (const payout of pool.payouts) {
    const equal = byMinor.get(payout.minor);
    if (equal) equal.payouts.push(payout);
    else byMinor.set(payout.minor, { payouts: [payout], next: 0 });
  }
  return (line) => {
    const equal = byMinor.get(line.minor);
    if (!equal) return null;
    /** Returns the index of the first payout from an index on that has no line and is not too old for this one. */
    const nextFrom = (from: number) => {
      let next = from;
      for (; next < equal.payouts.length; next += 1) {
        const payout = equal.payouts[next] as Payout;
        if (payout.until >= line.at && canBeGuessed(pool, payout)) break;
      }
      return next;
    };
    equal.next = nextFrom(equal.next);
    const first = equal.payouts[equal.next];
    if (!first || !isInWindow(line, first)) return null;
    const second = equal.payouts[nextFrom(equal.next + 1)];
    const isAmbiguous = second !== undefined && isInWindow(line, second);
    equal.next += 1;
    return take(pool, line, [first], { reason: 'amount', parts: [partOf(first)], ...(isAmbiguous ? { isAmbiguous } : {}) });
  };
}

/** Returns a function that explains lines, in order of time, by sums of payouts, by one payout with a withheld fee, and otherwise. */
function sumFinder(
  pool: Pool,
  pause: () => Promise<void>,
  findElse: (line: Line) => Promise<Suggestion | null>,
): (lines: readonly Line[]) => Promise<LineResult[]> {
  const budget = { steps: SEARCH_STEPS };
  let oldest = 0;
  return async (lines) => {
    const [firstAt, lastAt] = [lines[0]?.at ?? 0, lines.at(-1)?.at ?? 0];
    while ((pool.payouts[oldest]?.until ?? Number.POSITIVE_INFINITY) < firstAt) oldest += 1;
    const payouts: Payout[] = [];
    for (let next = oldest; next < pool.payouts.length; next += 1) {
      const payout = pool.payouts[next] as Payout;
      if (payout.at - DAYS_BEFORE > lastAt) break;
      if (canBeGuessed(pool, payout)) payouts.push(payout);
    }
    const results: LineResult[] = [];
    let from = 0;
    for (const [index, line] of lines.entries()) {
      if (index % 20 === 19) await pause();
      while (from < payouts.length && (payouts[from] as Payout).until < line.at) from += 1;
      const near: Payout[] = [];
      for (let next = from; next < payouts.length && near.length < COMBINED_MAX; next += 1) {
        const payout = payouts[next] as Payout;
        if (payout.at - DAYS_BEFORE > line.at) break;
        if (isFree(pool, payout) && isInWindow(line, payout)) near.push(payout);
      }
      results.push({ lineId: line.id, suggestion: bySum(line, near, budget, pool) ?? (await findElse(line)) });
    }
    return results;
  };
}

function bySum(line: Line, near: readonly Payout[], budget: { steps: number }, pool: Pool): Suggestion | null {
  const combination = findCombination(near, line.minor, budget);
  if (combination) {
    const { items, isUnique } = combination;
    return take(pool, line, items, { reason: 'sum', parts: items.map(partOf), ...(isUnique ? {} : { isAmbiguous: true }) });
  }
  const [payout, other] = near.filter(({ minor }) => isFee(minor, minor - line.minor));
  return payout && !other ? take(pool, line, [payout], feeSuggestion(line, payout)) : null;
}
