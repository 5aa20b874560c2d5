import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { toServiceError } from '#server/http';
import { serverItem } from '../../../core/operation/status/installation.ts';
import { openFiles } from '../../../core/operation/status/open-files.ts';

const SERVER = { version: '1.2.3', dataDir: '/data', address: () => null };

async function processWith(open: number, limit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-process-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'fd'));
  await Promise.all(Array.from({ length: open }, (_, n) => writeFile(join(folder, 'fd', String(n)), '')));
  const limits = `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${limit}                ${limit}                 files\n`;
  await writeFile(join(folder, 'limits'), limits);
  return folder;
}

test('reports a server that has opened nearly all the files and connections that it may', async () => {
  expect(await serverItem(SERVER, 'live', openFiles(await processWith(40, '64')))).toMatchObject({ state: 'ok' });
  const item = await serverItem(SERVER, 'live', openFiles(await processWith(60, '64')));
  expect(item).toMatchObject({ state: 'problem', message: expect.stringContaining('60 of at most 64 files and connections') });
  expect(item.facts).toContainEqual({ name: 'Open files', value: '60 of at most 64', at: null });
});

test('reports nothing about open files where the system does not show them or sets no limit', async () => {
  expect(await openFiles('/no/such/process')).toBeNull();
  expect(await openFiles(await processWith(3, 'unlimited'))).toBeNull();
});

test('answers 503 while the process has too many open files', () => {
  const fault = Object.assign(new Error('EMFILE: too many open files, open'), { code: 'EMFILE' });
  for (const thrown of [fault, new TypeError('fetch failed', { cause: fault })])
    expect(toServiceError(thrown)).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' });
});
