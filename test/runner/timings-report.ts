import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step of the run with the time it took and the time of each of its files. */
export interface TimedStep {
  readonly title: string;
  readonly ms: number;
  readonly files: ReadonlyMap<string, number>;
}

const FILES_SHOWN = 30;

const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(8);

/** Returns the report of `npm test -- --timings`: the time of each step of the run, of the steps that tests share, and of the slowest files. */
export function timingsReport(steps: readonly TimedStep[], folder: string): string {
  const files = steps.flatMap((step) => [...step.files]).sort(([, one], [, other]) => other - one);
  const inFiles = files.reduce((sum, [, ms]) => sum + ms, 0);
  return [
    'Seconds of each step of the run',
    ...steps.map(({ title, ms }) => `${seconds(ms)}  ${title}`),
    '',
    'Seconds of what tests share, over all processes, and how often',
    ...sharedSteps(folder).map(({ step, ms, times }) => `${seconds(ms)} ${String(times).padStart(6)} ×  ${step}`),
    '',
    `Seconds of the ${Math.min(FILES_SHOWN, files.length)} slowest of ${files.length} files; all files ${seconds(inFiles).trim()}`,
    ...files.slice(0, FILES_SHOWN).map(([file, ms]) => `${seconds(ms)}  ${file}`),
  ].join('\n');
}

/** Adds up what test/support/timings.ts recorded. */
function sharedSteps(folder: string): { step: string; ms: number; times: number }[] {
  const sums = new Map<string, { step: string; ms: number; times: number }>();
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)) {
      const { step, ms } = JSON.parse(line) as { step: string; ms: number };
      const sum = sums.get(step) ?? { step, ms: 0, times: 0 };
      sums.set(step, { step, ms: sum.ms + ms, times: sum.times + 1 });
    }
  }
  return [...sums.values()].sort((one, other) => other.ms - one.ms);
}
