import { assert } from '#core/kernel';
import { addAmounts } from './amount-sums.ts';
import type { DiscrepancyType, LineKind } from './schema.ts';

/** One of our captures or refunds with the settlement date. Amounts in minor units; refunds are negative. */
export interface OurLine {
  /** ID of the transaction. */
  readonly subject: string;
  readonly kind: LineKind;
  /** ID of the transaction or refund. */
  readonly id: string;
  readonly merchantId: string;
  readonly currency: string;
  readonly minor: number;
}

/** A line of the processor's report or of an imported file. */
export interface TheirLine {
  /** ID of the transaction; empty if it is unknown. */
  readonly subject: string;
  readonly kind: LineKind;
  readonly reference: string;
  readonly currency: string;
  readonly minor: number;
  /** True if the line's own time belongs to the date; used only for lines without a match. */
  readonly isOfDate: boolean;
}

/** Details of a transaction beyond the compared date. */
export interface TransactionDetails {
  /** Currency in which it is captured, so that it belongs to the settlement of this or another date; null if it is not captured, or voided. */
  readonly capturedIn: string | null;
  /** True if another file settles the payment in full on another date, to which it belongs. */
  readonly isSettledInOtherFile: boolean;
  /** Refunds of the payment that are not in a settlement of the date. */
  readonly otherRefunds: readonly { readonly currency: string; readonly minor: number }[];
}

/** A difference between the two sides. */
export interface Finding {
  readonly type: DiscrepancyType;
  readonly kind: LineKind;
  readonly merchantId: string | null;
  readonly transactionId: string | null;
  readonly refundId: string | null;
  readonly reference: string | null;
  readonly currency: string;
  readonly ours: number | null;
  readonly theirs: number | null;
  /** Distinguishes lines that are equal otherwise. */
  readonly ordinal: number;
}

/** Sums of one currency in minor units. */
interface Sums {
  transactions: number;
  settlements: number;
}

export interface Tally {
  readonly sums: Map<string, Sums>;
  matched: number;
}

/** Pages of lines, ordered by subject within and across pages. */
type Pages<Line> = AsyncIterable<readonly Line[]>;

/** Largest number of groups for which details are read together. */
const BLOCK = 500;
/** Largest number of separate lines of one transaction; the amounts of further lines are added to the last one. */
const LINES_MAX = 100;

interface Group {
  readonly subject: string;
  readonly kind: LineKind;
  readonly currency: string;
  readonly ours: OurLine[];
  readonly theirs: TheirLine[];
}

/**
 * Compares two ordered sides in one pass and bounded memory, yields the differences in blocks, and adds to `tally`. `explain` returns
 * details of transactions whose lines have no match on the date: a line of another date is not a difference. @throws ServiceError
 * VALIDATION_ERROR if a sum exceeds the supported maximum.
 */
export async function* compare(
  sides: { readonly captures: Pages<OurLine>; readonly refunds: Pages<OurLine>; readonly theirs: Pages<TheirLine> },
  explain: (subjects: readonly string[]) => Promise<ReadonlyMap<string, TransactionDetails>>,
  tally: Tally,
): AsyncGenerator<readonly Finding[]> {
  const captures = reader(sides.captures);
  const refunds = reader(sides.refunds);
  const theirs = reader(sides.theirs);
  let found: Finding[] = [];
  let unclear: Group[] = [];
  const addFindings = (findings: readonly Finding[]) => {
    for (const finding of findings) {
      const sums = sumsOf(tally, finding.currency);
      sums.transactions = addAmounts(sums.transactions, finding.ours ?? 0);
      sums.settlements = addAmounts(sums.settlements, finding.theirs ?? 0);
      found.push(finding);
    }
  };
  const explainUnclear = async () => {
    const details = await explain([...new Set(unclear.map(({ subject }) => subject))]);
    for (const group of unclear) addFindings(findingsWithDetails(group, details.get(group.subject), tally));
    unclear = [];
  };
  let unknownLines = { reference: '', count: 0 };
  for (;;) {
    while (isEqualPair(captures, refunds, theirs)) {
      theirs.take();
      match(tally, captures.take() as OurLine);
    }
    const [capture, refund, theirLine] = [await captures.head(), await refunds.head(), await theirs.head()];
    if (!capture && !refund && !theirLine) break;
    const subject = least(capture?.subject, refund?.subject, theirLine?.subject);
    if (subject === '') {
      const line = theirs.take() as TheirLine;
      unknownLines = { reference: line.reference, count: line.reference === unknownLines.reference ? unknownLines.count + 1 : 0 };
      if (line.isOfDate) addFindings([unmatchedLine(line, null, unknownLines.count)]);
    } else {
      const ours = [...(await captures.of(subject)), ...(await refunds.of(subject))];
      for (const group of groupsOf(subject, ours, await theirs.of(subject, foldLine))) {
        const findings = findingsWithoutDetails(group, tally);
        if (findings) addFindings(findings);
        else unclear.push(group);
      }
    }
    if (unclear.length >= BLOCK) await explainUnclear();
    if (found.length >= BLOCK) {
      yield found;
      found = [];
    }
  }
  if (unclear.length > 0) await explainUnclear();
  if (found.length > 0) yield found;
}

