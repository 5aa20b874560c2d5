import type { LineKeys } from './line-keys.ts';

/**
 * Steps at which a line of a file is found among the stored ones, the surest first: by the bank's reference; by its text; by its text although the references
 * differ; as one of equally many lines of its day and amount; the same although the references differ.
 */
export const STEPS = { new: 0, reference: 1, text: 2, textOnly: 3, count: 4, countOnly: 5 } as const;
export type Step = (typeof STEPS)[keyof typeof STEPS];

/** Stored lines of the days of a file, oldest first. */
export interface StoredLines {
  readonly keys: LineKeys;
  readonly ids: readonly string[];
  /** True for lines of a statement in the format of the file. The references of other formats may be other numbers. */
  readonly isSameFormat: readonly boolean[];
  /** Indexes of consecutive lines of the account, oldest first; null if the order or the balance of a line is not known. */
  readonly runs: readonly (readonly number[])[] | null;
}

/** Result of the comparison of a file with the stored lines of its days. */
export interface Comparison {
  /** Step at which each line of the file was found, in the order of the file. */
  readonly steps: Uint8Array;
  /** Index of the stored line; -1 for a line that was not found. */
  readonly partners: Int32Array;
  /** Step at which each stored line was found. */
  readonly storedSteps: Uint8Array;
  /** 1 for a line of the file, and for a stored one, whose reference is neither repeated nor on the other side. */
  readonly isFresh: Uint8Array;
  readonly isStale: Uint8Array;
  /** True if a reference of the file is stored for any line, so that the bank keeps its references from one download to the next. */
  readonly hasCommonReference: boolean;
}

/** Functions that return what lines are paired by; zero for a line without it. */
interface Keys {
  readonly file: (index: number) => number;
  readonly stored: (index: number) => number;
}

/** Groups line numbers by a property. */
function groupedBy(count: number, keyOf: (index: number) => number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (let index = 0; index < count; index += 1) {
    const group = groups.get(keyOf(index));
    if (group) group.push(index);
    else groups.set(keyOf(index), [index]);
  }
  return groups;
}

/** Returns a function that returns the reference of a line if no other line has it; zero otherwise. */
function uniqueReferences({ references, length }: LineKeys): (index: number) => number {
  const sorted = references.slice(0, length).sort();
  const repeated = new Set<number>();
  for (let index = 1; index < length; index += 1) if (sorted[index] === sorted[index - 1]) repeated.add(sorted[index] as number);
  return (index) => (repeated.has(references[index] as number) ? 0 : (references[index] as number));
}

/**
 * Compares the lines of a file with the stored ones, one to one: a stored line explains at most one line of the file. Lines of one day and amount are
 * compared with each other, the surest step first. `pause` is called between days.
 */
export async function compareLines(file: LineKeys, stored: StoredLines, pause: () => Promise<void>): Promise<Comparison> {
  const { keys } = stored;
  const steps = new Uint8Array(file.length);
  const partners = new Int32Array(file.length).fill(-1);
  const storedSteps = new Uint8Array(keys.length);
  const fileReference = uniqueReferences(file);
  const storedReference = uniqueReferences(keys);
  const storedReferences = new Set(keys.references.subarray(0, keys.length));
  storedReferences.delete(0);
  let hasCommonReference = false;

  /** A stored line whose reference would be in the file if it were the same line. */
  const isNamed = (other: number) => stored.isSameFormat[other] === true && storedReference(other) !== 0;

  /** Pairs the lines of a group by a key that both have. A strict pairing leaves lines alone whose references differ. */
  function pair(step: Step, own: readonly number[], known: readonly number[], keyOf: Keys, isStrict = false): void {
    const free = new Map<number, { readonly named: number[]; readonly unnamed: number[] }>();
    for (const other of known.toReversed()) {
      const key = keyOf.stored(other);
      if (storedSteps[other] !== STEPS.new || key === 0) continue;
      const group = free.get(key) ?? { named: [], unnamed: [] };
      group[isNamed(other) ? 'named' : 'unnamed'].push(other);
      free.set(key, group);
    }
    if (free.size === 0) return;
    for (const index of own) {
      const group = steps[index] === STEPS.new ? free.get(keyOf.file(index)) : undefined;
      const other = group?.unnamed.pop() ?? (isStrict && fileReference(index) !== 0 ? undefined : group?.named.pop());
      if (other === undefined) continue;
      steps[index] = step;
      partners[index] = other;
      storedSteps[other] = step;
    }
  }

  const byReference = { file: fileReference, stored: storedReference };
  const byText = { file: (index: number) => file.texts[index] as number, stored: (index: number) => keys.texts[index] as number };
  const byCount = { file: () => 1, stored: () => 1 };
  const ownByDay = groupedBy(file.length, (index) => file.days[index] as number);
  for (const [day, known] of groupedBy(keys.length, (index) => keys.days[index] as number)) {
    const ownByMinor = Map.groupBy(ownByDay.get(day) ?? [], (index) => file.minors[index] as number);
    for (const [minor, others] of Map.groupBy(known, (index) => keys.minors[index] as number)) {
      const own = ownByMinor.get(minor);
      if (!own) continue;
      pair(STEPS.reference, own, others, byReference);
      pair(STEPS.text, own, others, byText, true);
      pair(STEPS.textOnly, own, others, byText);
      pair(STEPS.count, own, others, byCount, true);
      pair(STEPS.countOnly, own, others, byCount);
    }
    await pause();
  }
  for (let index = 0; index < file.length && !hasCommonReference; index += 1)
    hasCommonReference = storedReferences.has(file.references[index] as number);
  const fileReferences = new Set(file.references.subarray(0, file.length));
  const isAlone = (reference: number, others: ReadonlySet<number>) => (reference !== 0 && !others.has(reference) ? 1 : 0);
  const isFresh = Uint8Array.from({ length: file.length }, (_, index) => isAlone(fileReference(index), storedReferences));
  const isStale = Uint8Array.from({ length: keys.length }, (_, index) => isAlone(storedReference(index), fileReferences));
  return { steps, partners, storedSteps, isFresh, isStale, hasCommonReference };
}
