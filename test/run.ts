// The whole suite by one command: every step runs, whatever the ones before it found, and the last line sums the tests up.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
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
const MESSAGE_LENGTH = 1_500;
const PLAYWRIGHT_REPORT = join(REPORTS, 'playwright.json');
const MEMORY = '/dev/shm';
const MOUNTS = '/proc/mounts';
const MEMORY_NEEDED = 6 * 2 ** 30;

interface Step {
  readonly title: string;
  /** With `quiet` what it prints is kept until it has ended. */
  readonly run: (isQuiet: boolean) => Promise<Tally>;
}

const BIOME = 'node_modules/@biomejs/biome/bin/biome';
const TSC = 'node_modules/typescript/bin/tsc';

/** What is in one line runs at once. The shell's tests wait for processes most of their time. */
const STEPS: readonly (readonly Step[])[] = [
  [
    { title: 'format and lint', run: check(BIOME, ['check', '.']) },
    { title: 'types of the service and the shell', run: check(TSC, ['-p', '.']) },
    { title: 'types of the pages', run: check(TSC, ['-p', 'renderer']) },
    { title: 'types of the tests', run: check(TSC, ['-p', 'test']) },
    { title: 'client types are those of the service', run: check('scripts/client-types.ts', ['--check']) },
  ],
  [
    { title: 'unit and API tests', run: runVitest(['unit', 'api']) },
    { title: 'shell tests', run: runVitest(['electron']) },
  ],
  [{ title: 'end-to-end tests', run: runPlaywright }],
];

rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
const total: Tally = { passed: 0, failed: 0, names: [] };
const folder = temporaryFolder();
for (const steps of STEPS) await Promise.all(steps.map((step, index) => carryOut(step, index > 0)));
if (folder) rmSync(folder, { recursive: true, force: true });
for (const name of total.names) console.log(`\nfailed: ${name}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;

async function carryOut({ title, run }: Step, isQuiet: boolean): Promise<void> {
  if (!isQuiet) console.log(`\n=== ${title}`);
  const started = performance.now();
  const { passed, failed, names } = await run(isQuiet);
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) total.names.push(...(names.length > 0 ? names : [title]));
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`=== ${title}: ${failed === 0 ? 'in order' : 'FAILED'} (${seconds} s)`);
}

/** Where the tests keep their databases: in memory, where a machine has plenty, since they end with the run. Answers what is to be removed afterwards. */
function temporaryFolder(): string | undefined {
  if (!existsSync(MEMORY) || !mayRunThere()) return undefined;
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < MEMORY_NEEDED) return undefined;
  process.env.TMPDIR = mkdtempSync(join(MEMORY, 'paydesk-'));
  // PostgreSQL runs as a user of its own where we are root.
  chmodSync(process.env.TMPDIR, 0o755);
  return process.env.TMPDIR;
}

/** Tests make small programs of their own, which containers often do not run there. */
function mayRunThere(): boolean {
  const mounts = existsSync(MOUNTS) ? readFileSync(MOUNTS, 'utf8').split('\n') : [];
  const options = mounts.map((line) => line.split(' ')).findLast(([, at]) => at === MEMORY)?.[3];
  return options !== undefined && !options.split(',').includes('noexec');
}

function runVitest(projects: readonly string[]): Step['run'] {
  return async (isQuiet) => {
    const file = join(REPORTS, `vitest-${projects.join('-')}.json`);
    const code = await runNode(
      'node_modules/vitest/vitest.mjs',
      ['run', ...projects.flatMap((name) => ['--project', name]), '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      { isQuiet },
    );
    const report = readReport<VitestReport>(file);
    // A file that cannot be loaded, or whose hooks fail, may have no test in it that failed.
    const broken =
      report?.testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
      ) ?? [];
    const names = (report?.testResults ?? []).flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(
          ({ fullName, failureMessages }) =>
            `${relative(ROOT, name)} › ${fullName}\n${failureMessages.join('\n').slice(0, MESSAGE_LENGTH)}`,
        ),
    );
    names.push(...broken.map(({ name }) => `${relative(ROOT, name)} could not be loaded or set up`));
    const passed = report?.numPassedTests ?? 0;
    // The exit hook of the embedded PostgreSQL may make it 0 whatever came before.
    return tally(passed === 0 ? 1 : code, passed, (report?.numFailedTests ?? 0) + broken.length, names);
  };
}

async function runPlaywright(isQuiet: boolean): Promise<Tally> {
  try {
    await buildPagesWhenStale();
  } catch (error) {
    console.error(error);
    return { passed: 0, failed: 1, names: ['the pages could not be built'] };
  }
  const code = await runNode('node_modules/@playwright/test/cli.js', ['test'], {
    isQuiet,
    env: { PAYDESK_TEST_REPORT: PLAYWRIGHT_REPORT },
  });
  const report = readReport<PlaywrightReport>(PLAYWRIGHT_REPORT);
  const stats = report?.stats;
  return tally(code, stats?.expected ?? 0, (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), (report?.suites ?? []).flatMap(failedSpecs));
}

function failedSpecs({ file, specs, suites = [] }: PlaywrightSuite): string[] {
  return [...specs.filter(({ ok }) => !ok).map(({ title }) => `${file} › ${title}`), ...suites.flatMap(failedSpecs)];
}

function check(program: string, args: readonly string[]): Step['run'] {
  return async (isQuiet) => tally(await runNode(program, args, { isQuiet }), 0, 0, []);
}

/** A step that ends badly without a failed test (a crash, an unhandled error) still counts as one failure. */
function tally(code: number, passed: number, failed: number, names: string[]): Tally {
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, names };
}

/** Runs a program of the project to its end, its output on ours, and answers its exit code. */
async function runNode(
  program: string,
  args: readonly string[],
  { isQuiet, env = {} }: { isQuiet: boolean; env?: Record<string, string> },
): Promise<number> {
  const child = spawn(process.execPath, [join(ROOT, program), ...args], {
    cwd: ROOT,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: { ...process.env, ...env },
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  if (isQuiet) process.stdout.write(Buffer.concat(printed));
  return code ?? 1;
}

function readReport<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
