import { randomInt } from 'node:crypto';
import { type Comparison, STEPS, type StoredLines } from './known-lines.ts';
import type { LineKeys } from './line-keys.ts';

/** Limits above which a file counts as undecidable. */
const RUNS_MAX = 2_000;
const READINGS_MAX = 64;

/** A file whose lines have their order and their balances. */
export interface OrderedFile {
  readonly keys: LineKeys;
  readonly opening: number;
  readonly closing: number;
  readonly firstDay: number;
  readonly lastDay: number;
}

/** A selection of new lines with which the file and the stored lines are one history of the account. */
export interface Reading {
  /** 1 for a new line, in the order of the file. */
  readonly isNew: Uint8Array;
  /** Number of known lines whose reference is stored. */
  readonly references: number;
  /** Number of known lines whose text or reference is stored. */
  readonly texts: number;
  /** Number of known lines whose references on both sides are different. */
  readonly fresh: number;
}

/** Known lines: places in the bank's order, the last one excluded. */
interface Range {
  readonly from: number;
  readonly to: number;
  /** The run, and the place of the file at which it begins. */
  readonly indexes: readonly number[];
  readonly start: number;
}

/** Places chosen for some runs, the last one first. */
interface Chosen {
  readonly range: Range;
  readonly rest: Chosen | null;
}

interface Run {
  readonly indexes: readonly number[];
  readonly ranges: readonly Range[];
  /** True if the run can end where the file begins, or begin where it ends. */
  readonly isBeside: boolean;
  /** True if the days of the run and of the file share more than a boundary, so that the file has lines of the run. */
  readonly isWithin: boolean;
  /** True if the run may be apart from the file: its neighbors are not known, or its references are other ones. */
  readonly isLoose: boolean;
}

/** Runs joined where one begins with the balance at which another one ends, and those whose neighbors can be several ones. */
interface Chains {
  readonly chains: readonly (readonly number[])[];
  readonly loose: ReadonlySet<readonly number[]>;
}

const SEED = randomInt(2 ** 32);