type Reader<Line extends { readonly subject: string }> = ReturnType<typeof reader<Line>>;

/** Returns true if both sides continue with one equal line of the same payment, as nearly all do: decided without waiting. */
function isEqualPair(captures: Reader<OurLine>, refunds: Reader<OurLine>, theirs: Reader<TheirLine>): boolean {
  const [line, theirLine] = [captures.peek(0), theirs.peek(0)];
  if (!line || !theirLine || line.subject !== theirLine.subject || line.minor !== theirLine.minor || !isAlike(line, theirLine))
    return false;
  const next = theirs.peek(1);
  if (!next || next.subject === line.subject) return false;
  return refunds.isOver() || (refunds.peek(0)?.subject ?? line.subject) > line.subject;
}

function least(...subjects: (string | undefined)[]): string {
  let smallest: string | undefined;
  for (const subject of subjects) if (subject !== undefined && (smallest === undefined || subject < smallest)) smallest = subject;
  return smallest ?? '';
}

/** Bounds the size of a group, whatever a file contains. */
function foldLine(into: TheirLine[], line: TheirLine): void {
  const last = into.at(-1);
  if (into.length < LINES_MAX || !last) into.push(line);
  else into[into.length - 1] = { ...last, minor: addAmounts(last.minor, line.minor) };
}

function reader<Line extends { readonly subject: string }>(pages: Pages<Line>) {
  const iterator = pages[Symbol.asyncIterator]();
  let page: readonly Line[] = [];
  let at = 0;
  let isDone = false;
  let before = '';
  async function refill(): Promise<void> {
    while (at >= page.length && !isDone) {
      const next = await iterator.next();
      isDone = next.done === true;
      page = next.done ? [] : next.value;
      at = 0;
    }
  }
  return {
    head(): Line | undefined | Promise<Line | undefined> {
      return at < page.length || isDone ? page[at] : refill().then(() => page[at]);
    },
    peek: (offset: number): Line | undefined => page[at + offset],
    isOver: () => isDone && at >= page.length,
    take(): Line | undefined {
      const line = page[at];
      at += 1;
      return line;
    },
    /** Returns all lines of a subject. */
    async of(subject: string, add: (into: Line[], line: Line) => void = (into, line) => into.push(line)): Promise<Line[]> {
      const lines: Line[] = [];
      for (;;) {
        if (at >= page.length) await refill();
        const line = page[at];
        if (line?.subject !== subject) break;
        add(lines, line);
        at += 1;
      }
      assert(lines.length === 0 || before < subject, 'lines come in the order of their transactions');
      before = subject;
      return lines;
    },
  };
}

function groupsOf(subject: string, ours: readonly OurLine[], theirs: readonly TheirLine[]): Group[] {
  const [line] = ours;
  const [theirLine] = theirs;
  const first = line ?? theirLine;
  const isOne = first && ours.length <= 1 && theirs.length <= 1 && (!line || !theirLine || isAlike(line, theirLine));
  if (isOne) return [{ subject, kind: first.kind, currency: first.currency, ours: [...ours], theirs: [...theirs] }];
  const groups: Group[] = [];
  const groupOf = (line: OurLine | TheirLine) => {
    const known = groups.find((group) => isAlike(group, line));
    if (known) return known;
    const group: Group = { subject, kind: line.kind, currency: line.currency, ours: [], theirs: [] };
    groups.push(group);
    return group;
  };
  for (const each of ours) groupOf(each).ours.push(each);
  for (const each of theirs) groupOf(each).theirs.push(each);
  return groups;
}

type LineGroup = { readonly kind: LineKind; readonly currency: string };
const isAlike = (unmatched: LineGroup, right: LineGroup) => unmatched.kind === right.kind && unmatched.currency === right.currency;

