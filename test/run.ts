// The suite in one command. Every step runs, even if earlier steps failed; the last line sums the tests up.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildDesktopWhenStale, buildPagesWhenStale, buildServiceWhenStale } from '../scripts/build-when-stale.ts';
import { ROOT } from '../scripts/bundle.ts';
import { writeClientsWhenStale } from '../scripts/client-types.ts';
import { recordRun } from '../scripts/recorded-runs.ts';
import { HELP_TEXT, readOptions } from './runner/options.ts';
import { startAtDate } from './runner/other-date.ts';
import { type Tally, tallyOfCheck, tallyOfPlaywright, tallyOfVitest } from './runner/reports.ts';
import { keepTemporaryFilesInMemory } from './runner/temporary-folder.ts';
import { type TimedStep, timingsReport } from './runner/timings-report.ts';
import { FULL_TAG } from './support/tier.ts';

interface Step {
  readonly title: string;
  /** Runs the step. With `isQuiet` its output is kept until it has ended, because another step prints meanwhile. */
  readonly run: (isQuiet: boolean) => Promise<Tally>;
}

const REPORTS = join(ROOT, 'test-results/reports');
const TIMINGS = join(ROOT, 'test-results/timings');
/** Lets the compiler, a program in Go, collect garbage when its memory has tripled instead of doubled. Larger values need twice the memory. */
const RARE_COLLECTION = { GOGC: '200' };
/** Everyday runs repeat each other exactly. */
const EVERY_DAY_SEED = '1';

const flags = optionsOrExit();
const tier = flags.siege ? 'siege' : flags.full ? 'full' : undefined;
const seed = flags.seed ?? (flags.siege ? String(randomInt(2 ** 31)) : EVERY_DAY_SEED);

const STAGES: readonly (readonly Step[])[] = [
  [
    { title: 'format and lint', run: check('node_modules/@biomejs/biome/bin/biome', ['check', '.']) },
    { title: 'language', run: check('scripts/check-language.ts', []) },
    { title: 'build of pages, service and application', run: build },
  ],
  // The application's tests wait for processes most of their time.
  [
    { title: 'unit, integration and API tests', run: vitest(['unit', 'integration', 'api']) },
    { title: 'tests of the desktop application', run: vitest(['electron']) },
    // No test needs them. Each checker of the compiler checks the shared types again, so that more than one needs more processor time.
    { title: 'types', run: check('node_modules/typescript/bin/tsc', ['-b', '--checkers', '1'], RARE_COLLECTION) },
  ],
  [{ title: 'browser tests', run: playwright }],
];

for (const folder of [REPORTS, TIMINGS]) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
}
process.env.PAYDESK_TEST_SEED = seed;
chooseParts();
if (tier !== undefined) process.env.PAYDESK_TEST_TIER = tier;
if (flags.timings) process.env.PAYDESK_TEST_TIMINGS = TIMINGS;
if (flags['slow-answers'])
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${pathToFileURL(join(ROOT, 'test/runner/slow-answers.ts'))}`;
console.log(`Seed ${seed}${tier === undefined ? '' : `, ${tier} tier`}; \`npm test -- --seed ${seed}\` repeats it.`);

if (flags.date !== undefined) startAtDate(flags.date);
keepTemporaryFilesInMemory();
const results: (Tally & TimedStep)[] = [];
for (const steps of STAGES) results.push(...(await Promise.all(steps.map((step, index) => carryOut(step, index > 0)))));
summarize();

/** Returns the options of the command. Ends it after the help, and after an error in the options. */
function optionsOrExit(): ReturnType<typeof readOptions> {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!options.help) return options;
    console.log(HELP_TEXT);
    process.exit();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nnpm test -- --help lists the options.`);
    process.exit(2);
  }
}

/** Chooses the parts of this computer that tests use: those that were asked for, and in the everyday tier no other one. */
function chooseParts(): void {
  if (flags.browsers !== undefined || tier === undefined) process.env.PAYDESK_TEST_BROWSERS = flags.browsers ?? '';
  if (flags.postgres !== undefined) process.env.PAYDESK_TEST_POSTGRES_URL = flags.postgres;
  else if (tier === undefined) delete process.env.PAYDESK_TEST_POSTGRES_URL;
  if (tier === undefined) delete process.env.PAYDESK_TEST_CHROMIUM;
}

async function carryOut({ title, run }: Step, isQuiet: boolean): Promise<Tally & TimedStep> {
  if (!isQuiet) console.log(`\n=== ${title}`);
  const started = performance.now();
  const tally = await run(isQuiet);
  const ms = performance.now() - started;
  console.log(`=== ${title}: ${tally.failed === 0 ? 'passed' : 'FAILED'} (${(ms / 1_000).toFixed(1)} s)`);
  return { ...tally, title, ms };
}

/** Prints timings, skipped tests, failures and the sum, so that a long log can be read from its end. */
function summarize(): void {
  if (flags.timings) console.log(`\n${timingsReport(results, TIMINGS)}`);
  const skipped = results.flatMap((result) => result.skipped);
  if (skipped.length > 0) console.log(`\nNot run for lack of a part (${skipped.length} tests): ${groups(skipped).join('; ')}`);
  for (const { title, failed, failures } of results)
    for (const name of failed > 0 && failures.length === 0 ? [title] : failures) console.log(`\nfailed: ${name}`);
  const sum = (count: (tally: Tally) => number) => results.reduce((total, tally) => total + count(tally), 0);
  const failed = sum((tally) => tally.failed);
  console.log(`\n${sum(({ passed }) => passed)} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
  if (tier !== undefined && failed === 0) recordRun(ROOT, tier);
}

/** Names each file with skipped tests once, with the reason in its title if there is one. */
function groups(skipped: readonly string[]): string[] {
  const reason = /\(not run: ([^)]*)\)/;
  return [...new Set(skipped.map((name) => `${name.split(' › ')[0]} (${reason.exec(name)?.[1] ?? name.split(' › ')[1]})`))];
}

function check(program: string, args: readonly string[], env: Record<string, string> = {}): Step['run'] {
  return async (isQuiet) => tallyOfCheck(await runNode(program, args, isQuiet, env));
}

/** Builds once what the tests start, so that no test waits for it. */
async function build(): Promise<Tally> {
  try {
    await writeClientsWhenStale();
    await buildPagesWhenStale();
    await buildServiceWhenStale();
    await buildDesktopWhenStale();
    return tallyOfCheck(0);
  } catch (error) {
    console.error(error);
    return tallyOfCheck(1);
  }
}

function vitest(projects: readonly string[]): Step['run'] {
  const file = join(REPORTS, `vitest-${projects.join('-')}.json`);
  const named = projects.flatMap((name) => ['--project', name]);
  const filter = tier === undefined ? [`--tags-filter=!${FULL_TAG}`] : [];
  const args = ['run', ...named, ...filter, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  return async (isQuiet) => tallyOfVitest(await runNode('node_modules/vitest/vitest.mjs', args, isQuiet), file);
}

async function playwright(isQuiet: boolean): Promise<Tally> {
  const file = join(REPORTS, 'playwright.json');
  const filter = tier === undefined ? [`--grep-invert=@${FULL_TAG}\\b`] : [];
  return tallyOfPlaywright(
    await runNode('node_modules/@playwright/test/cli.js', ['test', ...filter], isQuiet, { PAYDESK_TEST_REPORT: file }),
    file,
  );
}

/** Runs a program of the project to its end and returns its exit code. */
async function runNode(program: string, args: readonly string[], isQuiet: boolean, env: Record<string, string> = {}): Promise<number> {
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
