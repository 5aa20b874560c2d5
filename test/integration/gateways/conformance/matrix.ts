// The conformance matrix: every connector by every operation and outcome, each cell played.
import type { Bench } from './bench.ts';
import { CELLS, playCell } from './cells.ts';
import { authorizeNetBench, nmiBench } from './peer-benches.ts';
import { sandboxBench } from './sandbox-bench.ts';

/** A connector that is new is a line here. */
export const BENCHES: Readonly<Record<string, () => Promise<Bench>>> = {
  Sandbox: sandboxBench,
  'Authorize.Net': authorizeNetBench,
  NMI: nmiBench,
};

export type Mark = { readonly is: 'passed' } | { readonly is: 'not offered' | 'failed'; readonly why: string };

/** Plays all cells of one connector, in their order. */
export async function playAll(bench: Bench): Promise<ReadonlyMap<string, Mark>> {
  const marks = new Map<string, Mark>();
  for (const cell of CELLS) {
    const mark = await playCell(bench, cell).then(
      (played): Mark => (played === 'passed' ? { is: 'passed' } : { is: 'not offered', why: played.not }),
      (error: unknown): Mark => ({
        is: 'failed',
        why: (error instanceof Error ? error.message : String(error)).split('\n').slice(0, 3).join(' '),
      }),
    );
    marks.set(cell.name, mark);
  }
  return marks;
}

/** The matrix as text: a row for each cell, a column for each connector, the reasons of what is not offered below. */
export function printed(columns: ReadonlyMap<string, ReadonlyMap<string, Mark>>): string {
  const reasons: string[] = [];
  const markOf = (mark: Mark | undefined): string => {
    if (mark === undefined) return 'EMPTY';
    if (mark.is === 'passed') return 'yes';
    const words = `${mark.is === 'failed' ? 'FAILED: ' : ''}${mark.why}`;
    if (!reasons.includes(words)) reasons.push(words);
    return `${mark.is === 'failed' ? 'FAILED' : 'no'} (${reasons.indexOf(words) + 1})`;
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
