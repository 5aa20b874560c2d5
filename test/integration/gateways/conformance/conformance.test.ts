// The kit that every connector must pass: each cell of the matrix is run, or states why its processor does not offer it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CELLS, runCell } from './cells.ts';
import type { ConnectorHarness } from './harness.ts';
import { formatMatrix, HARNESSES, type Mark } from './matrix.ts';

describe.each(Object.entries(HARNESSES))('%s', (_name, open) => {
  let harness: ConnectorHarness;
  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.close());

  test.each(CELLS)('$name', async (cell) => {
    const result = await runCell(harness, cell);
    if (result !== 'passed') expect(result.notOffered.length).toBeGreaterThan(8);
  });

  test('fills every cell of the matrix, consistent with its capabilities', () => {
    const { capabilities, returns } = harness.connector;
    expect(Object.keys(harness.setups).sort()).toEqual(CELLS.map(({ name }) => name).sort());
    const isOffered = (name: string) => !('notOffered' in (harness.setups[name] ?? {}));
    expect(isOffered('cancel capture: approved')).toBe(capabilities.cancelsCaptures);
    expect(isOffered('refund: partial, before settlement')).toBe(capabilities.refundsUnsettled === 'all');
    expect(isOffered('ACH: returned later')).toBe(capabilities.returnsLate);
    expect(returns !== undefined).toBe(capabilities.returnsLate);
    for (const { name } of CELLS) if (name.endsWith(': approved') && !name.startsWith('cancel')) expect(isOffered(name)).toBe(true);
  });
});

test('shows failed and missing cells in the matrix', () => {
  const marks = new Map<string, Mark>(CELLS.map(({ name }) => [name, { status: 'passed' }]));
  marks.set('sale: approved', { status: 'failed', reason: 'it was declined' });
  marks.delete('auth: approved');
  const text = formatMatrix(new Map([['Other', marks]]));
  expect(text).toContain('sale: approved');
  expect(text).toContain('(1) FAILED: it was declined');
  expect(text.match(/EMPTY/g)).toHaveLength(1);
});