/** Returns a number of 32 bits for the day and the amount of a line. Sums of them compare lines in any order. */
function hashOf({ days, minors }: LineKeys, index: number): number {
  const minor = minors[index] as number;
  let hash = Math.imul((days[index] as number) ^ SEED, 0x9e3779b1) ^ (minor | 0);
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ Math.floor(minor / 2 ** 32);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Returns the sums of the hashes before each line, and the balances before each line and after the last one. */
function sumsOf(
  keys: LineKeys,
  count: number,
  at: (place: number) => number,
): { readonly hashes: Uint32Array; readonly balances: Float64Array } {
  const hashes = new Uint32Array(count + 1);
  const balances = new Float64Array(count + 1);
  for (let place = 0; place < count; place += 1) {
    const index = at(place);
    hashes[place + 1] = (hashes[place] as number) + hashOf(keys, index);
    balances[place] = keys.balances[index] as number;
    balances[place + 1] = (balances[place] as number) + (keys.minors[index] as number);
  }
  return { hashes, balances };
}

/**
 * Returns the selections of new lines that fit. Both a file and a run of stored lines are consecutive lines of the account with their balances. So where
 * they overlap, they have the same lines of each day, and the balances at both ends of the overlap are equal: the lines that a file adds are its first
 * and its last ones, or lie between two runs. Runs with one balance may follow each other or not, so both are tried. Selections of the same days and amounts count as one, the one with the most equal texts. Returns null if
 * there are too many to decide, and none if the file has no place beside or over the stored lines.
 */
export function readingsOf(
  file: OrderedFile,
  { keys: stored, runs, isSameFormat }: StoredLines,
  { steps, isFresh, isStale }: Comparison,
): Reading[] | null {
  if (runs === null || runs.length > RUNS_MAX) return null;
  const { keys } = file;
  const count = keys.length;
  const order = keys.order as Int32Array;
  const { hashes, balances } = sumsOf(keys, count, (place) => order[place] as number);
  /** Places of the file at which the account had the balance at which a run begins. */
  const places = new Map<number, number[]>(runs.map((indexes) => [stored.balances[indexes[0] as number] as number, []]));
  for (let at = 0; at <= count; at += 1) places.get(balances[at] as number)?.push(at);
  const { chains, loose } = chainsOf(stored, runs);
  const readings = new Map<number, Reading>();
  for (const parts of chains.length === runs.length ? [runs] : [chains, runs]) {
    const selections = selectionsOf(parts);
    if (selections === null) return null;
    for (const chosen of selections) {
      const { sum, ...reading } = readingOf(chosen);
      const other = readings.get(sum);
      if (!other || other.texts < reading.texts) readings.set(sum, reading);
    }
  }
  return [...readings.values()];

  /** Returns the selections with which the file fits runs. Null if there are too many, or if lines of another format could be stored. */
  function selectionsOf(parts: readonly (readonly number[])[]): (Chosen | null)[] | null {
    const placed: Run[] = [];
    for (const indexes of parts) {
      const run = place(indexes);
      if (run === null) return null;
      if (run.isWithin && run.ranges.length === 0) return [];
      placed.push(run);
    }
    if (placed.every(({ ranges, isBeside }) => ranges.length === 0 && !isBeside)) return [];
    const isBeside = placed.some((run) => run.isBeside);
    const selections = combine(placed)?.filter((chosen) => chosen !== null || isBeside) ?? null;
    return selections?.length === 1 && mayRepeatApart(readingOf(selections[0] ?? null), placed) ? null : selections;
  }

  /** Finds the places of a run: over lines of the file, or beside it. */
  function place(indexes: readonly number[]): Run | null {
    const length = indexes.length;
    const run = sumsOf(stored, length, (at) => indexes[at] as number);
    const [first, last] = [stored.days[indexes[0] as number] as number, stored.days[indexes.at(-1) as number] as number];
    const starts = [...(places.get(run.balances[0] as number) ?? [])];
    for (let at = 1; at <= length; at += 1) if (run.balances[at] === file.opening) starts.push(-at);
    const ranges: Range[] = [];
    let isBeside = false;
    for (const start of starts) {
      const [from, to] = [Math.max(0, start), Math.min(count, start + length)];
      if (from >= to) isBeside ||= (start >= count && file.lastDay <= first) || (start <= -length && last <= file.firstDay);
      else if (
        ((hashes[to] as number) - (hashes[from] as number)) >>> 0 ===
          ((run.hashes[to - start] as number) - (run.hashes[from - start] as number)) >>> 0 &&
        !ranges.some((each) => each.from === from && each.to === to)
      )
        ranges.push({ from, to, indexes, start });
      if (ranges.length > READINGS_MAX) return null;
    }
    return {
      indexes,
      ranges,
      isBeside,
      isWithin: last > file.firstDay && first < file.lastDay,
      isLoose: loose.has(indexes) || ranges.some(isDisputed),
    };
  }

  /** Returns 1 if the references of the lines at a place of the file are different ones. */
  function disputeAt({ indexes, start }: Range, at: number): number {
    return (isFresh[order[at] as number] as number) | (isStale[indexes[at - start] as number] as number);
  }

  function isDisputed(range: Range): boolean {
    for (let at = range.from; at < range.to; at += 1) if (disputeAt(range, at) === 1) return true;
    return false;
  }

  /** Returns true if a new line equals one of another format that has no place: formats can write the lines of a day in different orders. */
  function mayRepeatApart({ isNew }: Reading, placed: readonly Run[]): boolean {
    const apart = new Set<number>();
    for (const { indexes, ranges, isBeside } of placed)
      if (ranges.length === 0 && !isBeside)
        for (const index of indexes) if (isSameFormat[index] === false) apart.add(hashOf(stored, index));
    return apart.size > 0 && isNew.some((flag, index) => flag === 1 && apart.has(hashOf(keys, index)));
  }

  function readingOf(chosen: Chosen | null): Reading & { readonly sum: number } {
    const isNew = new Uint8Array(count).fill(1);
    let [references, texts, fresh, sum] = [0, 0, 0, 0];
    for (let each = chosen; each !== null; each = each.rest)
      for (let at = each.range.from; at < each.range.to; at += 1) {
        const index = order[at] as number;
        const step = steps[index] as number;
        isNew[index] = 0;
        if (step === STEPS.reference) references += 1;
        fresh += disputeAt(each.range, at);
        if (step !== STEPS.new && step <= STEPS.textOnly) texts += 1;
        sum = (sum + hashOf(keys, index)) >>> 0;
      }
    return { isNew, references, texts, fresh, sum };
  }
}

/** Joins runs at balances at which exactly one ends and one begins. */
function chainsOf(keys: LineKeys, runs: readonly (readonly number[])[]): Chains {
  const startOf = (run: readonly number[]) => keys.balances[run[0] as number] as number;
  const endOf = (run: readonly number[]) => (keys.balances[run.at(-1) as number] as number) + (keys.minors[run.at(-1) as number] as number);
  const starting = Map.groupBy(runs, startOf);
  const ending = Map.groupBy(runs, endOf);
  const loose = new Set<readonly number[]>();
  const next = new Map<readonly number[], readonly number[]>();
  for (const [balance, before] of ending) {
    const after = starting.get(balance) ?? [];
    const [one, other] = [before[0] as readonly number[], after[0]];
    if (other === undefined) continue;
    const isOrdered = (keys.days[one.at(-1) as number] as number) <= (keys.days[other[0] as number] as number);
    if (before.length === 1 && after.length === 1 && one !== other) {
      if (isOrdered) next.set(one, other);
    } else for (const run of [...before, ...after]) loose.add(run);
  }
  const followers = new Set(next.values());
  const chains: (readonly number[])[] = [];
  const joined = new Set<readonly number[]>();
  // Runs in a circle have no first one. They stay separate.
  for (const first of runs) {
    if (followers.has(first)) continue;
    const chain: number[] = [];
    for (let run: readonly number[] | undefined = first; run !== undefined; run = next.get(run)) {
      chain.push(...run);
      joined.add(run);
    }
    if (loose.has(first)) loose.add(chain);
    chains.push(chain);
  }
  for (const run of runs)
    if (!joined.has(run)) {
      loose.add(run);
      chains.push(run);
    }
  return { chains, loose };
}

const overlap = (one: Range, other: Range) => one.from < other.to && other.from < one.to;

/** Returns all selections of a place for each run. No line of the file is two stored lines. */
function combine(runs: readonly Run[]): (Chosen | null)[] | null {
  let selections: (Chosen | null)[] = [null];
  for (const { ranges, isBeside, isWithin, isLoose } of runs) {
    if (ranges.length === 0) continue;
    const next: (Chosen | null)[] = [];
    for (const chosen of selections) {
      const isFree = ranges.some((range) => !conflicts(chosen, range));
      if (isBeside || !isFree || (isLoose && !isWithin)) next.push(chosen);
      for (const range of ranges) next.push({ range, rest: without(chosen, range) });
    }
    if (next.length > READINGS_MAX) return null;
    selections = next;
  }
  return selections;
}

function conflicts(chosen: Chosen | null, range: Range): boolean {
  for (let each = chosen; each !== null; each = each.rest) if (overlap(each.range, range)) return true;
  return false;
}

/** Returns the chosen places without those that conflict with another one. */
function without(chosen: Chosen | null, range: Range): Chosen | null {
  if (!conflicts(chosen, range)) return chosen;
  let kept: Chosen | null = null;
  for (let each = chosen; each !== null; each = each.rest) if (!overlap(each.range, range)) kept = { range: each.range, rest: kept };
  return kept;
}
