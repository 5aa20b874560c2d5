// The kit that every connector has to pass: each cell of the matrix is played, or names why its processor does not offer it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bench } from './bench.ts';
import { CELLS, playCell } from './cells.ts';
import { BENCHES, type Mark, printed } from './matrix.ts';

describe.each(Object.entries(BENCHES))('%s', (_name, open) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await open();
  });
  afterAll(() => bench.close());

  test.each(CELLS)('$name', async (cell) => {
    const played = await playCell(bench, cell);
    if (played !== 'passed') expect(played.not.length).toBeGreaterThan(8);
  });

  test('answers every cell of the matrix, and offers its capabilities', () => {
    const { capabilities, returns } = bench.connector;
    expect(Object.keys(bench.how).sort()).toEqual(CELLS.map(({ name }) => name).sort());
    const isOffered = (name: string) => !('not' in (bench.how[name] ?? {}));
    expect(isOffered('cancel capture: approved')).toBe(capabilities.cancelsCaptures);
    expect(isOffered('refund: in part, before settlement')).toBe(capabilities.refundsUnsettled === 'all');
    expect(isOffered('ACH: returned later')).toBe(capabilities.returnsLate);
    expect(returns !== undefined).toBe(capabilities.returnsLate);
    for (const { name } of CELLS) if (name.endsWith(': approved') && !name.startsWith('cancel')) expect(isOffered(name)).toBe(true);
  });
});

test('shows failed and missing cells in the matrix', () => {
  const marks = new Map<string, Mark>(CELLS.map(({ name }) => [name, { is: 'passed' }]));
  marks.set('sale: approved', { is: 'failed', why: 'it was declined' });
  marks.delete('auth: approved');
  const text = printed(new Map([['Other', marks]]));
  expect(text).toContain('sale: approved');
  expect(text).toContain('(1) FAILED: it was declined');
  expect(text.match(/EMPTY/g)).toHaveLength(1);
});
