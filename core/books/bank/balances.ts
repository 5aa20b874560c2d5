import { type Comparison, STEPS, type StoredLines } from './known-lines.ts';
import type { LineKeys } from './line-keys.ts';
import { type Reading, readingsOf } from './readings.ts';

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

/** The pieces in order with the balances at both ends, or the first place at which they are not continuous. */
export type Chain<Of> =
  | { readonly opening: number; readonly closing: number; readonly ordered: readonly Of[] }
  | { readonly line: number; readonly before: number; readonly after: number };

/**
 * Puts the pieces of a file in order by their balances: each one begins with the closing balance of the one before. Every piece is used once, so this is
 * a path through a graph with the balances as nodes (Hierholzer). Returns the break in the order of days if there is no such path.
 */
export function chainOf<Of extends Piece>(pieces: readonly Of[]): Chain<Of> {
  const daysOf = ({ firstDay, lastDay }: Of) => `${firstDay ?? ''}|${lastDay ?? ''}`;
  const ordered = pieces.toSorted((one, other) => (daysOf(one) < daysOf(other) ? -1 : daysOf(one) > daysOf(other) ? 1 : 0));
  const degrees = new Map<number, number>();
  const after = new Map<number, Of[]>();
  for (const piece of ordered.toReversed()) {
    degrees.set(piece.opening, (degrees.get(piece.opening) ?? 0) + 1);
    degrees.set(piece.closing, (degrees.get(piece.closing) ?? 0) - 1);
    const group = after.get(piece.opening);
    if (group) group.push(piece);
    else after.set(piece.opening, [piece]);
  }
  const starts = [...degrees].filter(([, degree]) => degree > 0);
  const first = ordered[0] as Of;
  const opening = starts[0]?.[0] ?? first.opening;
  if (starts.length <= 1 && (starts[0]?.[1] ?? 1) === 1) {
    const open: Of[] = [];
    const path: Of[] = [];
    for (;;) {
      const next = after.get(open.at(-1)?.closing ?? opening)?.pop();
      if (next) open.push(next);
      else if (open.length > 0) path.push(open.pop() as Of);
      else break;
    }
    if (path.length === ordered.length)
      return { opening, closing: [...degrees].find(([, degree]) => degree < 0)?.[0] ?? opening, ordered: path.reverse() };
  }
  const at = ordered.findIndex((piece, index) => index > 0 && piece.opening !== ordered[index - 1]?.closing);
  const [before, broken] = [ordered[Math.max(0, at - 1)], ordered[Math.max(0, at)]] as [Of, Of];
  return { line: broken.line, before: before.closing, after: broken.opening };
}

export type Decision =
  /** 1 for each new line, in the order of the file. */
  | { readonly isNew: Uint8Array }
  /** The balances fit with several selections of new lines, or none can be proven. A person chooses the one with most or with fewest new lines. */
  | { readonly most: Uint8Array; readonly fewest: Uint8Array }
  /** The file has no place beside or over the stored lines. `missing` is the difference to the nearest earlier statement. */
  | { readonly missing: number };

/**
 * Decides by the balances which lines of a file are stored already. `statements` are the earlier ones that overlap its days; all lines of these days
 * belong to them.
 */
export function decideByBalances(
  file: Anchored & { readonly keys: LineKeys },
  statements: readonly Anchored[],
  stored: StoredLines,
  comparison: Comparison,
): Decision {
  const { steps } = comparison;
  const all = (isNew: (step: number) => boolean) => steps.map((step) => (isNew(step) ? 1 : 0));
  const hasCommon = steps.some((step) => step !== STEPS.new);
  const isInside = statements.some(({ firstDay, lastDay }) => firstDay < file.firstDay && file.lastDay < lastDay);
  if (!hasCommon && !isInside) return { isNew: all(() => true) };
  const readings = file.keys.order === null ? null : readingsOf(file, stored, comparison);
  const [only] = readings ?? [];
  if (only && readings?.length === 1 && !isContradicted(only)) return only;
  const isKnown = readings === null || readings.some((reading) => !reading.isNew.includes(1) && !isContradicted(reading));
  if (isKnown && isRepeat()) return { isNew: all(() => false) };
  if (readings === null || readings.length === 1)
    return { most: all((step) => step === STEPS.new || step > STEPS.reference), fewest: all((step) => step === STEPS.new) };
  if (readings.length === 0)
    return hasSharedBalance() ? { most: all(() => true), fewest: all((step) => step === STEPS.new) } : { missing: missing() };
  const [surest, second] = readings.toSorted((one, other) => other.references - one.references) as [Reading, Reading];
  // A single equal reference may be one that the bank writes for many lines.
  if (surest.references > second.references + 1) return surest;
  const sorted = readings.toSorted((one, other) => sumOf(one.isNew) - sumOf(other.isNew));
  return { most: (sorted.at(-1) as Reading).isNew, fewest: (sorted[0] as Reading).isNew };

  /** Returns true if known lines have other references. If the bank keeps none of its references, several equal texts are enough. */
  function isContradicted({ isNew, fresh, texts }: Reading): boolean {
    const known = isNew.length - sumOf(isNew);
    const isSure = !comparison.hasCommonReference && known > 1 && texts === known;
    return fresh > 0 && !isSure && stored.isSameFormat.every((isSame) => isSame);
  }

  /** Returns true for another download of one statement. Texts are not compared if it has another format. */
  function isRepeat(): boolean {
    const isSame = ({ opening, closing, firstDay, lastDay }: Anchored) =>
      opening === file.opening && closing === file.closing && firstDay === file.firstDay && lastDay === file.lastDay;
    const limit = stored.isSameFormat.includes(true) ? STEPS.text : STEPS.countOnly;
    return statements.some(isSame) && steps.every((step) => step !== STEPS.new && step <= limit);
  }

  /** Returns true if the account had the balance at one end of the file, so that nothing seems to be missing. */
  function hasSharedBalance(): boolean {
    const { keys } = stored;
    const ends = new Set([file.opening, file.closing]);
    for (let index = 0; index < keys.length; index += 1) {
      const before = keys.balances[index] as number;
      if (ends.has(before) || ends.has(before + (keys.minors[index] as number))) return true;
    }
    return false;
  }

  function missing(): number {
    const openings = new Set(statements.map(({ opening }) => opening));
    const ends = statements.filter(({ opening, closing }) => opening === closing || !openings.has(closing));
    const nearest = ends.toSorted((one, other) => other.lastDay - one.lastDay)[0] ?? statements[0];
    return file.opening - (nearest?.closing ?? 0);
  }
}

const sumOf = (flags: Uint8Array) => flags.reduce((sum, flag) => sum + flag, 0);
