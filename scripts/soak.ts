// `npm run soak [-- SECONDS]` runs three servers on one PostgreSQL under mixed load, by default for 20 minutes. For half of the time it kills one of the
// servers every second. For the other half it kills or freezes the primary of two PostgreSQL servers, and the standby replaces it. Then it compares all
// records: nothing may be lost, and nothing may be charged twice.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const SECONDS = 1_200;
const SECONDS_MAX = 86_400;
const ROOT = join(import.meta.dirname, '..');
const REPORT = join(ROOT, 'test-results/reports/soak.json');
const TESTS = ['test/api/workstations/killed.test.ts', 'test/api/workstations/failover.test.ts'];

const seconds = Number(process.argv[2] ?? process.env.PAYDESK_SOAK_SECONDS ?? SECONDS);
if (!Number.isInteger(seconds) || seconds < 1 || seconds > SECONDS_MAX) {
  console.error(`Usage: npm run soak [-- SECONDS], a whole number from 1 to ${SECONDS_MAX}; ${SECONDS} by default.`);
  process.exit(2);
}
rmSync(REPORT, { force: true });
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'api', '--no-file-parallelism', ...reporters];
const child = spawn(process.execPath, [...vitest, ...TESTS], {
  cwd: ROOT,
  stdio: 'inherit',
  env: { ...process.env, PAYDESK_SOAK_SECONDS: String(seconds / TESTS.length) },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code === 0 && isPassed() ? 0 : 1;
});

/**
 * Reads the report: the exit code of Vitest is replaced by that of the embedded PostgreSQL's exit hook, which is 0 even after a failed
 * test.
 */
function isPassed(): boolean {
  if (!existsSync(REPORT)) return false;
  const { numPassedTests, success } = JSON.parse(readFileSync(REPORT, 'utf8')) as { numPassedTests: number; success: boolean };
  return success && numPassedTests > 0;
}
