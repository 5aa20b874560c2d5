import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, release } from 'node:os';
import { join } from 'node:path';

/** Result of one step. */
export interface StepResult {
  readonly name: string;
  readonly status: 'passed' | 'failed' | 'not run';
  readonly seconds: number;
  /** Observation of a passed step, or the reason of one that failed or did not run. */
  readonly detail: string;
  /** Name of its picture; null if there was no window. */
  readonly picture: string | null;
}

/** Writes `report.md` with its pictures and `report.json`. Returns true if no step failed. */
export function writeReport(folder: string, program: string, steps: readonly StepResult[]): boolean {
  mkdirSync(folder, { recursive: true });
  const system = `${process.platform} ${release()} (${arch()})`;
  const at = new Date().toISOString();
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify({ at, system, program, steps }, null, 2)}\n`);
  const sections = steps.map(({ name, status, seconds, detail, picture }) =>
    [`## ${name}: ${status}`, `${detail} (${seconds.toFixed(1)} s)`, ...(picture === null ? [] : [`![${name}](${picture})`])].join('\n\n'),
  );
  writeFileSync(
    join(folder, 'report.md'),
    `${['# Run of the desktop application', `${at}, ${system}, \`${program}\``, ...sections].join('\n\n')}\n`,
  );
  return steps.every(({ status }) => status !== 'failed');
}
