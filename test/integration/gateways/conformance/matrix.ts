// The conformance matrix: every connector with every operation and outcome, each cell run.

import { CELLS, runCell } from './cells.ts';
import type { ConnectorHarness } from './harness.ts';
import { sandboxHarness } from './sandbox-harness.ts';
import { authorizeNetHarness, nmiHarness } from './simulator-harnesses.ts';

/** A new connector is added here. */
export const HARNESSES: Readonly<Record<string, () => Promise<ConnectorHarness>>> = {
  Sandbox: sandboxHarness,
  'Authorize.Net': authorizeNetHarness,
  NMI: nmiHarness,
};

export type Mark = { readonly status: 'passed' } | { readonly status: 'not offered' | 'failed'; readonly reason: string };

/** Runs all cells of one connector in their order. */
export async function runMatrix(harness: ConnectorHarness): Promise<ReadonlyMap<string, Mark>> {
  const marks = new Map<string, Mark>();
  for (const cell of CELLS) {
    const mark = await runCell(harness, cell).then(
      (result): Mark => (result === 'passed' ? { status: 'passed' } : { status: 'not offered', reason: result.notOffered }),
      (error: unknown): Mark => ({
        status: 'failed',
        reason: (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 3).join(' '),
      }),
    );
    marks.set(cell.name, mark);
  }
  return marks;
}

/** Returns the matrix as text: a row for each cell, a column for each connector, and the reasons of outcomes that are not offered below. */
export function formatMatrix(columns: ReadonlyMap<string, ReadonlyMap<string, Mark>>): string {
  const reasons: string[] = [];
  const markOf = (mark: Mark | undefined): string => {
    if (mark === undefined) return 'EMPTY';
    if (mark.status === 'passed') return 'yes';
    const text = `${mark.status === 'failed' ? 'FAILED: ' : ''}${mark.reason}`;
    if (!reasons.includes(text)) reasons.push(text);
    return `${mark.status === 'failed' ? 'FAILED' : 'no'} (${reasons.indexOf(text) + 1})`;
  };
  const names = [...columns.keys()];
  const rows = CELLS.map(({ name }) => [name, ...names.map((column) => markOf(columns.get(column)?.get(name)))]);
  const widths = ['', ...names].map((head, at) => Math.max(head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(['', ...names]), ...rows.map(line), '', ...reasons.map((words, at) => `(${at + 1}) ${words}`)].join('\n');
}
