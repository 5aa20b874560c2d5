import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../../scripts/bundle.ts';
import { FULL_TAG } from '../support/tier.ts';

/** The result of a step. A step without tests of its own counts as one failed test if it fails. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Each failed test with the beginning of its message; repeated at the end of the run. */
  readonly failures: readonly string[];
  /** Each test that did not run, with the group that states the reason. */
  readonly skipped: readonly string[];
  /** Duration of each file of tests, in milliseconds. */
  readonly files: ReadonlyMap<string, number>;
}

/** The parts of Vitest's JSON report that are read here. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
      readonly tags: readonly string[];
    }[];
  }[];
}

/** The parts of Playwright's JSON report that are read here. */
interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number };
  readonly suites: readonly PlaywrightSuite[];
}
interface PlaywrightSuite {
  /** Title of a group; of the outermost ones, the path of their file. */
  readonly title: string;
  readonly file: string;
  readonly specs: readonly {
    readonly ok: boolean;
    readonly title: string;
    readonly tests: readonly { readonly status: string; readonly results: readonly { readonly duration: number }[] }[];
  }[];
  readonly suites?: readonly PlaywrightSuite[];
}

const MESSAGE_LENGTH = 1_500;

const emptyTally = (code: number): Tally => ({ passed: 0, failed: code === 0 ? 0 : 1, failures: [], skipped: [], files: new Map() });

/** Returns the result of a step that has no tests of its own. */
export const tallyOfCheck = emptyTally;

/** Returns the result of a Vitest run from its exit code and its JSON report; a run without a report failed. */
export function tallyOfVitest(code: number, path: string): Tally {
  const report = readReport<VitestReport>(path);
  if (report === undefined) return emptyTally(1);
  const tests = report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map((result) => ({ ...result, file: relative(ROOT, name) })),
  );
  const failed = tests.filter(({ status }) => status === 'failed');
  // If a file cannot be loaded or its hooks fail, none of its tests has failed.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failures = [
    ...failed.map(({ file, fullName, failureMessages }) => `${file} › ${fullName}\n${failureMessages.join('\n').slice(0, MESSAGE_LENGTH)}`),
    ...broken.map(({ name }) => `${relative(ROOT, name)} could not be loaded or set up`),
  ];
  const passed = report.numPassedTests;
  // The exit hook of the embedded PostgreSQL can turn the exit code of a failed run into 0.
  const isBad = failures.length === 0 && (code !== 0 || passed === 0);
  return {
    passed,
    failed: isBad ? 1 : failures.length,
    failures: isBad ? [`Vitest ended with exit code ${code} although no test failed`] : failures,
    skipped: tests
      .filter(({ status, tags }) => status !== 'failed' && status !== 'passed' && !tags.includes(FULL_TAG))
      .map(({ file, fullName }) => `${file} › ${fullName}`),
    files: new Map(report.testResults.map(({ name, startTime, endTime }) => [relative(ROOT, name), endTime - startTime])),
  };
}

/** Returns the result of a Playwright run from its exit code and its JSON report. A test that passed only when it was repeated counts as failed. */
export function tallyOfPlaywright(code: number, path: string): Tally {
  const report = readReport<PlaywrightReport>(path);
  if (report === undefined) return emptyTally(1);
  const specs = report.suites.flatMap((suite) => specsOf(suite));
  const failures = specs.filter(({ ok }) => !ok).map(({ file, title }) => `${file} › ${title}`);
  const { expected, unexpected, flaky } = report.stats;
  const failed = unexpected + flaky;
  const isBad = failed === 0 && (code !== 0 || expected === 0);
  const files = new Map<string, number>();
  for (const { file, tests } of specs) {
    const ms = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
    files.set(file, (files.get(file) ?? 0) + ms);
  }
  return {
    passed: expected,
    failed: isBad ? 1 : failed,
    failures: isBad ? [`Playwright ended with exit code ${code} although no test failed`] : failures,
    skipped: specs.filter(({ tests }) => tests.every(({ status }) => status === 'skipped')).map(({ file, title }) => `${file} › ${title}`),
    files,
  };
}

type Spec = PlaywrightSuite['specs'][number] & { readonly file: string };

/** Returns the tests of a suite, with the titles of their groups before their own. */
function specsOf({ file, specs, suites = [] }: PlaywrightSuite): Spec[] {
  const inGroups = suites.flatMap((group) => specsOf(group).map((spec) => ({ ...spec, title: `${group.title} › ${spec.title}` })));
  return [...specs.map((spec) => ({ ...spec, file: join('test/e2e', file) })), ...inGroups];
}

function readReport<Report>(path: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Report;
  } catch {
    return undefined;
  }
}
