import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CARDS, cardBody } from '../../support/sales.ts';
import { copySampleData } from '../../support/sample-data.ts';
import { type Api, apiOf, expectData, expectError } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';

/** A small file system needs root, on Linux. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

const undo: (() => unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** A file system in memory whose size can be changed. */
function disk(size: string) {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-disk-'));
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]).status).toBe(0);
  undo.push(() => {
    spawnSync('umount', ['-l', path]);
    rmSync(path, { recursive: true, force: true });
  });
  return {
    path,
    resize: (to: string) => expect(spawnSync('mount', ['-o', `remount,size=${to}`, path]).status).toBe(0),
    usedBytes() {
      const { blocks, bfree, bsize } = statfsSync(path);
      return (blocks - bfree) * bsize;
    },
  };
}

interface Item {
  readonly name: string;
  readonly state: string;
  readonly message: string;
}

interface Health {
  readonly status: string;
  readonly disk: { readonly status: string };
  readonly problems: readonly string[];
}

async function diskItem({ admin }: Api): Promise<Item | undefined> {
  const { items } = await expectData(admin.get<{ items: Item[] }>('/system/status'));
  return items.find(({ name }) => name === 'disk');
}

async function seededServer(dataDir: string) {
  const server = await startServer({ dataDir, port: 0, demo: true, logLevel: 'silent' });
  undo.push(() => server.close());
  if (!server.credentials) throw new Error('the server has sample data');
  const health = async () => (await (await fetch(`${server.baseUrl}/health`)).json()) as Health;
  return { api: apiOf(server.baseUrl, server.credentials), health };
}

test.runIf(canMount)('reports a full disk in health and status before, during and after failing changes', async () => {
  const small = disk('4g');
  const dataDir = join(small.path, 'data');
  await copySampleData('sqlite', dataDir, 'small');
  const { api, health } = await seededServer(dataDir);
  await expectData(api.admin.post('/transactions', cardBody('5.00', CARDS.visa)));
  expect(await health()).toMatchObject({ status: 'ok', disk: { status: 'ok' }, problems: [] });
  expect(await diskItem(api)).toMatchObject({ state: 'ok' });

  small.resize('400m');
  expect(await health()).toMatchObject({
    status: 'degraded',
    disk: { status: 'low' },
    problems: [expect.stringMatching(/^Only .* are free/)],
  });
  expect(await diskItem(api)).toMatchObject({ state: 'problem', message: expect.stringContaining('before payments fail') });
  await expectData(api.admin.post('/transactions', cardBody('6.00', CARDS.visa)));

  small.resize(`${Math.ceil(small.usedBytes() / 1_024)}k`);
  const refused = await until('a change fails', async () => {
    const answer = await api.admin.post('/transactions', cardBody('7.00', CARDS.visa));
    return answer.status === 200 ? undefined : answer;
  });
  await expectError(Promise.resolve(refused), 500, 'DATABASE_ERROR');
  expect(await health()).toMatchObject({
    status: 'degraded',
    disk: { status: 'full' },
    problems: [expect.stringMatching(/^The disk is full/)],
  });
  expect(await diskItem(api)).toMatchObject({ state: 'problem', message: expect.stringMatching(/^The disk is full/) });

  small.resize('4g');
  expect(await health()).toMatchObject({ status: 'ok', disk: { status: 'ok' }, problems: [] });
  expect(await diskItem(api)).toMatchObject({ state: 'ok' });
  await until('a change succeeds', async () => (await api.admin.post('/transactions', cardBody('8.00', CARDS.visa))).status === 200);
});

test.runIf(canMount)('refuses a backup folder whose disk is full or too small, and names the folder', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-disk-data-'));
  undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
  await copySampleData('sqlite', dataDir, 'small');
  const { api } = await seededServer(dataDir);
  const { path, resize } = disk('64k');
  const put = () => expectError(api.admin.put('/system/backup', { folder: path }), 400, 'VALIDATION_ERROR', 'folder');
  expect((await put()).message).toMatch(
    new RegExp(`^The backup folder ${path} cannot be used: it may need \\d+ MB, but only 1 MB are free on the disk\\.$`),
  );
  const filler = openSync(join(path, 'filler'), 'w');
  expect(() => {
    for (;;) writeSync(filler, Buffer.alloc(4_096));
  }).toThrow(/ENOSPC/);
  closeSync(filler);
  expect((await put()).message).toBe(`The backup folder ${path} cannot be used: its disk is full.`);
  expect(readdirSync(path)).toEqual(['filler']);
  resize('64m');
  await expectData(api.admin.put('/system/backup', { folder: path }));
});
