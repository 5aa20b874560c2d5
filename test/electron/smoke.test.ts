// @module-tag full
import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../../scripts/bundle.ts';
import { MAIN, REGISTER } from './shell.ts';
import type { StepResult } from './smoke/report.ts';
import { smokeTest } from './smoke/smoke.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paydesk-smoke-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('uses the application from the first run to quitting with a payment in flight, and writes a report with pictures', {
  timeout: 240_000,
}, async () => {
  const report = join(folder, 'report');
  const [feed, publicKey] = [join(folder, 'app-update.yml'), join(folder, 'update-public-key.pem')];
  const passed = await smokeTest(
    {
      program: process.execPath,
      args: ['--import', REGISTER, MAIN],
      env: { PAYDESK_UPDATE_CONFIG: feed, PAYDESK_UPDATE_PUBLIC_KEY: publicKey },
      updates: { feed, publicKey, needsHttps: false },
    },
    report,
  );
  const { steps } = JSON.parse(await readFile(join(report, 'report.json'), 'utf8')) as { steps: StepResult[] };
  expect(steps.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(passed).toBe(true);
  expect(steps.map(({ name }) => name)).toEqual([
    'Start',
    'First run',
    'Sale',
    'Print to a file',
    'Lock and unlock',
    'Deep link',
    'Update',
    'Quit with a payment in flight',
    'Response of the payment',
  ]);
  for (const { picture } of steps.slice(0, 6)) expect((await stat(join(report, picture ?? 'none'))).size).toBeGreaterThan(5_000);
  expect(await readFile(join(report, 'receipt.txt'), 'utf8')).toContain('10.00');
  expect(await readFile(join(report, 'report.md'), 'utf8')).toContain('## Sale: passed');
});

test('says which application is missing', () => {
  const run = spawnSync(process.execPath, [join(ROOT, 'test/electron/smoke/run.ts'), '--app', folder], { encoding: 'utf8' });
  expect([run.status, run.stderr]).toEqual([
    2,
    expect.stringContaining('contains no packaged application for this system. Package it with `npm run package`'),
  ]);
});
