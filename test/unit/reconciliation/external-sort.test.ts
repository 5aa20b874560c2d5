import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { compareTexts, sorted } from '../../../core/books/reconciliation/external-sort.ts';

interface Item {
  readonly key: string;
  readonly nth: number;
}

const inOrder = (left: Item, right: Item) => compareTexts(left.key, right.key);
const folders = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('paydesk-report-'));

async function* pagesOf(items: readonly Item[], size: number): AsyncGenerator<readonly Item[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

/** Items in random order, some with equal keys and with characters of two and four bytes. */
const shuffled = (count: number): Item[] => Array.from({ length: count }, (_, nth) => ({ key: `${(nth * 7_919) % 1_009}/ü🪙\n"`, nth }));

test.for([
  [0, 100],
  [1, 100],
  [99, 100],
  [100, 100],
  [5_000, 100],
  [25_000, 4_096],
] as const)('sorts %i items stably in runs of %i', async ([count, runLength]) => {
  const items = shuffled(count);
  const before = await folders();
  const { pages, dispose } = await sorted(pagesOf(items, 333), inOrder, runLength);
  const found: Item[] = [];
  for await (const page of pages) found.push(...page);
  expect(found).toEqual(items.toSorted(inOrder));
  await dispose();
  await dispose();
  expect(await folders()).toEqual(before);
});

test('deletes the written data if the items end with an error', async () => {
  const before = await folders();
  async function* broken(): AsyncGenerator<readonly Item[]> {
    yield shuffled(500);
    throw new Error('the gateway hung up');
  }
  await expect(sorted(broken(), inOrder, 100)).rejects.toThrow('hung up');
  expect(await folders()).toEqual(before);
});
