import { afterEach, expect, test, vi } from 'vitest';
import type { ServiceError } from '#core/kernel';
import { DocumentThreads } from '../../../core/platform/received-files/document-threads.ts';
import type { Pages } from '../../../core/platform/received-files/pages.ts';
import { blankPng, endlessPdf } from '../../support/hostile-files.ts';

const picture = (side: number) => ({ name: 'pages', type: 'image/png', content: blankPng(side) }) as const;
const endless = { name: 'pages', type: 'application/pdf', content: endlessPdf() } as const;
const TIME_MS = 10_000;
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: ServiceError) => `${error.code}: ${error.message}`,
  );
const TOO_EXPENSIVE = expect.stringContaining('VALIDATION_ERROR: The file needs too much time or memory');

afterEach(() => void vi.useRealTimers());

test('ends the reading of a file that takes too much memory', async () => {
  const threads = new DocumentThreads({ memoryBytes: 60_000_000 });
  expect(await codeOf(threads.run('one', picture(4_000)))).toEqual(TOO_EXPENSIVE);
  expect((await threads.run<Pages>('one', picture(10))).pages).toBe(1);
});

test('ends the reading of a file that takes too long, then reads the next one of the account, and those of others meanwhile', async () => {
  const threads = new DocumentThreads({ timeMs: TIME_MS, threads: 2 });
  const ended: [string, string | null][] = [];
  const run = (tenantId: string, task: typeof endless | ReturnType<typeof picture>) =>
    codeOf(threads.run(tenantId, task)).then((code) => ended.push([tenantId, code]));
  // The limit of time passes once the files of others are read.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const own = [run('attacker', endless), run('attacker', picture(10))];
  await Promise.all([run('other', picture(10)), run('third', picture(10))]);
  vi.advanceTimersByTime(TIME_MS);
  await Promise.all(own);
  expect(ended).toEqual([
    ['other', null],
    ['third', null],
    ['attacker', TOO_EXPENSIVE],
    ['attacker', null],
  ]);
});

test('refuses further files of an account while too many wait', async () => {
  const threads = new DocumentThreads({ tasksOfTenant: 2 });
  const results = await Promise.all([1, 2, 3, 4, 5].map((_) => codeOf(threads.run('one', picture(10)))));
  expect(results.filter((result) => result?.startsWith('RATE_LIMIT_EXCEEDED'))).toHaveLength(2);
  expect(await codeOf(threads.run('one', picture(10)))).toBeNull();
});
