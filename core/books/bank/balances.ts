import { type Comparison, STEPS, type Step } from './known-lines.ts';
import type { LineKeys } from './line-keys.ts';

/** A statement of a file with the balances before and after its lines. Its days are null without lines. */
interface Piece {
  /** Line of the file, for refusals. */
  readonly line: number;
  readonly opening: number;
  readonly closing: number;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
}

/** A statement with lines. Its days are numbers of days. */
export interface Anchored {
  readonly opening: number;
  readonly closing: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** The balances at both ends of pieces in order, or the first place at which they are not continuous. */
export type Chain =
  | { readonly opening: number; readonly closing: number }
  | { readonly line: number; readonly before: number; readonly after: number };

/**
 * Puts the pieces of a file in order by their balances: each one begins with the closing balance of the one before. Every piece is used once, so this is
 * a path through a graph with the balances as nodes (Hierholzer). Returns the break in the order of days if there is no such path.
 */
export function chainOf(pieces: readonly Piece[]): Chain {
  const daysOf = ({ firstDay, lastDay }: Piece) => `${firstDay ?? ''}|${lastDay ?? ''}`;
  const ordered = pieces.toSorted((one, other) => (daysOf(one) < daysOf(other) ? -1 : daysOf(one) > daysOf(other) ? 1 : 0));
  const degrees = new Map<number, number>();
  const after = new Map<number, Piece[]>();
  for (const piece of ordered.toReversed()) {
    degrees.set(piece.opening, (degrees.get(piece.opening) ?? 0) + 1);
    degrees.set(piece.closing, (degrees.get(piece.closing) ?? 0) - 1);
    const group = after.get(piece.opening);
    if (group) group.push(piece);
    else after.set(piece.opening, [piece]);
  }
  const starts = [...degrees].filter(([, degree]) => degree > 0);
  const first = ordered[0] as Piece;
  const opening = starts[0]?.[0] ?? first.opening;
  if (starts.length <= 1 && (starts[0]?.[1] ?? 1) === 1) {
    const open = [opening];
    let used = 0;
    while (open.length > 0) {
      const next = after.get(open.at(-1) as number)?.pop();
      if (next) {
        used += 1;
        open.push(next.closing);
      } else open.pop();
    }
    if (used === ordered.length) return { opening, closing: [...degrees].find(([, degree]) => degree < 0)?.[0] ?? opening };
  }
  const at = ordered.findIndex((piece, index) => index > 0 && piece.opening !== ordered[index - 1]?.closing);
  const [before, broken] = [ordered[Math.max(0, at - 1)], ordered[Math.max(0, at)]] as [Piece, Piece];
  return { line: broken.line, before: before.closing, after: broken.opening };
}

/** Steps in the order in which they are tried, and 0 for a file none of whose lines is stored. */
const CANDIDATES: readonly Step[] = [STEPS.text, STEPS.textOnly, STEPS.count, STEPS.countOnly, STEPS.new];

export type Decision =
  /** Lines that were found at this step, or a surer one, are stored. */
  | { readonly known: Step }
  /** The balances fit with and without the lines that seem to be known. */
  | { readonly known: null; readonly isAmbiguous: true }
  /** With no selection of known lines do the balances fit. `missing` is the difference to the nearest earlier statement. */
  | { readonly known: null; readonly isAmbiguous: false; readonly missing: number };

/**
 * Decides by the balances which lines of a file are stored already. `statements` are the earlier ones that overlap its days; all lines of these days
 * belong to them.
 */
export function decideByBalances(
  file: Anchored & { readonly keys: LineKeys },
  statements: readonly Anchored[],
  stored: LineKeys,
  comparison: Comparison,
): Decision {
  const openings = statements.map(({ opening }) => opening);
  const closings = statements.map(({ closing }) => closing);
  const starts = statements.filter(({ opening, closing }) => opening === closing || !closings.includes(opening));
  const ends = statements.filter(({ opening, closing }) => opening === closing || !openings.includes(closing));
  // A statement that changes no balance fits anywhere.
  const moved = (statement: Anchored) => statement.opening !== statement.closing;
  const isAfter = moved(file) && ends.some((end) => moved(end) && end.closing === file.opening);
  const isBefore = moved(file) && starts.some((start) => moved(start) && start.opening === file.closing);
  // Beside several separate statements, a known line may belong to the wrong one of them.
  const isSingle = starts.length === 1 && ends.length === 1;
  const hasPlace = isSingle && (isAfter || isBefore);
  const isNaturallyNext =
    ends.some(({ closing, lastDay }) => closing === file.opening && lastDay <= file.firstDay) ||
    starts.some(({ opening, firstDay }) => opening === file.closing && file.lastDay <= firstDay);
  const foundUntil = (step: Step) => comparison.steps.some((each) => each !== STEPS.new && each <= step);
  const isInside = statements.some(({ firstDay, lastDay }) => firstDay < file.firstDay && file.lastDay < lastDay);

  if (!foundUntil(STEPS.countOnly) && !isInside) return { known: STEPS.new };
  const fitting = CANDIDATES.find((step) => (step === STEPS.new ? hasPlace : fits(step)));
  if (fitting === undefined) {
    const nearest = ends.toSorted((one, other) => other.lastDay - one.lastDay)[0] ?? statements[0];
    return { known: null, isAmbiguous: false, missing: file.opening - (nearest?.closing ?? 0) };
  }
  const isSure = fitting === STEPS.new || !isNaturallyNext || !foundUntil(fitting) || !foundBeyondReference(fitting) || isRepeat(fitting);
  return isSure ? { known: fitting } : { known: null, isAmbiguous: true };

  function foundBeyondReference(step: Step): boolean {
    return comparison.steps.some((each) => each > STEPS.reference && each <= step);
  }

  /** Returns true for another download of one statement. */
  function isRepeat(step: Step): boolean {
    const isSame = ({ opening, closing, firstDay, lastDay }: Anchored) =>
      opening === file.opening && closing === file.closing && firstDay === file.firstDay && lastDay === file.lastDay;
    return statements.some(isSame) && comparison.steps.every((each) => each !== STEPS.new && each <= step);
  }

  /** Returns the amounts of the lines of a side that are not known by a step, on a day or before it. */
  function restOf(side: LineKeys, steps: Uint8Array, step: Step, isWanted: (day: number) => boolean): number[] {
    const amounts: number[] = [];
    for (let index = 0; index < side.length; index += 1) {
      const found = steps[index] as number;
      if ((found === STEPS.new || found > step) && isWanted(side.days[index] as number)) amounts.push(side.minors[index] as number);
    }
    return amounts;
  }

  /** Returns true if the union of the file and of the earlier statements has one opening and one closing balance. */
  function fits(step: Step): boolean {
    const added = restOf(file.keys, comparison.steps, step, () => true);
    const sum = sumOf(added);
    const left = restOf(stored, comparison.storedSteps, step, () => true);
    const { opening, closing, firstDay, lastDay } = file;
    for (const end of ends) if (isSingle && end.lastDay <= lastDay && sum === closing - end.closing && added.length > 0) return true;
    for (const start of starts)
      if (isSingle && start.firstDay >= firstDay && sum === start.opening - opening && added.length > 0) return true;
    for (const start of starts)
      for (const end of ends) {
        if (isSingle && firstDay <= start.firstDay && end.lastDay <= lastDay && sum === closing - opening - (end.closing - start.opening)) {
          // The file contains the statements: new lines before their opening balance lead to it.
          const earlier = sumOf(restOf(file.keys, comparison.steps, step, (day) => day < start.firstDay));
          const onDay = restOf(file.keys, comparison.steps, step, (day) => day === start.firstDay);
          if (isReachable(start.opening - opening - earlier, onDay)) return true;
        }
        if (start.firstDay <= firstDay && lastDay <= end.lastDay && added.length === 0) {
          // The statements contain the file: their other lines lead to its balances.
          const isSharedStart = start.firstDay === firstDay;
          const isSharedEnd = end.lastDay === lastDay;
          const onFirst = restOf(stored, comparison.storedSteps, step, (day) => day === firstDay);
          const onLast = restOf(stored, comparison.storedSteps, step, (day) => day === lastDay);
          const isWhole = opening - start.opening + end.closing - closing === sumOf(left);
          const isStart = isReachable(opening - start.opening, onFirst);
          const isEnd = isReachable(end.closing - closing, onLast);
          if (isSharedStart && isSharedEnd ? isWhole && isStart && isEnd : isSharedStart ? isStart : !isSharedEnd || isEnd) return true;
        }
      }
    return false;
  }
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, minor) => sum + minor, 0);

/** Returns true if a sum is that of the first or last of some amounts of a day, in either order. */
function isReachable(target: number, amounts: readonly number[]): boolean {
  let sum = 0;
  if (target === 0) return true;
  const total = sumOf(amounts);
  for (const minor of amounts) {
    sum += minor;
    if (sum === target || total - sum === target) return true;
  }
  return false;
}
