import { spawnSync } from 'node:child_process';

/**
 * Returns why a test with these programs cannot run, for its title; undefined if it can. Programs other than Node have the real date, so with
 * PAYDESK_TEST_DATE their signatures and keys are of another time than those of the test.
 */
export function whyNotRun(...programs: readonly string[]): string | undefined {
  const isPresent = programs.every((program) => spawnSync(program, ['--version']).status === 0);
  if (!isPresent) return `there is no ${programs.join(' and ')}`;
  const isOther = programs.some((program) => program !== process.execPath);
  return isOther && process.env.PAYDESK_TEST_DATE !== undefined ? 'other programs have the real date' : undefined;
}
