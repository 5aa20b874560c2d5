import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BACKED_UP } from '#core';
import { filesIn, runTask, type Task } from '#core/records/backup';
import type { SampleData } from '../../support/sample-data.ts';
import { type ApiFixture, apiOf, expectData, expectError, FULL, startTestServer } from '../../support/server.ts';
import { sized } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

const ELSEWHERE = 'till-2';

interface BackupRecord {
  backupId: string;
  status: string;
  station: string;
  folder: string;
  name: string;
  check: { status: string; message: string | null };
}

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-stations-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

let fixture: ApiFixture;
let dataDir: string;
beforeAll(async () => {
  const started = await startTestServer('sqlite', {}, sized<SampleData>('small', 'full'));
  undo.push(started.stop);
  dataDir = started.dataDir;
  const { baseUrl, credentials } = started.server;
  if (!credentials) throw new Error('a demo server tells its credentials');
  fixture = { database: 'sqlite', baseUrl, credentials, api: apiOf(baseUrl, credentials) };
});

const list = () => expectData(fixture.api.admin.get<BackupRecord[]>('/system/backups'));
const one = async (backupId: string) => (await list()).find((backup) => backup.backupId === backupId);

/** Waits until a backup is verified. */
const checked = (backupId: string): Promise<BackupRecord> =>
  until('the check finds the backup good', async () => {
    const backup = await one(backupId);
    return backup?.check.status === 'good' && backup;
  });

async function backedUp(): Promise<BackupRecord> {
  const { backupId } = await expectData(fixture.api.admin.post<BackupRecord>('/system/backup'));
  return checked(backupId);
}

/** Data that another workstation writes to the shared database. */
function written(sql: string, ...values: (string | number)[]): void {
  const handle = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'), { timeout: 5_000 });
  handle.prepare(sql).run(...values);
  handle.close();
}

test('neither checks nor removes a backup that lies on another workstation, which checks it itself', FULL, async () => {
  const { admin } = fixture.api;
  await expectData(admin.put('/system/backup', { folder: folder(), keep: 1 }));
  const theirs = await backedUp();
  expect(theirs.station).toBe(hostname());
  written('UPDATE backups SET station = ? WHERE id = ?', ELSEWHERE, theirs.backupId);
  const onTheirDisk = join(folder(), 'theirs');
  renameSync(join(theirs.folder, theirs.name), onTheirDisk);
  await expectError(admin.post('/system/backup/check', { backupId: theirs.backupId }), 409, 'RESOURCE_CONFLICT');
  // Requested there, and found due here as well.
  written("UPDATE backups SET check_status = 'waiting', due_ms = ? WHERE id = ?", Date.now(), theirs.backupId);
  const first = await backedUp();
  expect(await one(theirs.backupId)).toMatchObject({ status: 'made', station: ELSEWHERE, check: { status: 'waiting', message: null } });
  written("UPDATE backups SET check_status = 'good', due_ms = NULL WHERE id = ?", theirs.backupId);
  const second = await backedUp();
  const left = (await list()).filter(({ status }) => status === 'made').map(({ backupId }) => backupId);
  expect(left.toSorted()).toEqual([theirs.backupId, second.backupId].toSorted());
  expect(existsSync(join(first.folder, first.name))).toBe(false);

  // In a folder that the computers share, any of them checks the backup; only the same one may remove it.
  renameSync(onTheirDisk, join(theirs.folder, theirs.name));
  await expectData(admin.post('/system/backup/check', { backupId: theirs.backupId }));
  await checked(theirs.backupId);
  expect(readdirSync(theirs.folder).toSorted()).toEqual([theirs.name, second.name].toSorted());
});

test('leaves a backup unchanged that another process is writing, or has just written, under the same name', async () => {
  const place = folder();
  const to = join(folder(), 'paydesk-20260101T000000Z.paydesk-backup');
  const task: Extract<Task, { kind: 'make' }> = {
    kind: 'make',
    from: { files: filesIn(place) },
    tables: BACKED_UP,
    masterKey: Buffer.alloc(32, 7),
    to,
    createdAt: '2026-01-01T00:00:00.000Z',
    version: '0',
  };
  for (const part of ['service', 'sandbox'] as const) {
    const source = new BetterSqlite3(filesIn(dataDir)[part], { readonly: true });
    source.prepare('VACUUM INTO ?').run(filesIn(place)[part]);
    source.close();
  }
  // For a database without a record of its key, any key is accepted.
  const copy = new BetterSqlite3(filesIn(place).service);
  copy.exec('DROP TABLE master_keys');
  copy.close();
  const make = () => runTask(task, { service: [], sandbox: [] });
  writeFileSync(`${to}.partial`, 'of another');
  await expect(make()).rejects.toThrow(/Another backup is being written/);
  expect(existsSync(`${to}.partial`)).toBe(true);
  renameSync(`${to}.partial`, to);
  await expect(make()).rejects.toThrow(/Another backup is being written/);
  expect(readdirSync(join(to, '..'))).toEqual(['paydesk-20260101T000000Z.paydesk-backup']);
  rmSync(to);
  expect(await make()).toMatchObject({ bytes: expect.any(Number) });
});

test('allows two parallel exports per account, refuses a third, and allows another one after a download', async () => {
  const { api, baseUrl, credentials } = fixture;
  const { adminEmail: email, adminPassword: password, tenantId } = credentials;
  const tenant = { 'X-Tenant-ID': tenantId };
  const { token } = await expectData(api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, tenant));
  const exported = async () => {
    const response = await fetch(`${baseUrl}/api/v1/system/export`, {
      method: 'POST',
      headers: { ...tenant, Authorization: `Bearer ${token}` },
    });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses = await Promise.all(Array.from({ length: 6 }, exported));
  expect(new Set(statuses)).toEqual(new Set([200, 409]));
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
  await expect.poll(() => readdirSync(dataDir).filter((name) => name.startsWith('export-'))).toEqual([]);
  expect(await exported()).toBe(200);
});
