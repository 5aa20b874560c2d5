import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergedRange, mergeStreams, type OrderedList } from '../../../core/sales/payment-list/merge.ts';

interface Row {
  readonly position: string;
}

const rowsOf = (positions: readonly number[]): Row[] =>
  positions.toSorted((one, other) => other - one).map((n) => ({ position: String(n).padStart(6, '0') }));

/** A list in memory that counts the rows that its reads skip. */
function listOf(rows: readonly Row[]) {
  let skipped = 0;
  const list: OrderedList<Row> = {
    total: rows.length,
    read: async ({ after, skip, limit }) => {
      skipped += skip;
      const rest = after === undefined ? rows : rows.filter(({ position }) => position < after);
      return rest.slice(skip, skip + limit);
    },
  };
  return { list, skipped: () => skipped };
}

const twoLists = fc
  .uniqueArray(fc.nat(5_000), { maxLength: 120 })
  .chain((all) => fc.tuple(fc.constant(all), fc.array(fc.boolean(), { minLength: all.length, maxLength: all.length })))
  .map(([all, isLeft]) => ({
    all: rowsOf(all),
    left: rowsOf(all.filter((_, index) => isLeft[index])),
    right: rowsOf(all.filter((_, index) => !isLeft[index])),
  }));

describe('pages of two merged lists', () => {
  test('equal the pages of one sorted list', async () => {
    await fc.assert(
      fc.asyncProperty(twoLists, fc.nat(130), fc.integer({ min: 1, max: 20 }), async ({ all, left, right }, skip, limit) => {
        expect(await mergedRange(listOf(left).list, listOf(right).list, { skip, limit })).toEqual(all.slice(skip, skip + limit));
      }),
    );
  });

  test('skip hardly more rows than one read of the same depth', async () => {
    const left = listOf(rowsOf(Array.from({ length: 20_000 }, (_, n) => n * 3)));
    const right = listOf(rowsOf(Array.from({ length: 10_000 }, (_, n) => n * 6 + 1)));
    await mergedRange(left.list, right.list, { skip: 25_000, limit: 50 });
    expect(left.skipped() + right.skipped()).toBeLessThan(2 * 25_000 + 10_000);
  });

  test('stay complete if a list became shorter after it was counted', async () => {
    const left = listOf(rowsOf([9, 7, 5]));
    const page = await mergedRange({ ...left.list, total: 5 }, listOf(rowsOf([8, 6])).list, { skip: 2, limit: 10 });
    expect(page).toEqual(rowsOf([7, 6, 5]));
  });
});

test('merges two streams in order, in blocks', async () => {
  await fc.assert(
    fc.asyncProperty(twoLists, async ({ all, left, right }) => {
      async function* blocksOf(rows: readonly Row[]) {
        for (let start = 0; start < rows.length; start += 7) yield rows.slice(start, start + 7);
      }
      const blocks: (readonly Row[])[] = [];
      for await (const block of mergeStreams(blocksOf(left), blocksOf(right), 10)) blocks.push(block);
      expect(blocks.flat()).toEqual(all);
      expect(blocks.slice(0, -1).every(({ length }) => length === 10)).toBe(true);
    }),
  );
});