function sumsOf(tally: Tally, currency: string): Sums {
  const known = tally.sums.get(currency);
  if (known) return known;
  const sums = { transactions: 0, settlements: 0 };
  tally.sums.set(currency, sums);
  return sums;
}

function match(tally: Tally, line: OurLine): void {
  const sums = sumsOf(tally, line.currency);
  sums.transactions = addAmounts(sums.transactions, line.minor);
  sums.settlements = addAmounts(sums.settlements, line.minor);
  tally.matched += 1;
}

/** Returns the finding if the lines alone suffice; null if details of the transaction are needed. */
function findingsWithoutDetails({ kind, ours, theirs }: Group, tally: Tally): readonly Finding[] | null {
  const [line] = ours;
  const [theirLine] = theirs;
  if (!line) return null;
  if (theirs.length === 0) return ours.map((each) => finding('missing_in_settlement', each, null, null));
  if (ours.length === 1 && theirs.length === 1 && theirLine?.minor === line.minor) {
    match(tally, line);
    return [];
  }
  if (kind === 'refund') return null;
  const [first = line] = ours;
  const settled = theirs.reduce((sum, { minor }) => addAmounts(sum, minor), 0);
  return [finding(theirs.length > 1 ? 'duplicate' : 'amount_mismatch', first, settled, theirLine?.reference ?? null)];
}

/** Returns the findings of a group that needs the details of its transaction. */
function findingsWithDetails(group: Group, known: TransactionDetails | undefined, tally: Tally): Finding[] {
  if (group.kind === 'refund') return refundFindings(group, known, tally);
  // Of another merchant.
  if (!known) return [];
  if (group.kind === 'chargeback') return group.theirs.map((line, ordinal) => unmatchedLine(line, group.subject, ordinal));
  const lines = group.theirs.filter(({ isOfDate }) => isOfDate).map((line, ordinal) => unmatchedLine(line, group.subject, ordinal));
  // A line in another currency than the payment's belongs to no settlement.
  if (known.capturedIn !== group.currency) return lines;
  return known.isSettledInOtherFile ? lines.map((line) => ({ ...line, type: 'duplicate' })) : [];
}

/**
 * Returns the findings of a group of refunds. A payment can have several refunds, of this date and of others: equal amounts are matched
 * first.
 */
function refundFindings({ subject, ours, theirs, currency }: Group, known: TransactionDetails | undefined, tally: Tally): Finding[] {
  if (!known && ours.length === 0) return [];
  const left = [...theirs];
  const takeEqual = (minor: number) => {
    const at = left.findIndex((line) => line.minor === minor);
    return at < 0 ? null : left.splice(at, 1)[0];
  };
  const paired = ours.filter((line) => takeEqual(line.minor));
  const unpaired = ours.filter((line) => !paired.includes(line));
  for (const other of known?.otherRefunds ?? []) if (other.currency === currency) takeEqual(other.minor);
  const findings: Finding[] = [];
  for (const line of paired) {
    const duplicates = left.filter(({ minor }) => minor === line.minor);
    for (const each of duplicates) left.splice(left.indexOf(each), 1);
    if (duplicates.length === 0) match(tally, line);
    else findings.push(finding('duplicate', line, line.minor * (duplicates.length + 1), duplicates[0]?.reference ?? null));
  }
  for (const line of unpaired) {
    const theirLine = left.shift();
    findings.push(
      finding(theirLine ? 'amount_mismatch' : 'missing_in_settlement', line, theirLine?.minor ?? null, theirLine?.reference ?? null),
    );
  }
  left.forEach((line, ordinal) => {
    if (line.isOfDate) findings.push(unmatchedLine(line, subject, ordinal));
  });
  return findings;
}

function finding(type: DiscrepancyType, line: OurLine, theirs: number | null, reference: string | null): Finding {
  return {
    type,
    kind: line.kind,
    merchantId: line.merchantId,
    transactionId: line.subject,
    refundId: line.kind === 'refund' ? line.id : null,
    reference,
    currency: line.currency,
    ours: line.minor,
    theirs,
    ordinal: 0,
  };
}

function unmatchedLine(line: TheirLine, transactionId: string | null, ordinal: number): Finding {
  return {
    type: 'missing_in_transactions',
    kind: line.kind,
    merchantId: null,
    transactionId,
    refundId: null,
    reference: line.reference,
    currency: line.currency,
    ours: null,
    theirs: line.minor,
    ordinal,
  };
}
