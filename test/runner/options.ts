import { parseArgs } from 'node:util';
import { BROWSER_NAMES } from '../support/browser-choice.ts';

const OPTIONS = {
  full: { type: 'boolean', default: false },
  siege: { type: 'boolean', default: false },
  timings: { type: 'boolean', default: false },
  'slow-answers': { type: 'boolean', default: false },
  date: { type: 'string' },
  seed: { type: 'string' },
  browsers: { type: 'string' },
  postgres: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

const HELP: Readonly<Record<keyof typeof OPTIONS, readonly [usage: string, explanation: string]>> = {
  full: ['--full', 'all tests, on both databases (npm run test:full)'],
  siege: ['--siege', 'the full tier with larger sizes and more kills (npm run test:siege)'],
  timings: ['--timings', 'prints where the time went'],
  'slow-answers': ['--slow-answers', 'delays the answers of the API by up to 0.7 s'],
  date: ['--date TIME', 'starts the clocks of all programs at a time in ISO 8601'],
  seed: ['--seed N', 'seed of everything random in tests'],
  browsers: ['--browsers LIST', `also tests in browsers of this computer: ${BROWSER_NAMES.join(',')}`],
  postgres: ['--postgres URL', 'tests on this PostgreSQL server, as its superuser, without a database name'],
  help: ['--help, -h', 'prints this text'],
};

export const HELP_TEXT = [
  'Usage: npm test [-- OPTION...]',
  '',
  'Runs the everyday tier: format and lint, types, builds, and at least one test of each promise.',
  '',
  ...Object.values(HELP).map(([usage, explanation]) => `  ${usage.padEnd(18)}${explanation}`),
  '',
  'Single files: npx vitest run --project api PART_OF_PATH, npm run test:e2e -- test/e2e/FILE. More: test/README.md',
].join('\n');

/** Reads the options of the command. @throws Error with one sentence for people if one is unknown or has no value. */
export function readOptions(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const unknown = values.browsers?.split(',').filter((name) => !BROWSER_NAMES.some((known) => known === name)) ?? [];
  if (unknown.length > 0) throw new Error(`There is no browser ${unknown.join(', ')}. --browsers knows ${BROWSER_NAMES.join(', ')}.`);
  return values;
}
