import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

/** A step that many tests share, as the report of `npm test -- --timings` names it. */
type SharedStep =
  | 'PostgreSQL: start'
  | 'sample data: generation'
  | 'sample data: copy'
  | 'server: start in the test process'
  | 'server: start as a process'
  | 'server: start for a file'
  | 'server: stop'
  | 'sign-in'
  | 'browser: start page'
  | 'browser: reset'
  | 'wait for a condition';

const folder = process.env.PAYDESK_TEST_TIMINGS;

/** Runs a step and, when timings are asked for, records how long it took. */
export async function timed<Result>(step: SharedStep, run: () => Promise<Result>): Promise<Result> {
  if (folder === undefined) return run();
  const started = performance.now();
  try {
    return await run();
  } finally {
    // Written at once: a test process may be ended without notice.
    appendFileSync(join(folder, `${process.pid}.jsonl`), `${JSON.stringify({ step, ms: performance.now() - started })}\n`);
  }
}
