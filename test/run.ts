// The whole suite by one command: every step runs, whatever the ones before it found, and the last line sums the tests up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buildPagesWhenStale, ROOT } from '../scripts/build-when-stale.ts';

/** What a step found. A step without tests of its own counts as one failed test when it fails. */
interface Tally {
  passed: number;
  failed: number;
  /** What failed, as the last lines name it again: a long log is read from its end. */
  names: string[];
}

/** The parts we read of the reports that Vitest and Playwright write. */
interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  testResults: { name: string; status: string; assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[];
}
interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number };
  suites: PlaywrightSuite[];
}
interface PlaywrightSuite {
  file: string;
  specs: { ok: boolean; title: string }[];
  suites?: PlaywrightSuite[];
}

const REPORTS = join(ROOT, 'test-results/reports');
const VITEST_REPORT = join(REPORTS, 'vitest.json');
const MESSAGE_LENGTH = 1_500;
const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json');

const STEPS: { title: string; run: () => Promise<Tally> }[] = [
  { title: 'format and lint', run: () => check('node_modules/@biomejs/biome/bin/biome', ['check', '.']) },
  { title: 'types of the service and the shell', run: () => check('node_modules/typescript/bin/tsc', ['-p', '.']) },
  { title: 'types of the pages', run: () => check('node_modules/typescript/bin/tsc', ['-p', 'renderer']) },
  { title: 'types of the tests', run: () => check('node_modules/typescript/bin/tsc', ['-p', 'test']) },
  { title: 'client types are those of the service', run: () => check('scripts/client-types.ts', ['--check']) },
  { title: 'unit, API and shell tests', run: runVitest },
  { title: 'end-to-end tests', run: runPlaywright },
];

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const total: Tally = { passed: 0, failed: 0, names: [] };
for (const { title, run } of STEPS) {
  console.log(`\n=== ${title}`);
  const started = performance.now();
  const { passed, failed, names } = await run();
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) total.names.push(...(names.length > 0 ? names : [title]));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`=== ${title}: ${failed === 0 ? 'in order' : 'FAILED'} (${seconds} s)`);
}
for (const name of total.names) console.log(`\nfailed: ${name}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function runVitest(): Promise<Tally> {
  const code = await runNode('node_modules/vitest/vitest.mjs', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${VITEST_REPORT}`,
  ]);
  const report = readReport<VitestReport>(VITEST_REPORT);
  // A file that cannot be loaded, or whose hooks fail, may have no test in it that failed.
  const broken =
    report?.testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    ) ?? [];
  const names = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(
        ({ fullName, failureMessages }) => `${relative(ROOT, name)} › ${fullName}\n${failureMessages.join('\n').slice(0, MESSAGE_LENGTH)}`,
      ),
  );
  names.push(...broken.map(({ name }) => `${relative(ROOT, name)} could not be loaded or set up`));
  return tally(code, report?.numPassedTests ?? 0, (report?.numFailedTests ?? 0) + broken.length, names);
}

async function runPlaywright(): Promise<Tally> {
  try {
    await buildPagesWhenStale();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1, names: ['the pages could not be built'] };
  }
  const code = await runNode('node_modules/@playwright/test/cli.js', ['test'], { PAYDESK_TEST_REPORT: PLAYWRIGHT_REPORT });
  const report = readReport<PlaywrightReport>(PLAYWRIGHT_REPORT);
  const stats = report?.stats;
  return tally(code, stats?.expected ?? 0, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), (report?.suites ?? []).flatMap(failedSpecs));
}

function failedSpecs({ file, specs, suites = [] }: PlaywrightSuite): string[] {
  return [...specs.filter(({ ok }) => !ok).map(({ title }) => `${file} › ${title}`), ...suites.flatMap(failedSpecs)];
}

async function check(program: string, args: string[]): Promise<Tally> {
  return tally(await runNode(program, args), 0, 0, []);
}

/** A step that ends badly without a failed test (a crash, an unhandled error) still counts as one failure. */
function tally(code: number, passed: number, failed: number, names: string[]): Tally {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, names };
}

/** Runs a program of the project to its end, its output on ours, and answers its exit code. */
async function runNode(program: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, program), ...args], { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...env } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

function readReport<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
