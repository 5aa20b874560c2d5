import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareLines, type StoredLines } from '../../../core/books/bank/known-lines.ts';
import { LineKeys } from '../../../core/books/bank/line-keys.ts';
import { type Reading, readingsOf } from '../../../core/books/bank/readings.ts';

interface Line {
  readonly day: number;
  readonly minor: number;
  readonly text: number;
}
/** Lines of a history, the last one excluded. */
type Slice = readonly [from: number, to: number];

const OPENING = 100;
const dayOf = (day: number) => `2026-01-${String(day).padStart(2, '0')}`;
const inSlice = (index: number, [from, to]: Slice) => from <= index && index < to;

/** Returns the lines of slices of a history, with the balance before each. */
function keysOf(history: readonly Line[], slices: readonly Slice[]): LineKeys {
  const keys = new LineKeys();
  let balance = OPENING;
  for (const [index, { day, minor, text }] of history.entries()) {
    if (slices.some((slice) => inSlice(index, slice))) {
      keys.add(dayOf(day), minor, text, 0, index);
      keys.balances[keys.length - 1] = balance;
    }
    balance += minor;
  }
  return keys;
}

const balanceAt = (history: readonly Line[], index: number) => history.slice(0, index).reduce((sum, { minor }) => sum + minor, OPENING);

/** Reads a slice of a history as a file after other slices were stored. */
async function readingsOfSlice(history: readonly Line[], stored: readonly Slice[], slice: Slice): Promise<Reading[] | null> {
  const keys = keysOf(history, [slice]);
  const opening = balanceAt(history, slice[0]);
  keys.arrange(
    Int32Array.from({ length: keys.length }, (_, at) => at),
    opening,
  );
  const storedKeys = keysOf(history, stored);
  let at = 0;
  const runs = stored.map(([from, to]) => Array.from({ length: to - from }, () => at++));
  const lines: StoredLines = {
    keys: storedKeys,
    ids: Array.from({ length: storedKeys.length }, (_, index) => `bln_${index}`),
    isSameFormat: Array.from({ length: storedKeys.length }, () => true),
    runs,
  };
  const comparison = await compareLines(keys, lines, () => Promise.resolve());
  const [first, last] = [keys.days[0], keys.days[keys.length - 1]];
  return readingsOf(
    { keys, opening, closing: balanceAt(history, slice[1]), firstDay: first as number, lastDay: last as number },
    lines,
    comparison,
  );
}

/** Returns the new lines of a slice as a text in which their order does not count. */
const newLines = (history: readonly Line[], [from, to]: Slice, isNew: (at: number) => boolean): string =>
  history
    .slice(from, to)
    .flatMap(({ day, minor }, at) => (isNew(at) ? `${day}|${minor}` : []))
    .toSorted()
    .join();

const lineOf = fc.record({
  day: fc.integer({ min: 1, max: 4 }),
  minor: fc.constantFrom(50, -50, 30, 20),
  text: fc.integer({ min: 1, max: 3 }),
});
const histories = fc
  .array(lineOf, { minLength: 1, maxLength: 12 })
  .map((lines) => lines.toSorted((one, other) => one.day - other.day))
  .chain((history) => {
    const ends = fc.uniqueArray(fc.integer({ min: 0, max: history.length }), { minLength: 2, maxLength: 4 });
    const slices = ends.map((places): Slice[] => {
      const [a = 0, b = 0, c, d] = places.toSorted((one, other) => one - other);
      return c === undefined || d === undefined
        ? [[a, b]]
        : [
            [a, b],
            [c, d],
          ];
    });
    const file = fc.uniqueArray(fc.integer({ min: 0, max: history.length }), { minLength: 2, maxLength: 2 });
    return fc.tuple(
      fc.constant(history),
      slices,
      file.map(([a = 0, b = 0]): Slice => [Math.min(a, b), Math.max(a, b)]),
    );
  });

describe('readings of a file over stored lines', () => {
  test('contain what really happened, whenever the file meets a stored slice of the history', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ([history, stored, file]) => {
        fc.pre(stored.some(([from, to]) => file[0] <= to && from <= file[1]));
        const isStored = (index: number) => stored.some((slice) => inSlice(index, slice));
        // Two lines of a day with equal amounts and balances look the same if the lines between them were never imported.
        const sameAs = (index: number) => `${history[index]?.day}|${history[index]?.minor}|${balanceAt(history, index)}`;
        const known = new Set(history.flatMap((_, index) => (isStored(index) ? [sameAs(index)] : [])));
        fc.pre(history.every((_, index) => isStored(index) || !inSlice(index, file) || !known.has(sameAs(index))));
        const readings = await readingsOfSlice(history, stored, file);
        if (readings === null) return;
        const truth = newLines(history, file, (at) => !isStored(file[0] + at));
        expect(readings.map(({ isNew }) => newLines(history, file, (at) => isNew[at] === 1))).toContain(truth);
      }),
      { numRuns: 3_000 },
    );
  });

  test('are one without repeated balances, and then add exactly the missing lines', async () => {
    const rising = fc
      .array(fc.record({ day: fc.integer({ min: 1, max: 4 }), minor: fc.integer({ min: 1, max: 3 }) }), { minLength: 2, maxLength: 12 })
      .map((lines) => lines.toSorted((one, other) => one.day - other.day).map((line, at): Line => ({ ...line, text: at + 1 })));
    await fc.assert(
      fc.asyncProperty(rising, fc.nat(12), fc.nat(12), async (history, one, other) => {
        const middle = 1 + (one % (history.length - 1));
        const stored: Slice[] = [[0, middle]];
        const file: Slice = [other % (middle + 1), history.length];
        const readings = await readingsOfSlice(history, stored, file);
        expect(readings).toHaveLength(1);
        expect([...(readings?.[0]?.isNew ?? [])]).toEqual(history.slice(file[0]).map((_, at) => (file[0] + at < middle ? 0 : 1)));
      }),
      { numRuns: 500 },
    );
  });
});
