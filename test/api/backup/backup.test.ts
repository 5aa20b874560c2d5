import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TABLES } from '#core';
import { exportedColumns, NOT_EXPORTED } from '#core/records/backup';
import { backUp, restoreBackup } from '#server';
import { freshDatabase } from '../../support/postgres.ts';
import { createSale, type TransactionRecord } from '../../support/sales.ts';
import type { SampleData } from '../../support/sample-data.ts';
import {
  type ApiFixture,
  apiOf,
  DATABASES,
  type DatabaseKind,
  expectData,
  expectError,
  FULL,
  fullOnPostgres,
  startTestServer,
} from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { sized } from '../../support/tier.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';

interface BackupRecord {
  backupId: string;
  status: string;
  name: string | null;
  folder: string | null;
  transactions: number | null;
  message: string | null;
  check: { status: string; message: string | null; transactions: number | null; auditEntries: number | null; isAuditValid: boolean | null };
}

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'paydesk-backup-'));
  undo.push(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function serverOn(database: DatabaseKind) {
  const { dataDir, server, stop } = await startTestServer(database, {}, sized<SampleData>('small', 'full'));
  undo.push(stop);
  const { baseUrl, credentials } = server;
  if (!credentials) throw new Error('a demo server tells its credentials');
  const fixture: ApiFixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  return { dataDir, fixture };
}

/** Waits until the newest backup has failed or has been checked, and returns it. */
const concluded = ({ api }: ApiFixture): Promise<BackupRecord> =>
  until('the newest backup has failed or has been checked', async () => {
    const [newest] = await expectData(api.admin.get<BackupRecord[]>('/system/backups?limit=1'));
    return newest && (newest.status === 'failed' || ['good', 'bad'].includes(newest.check.status)) && newest;
  });

const pathOf = (backup: BackupRecord) => join(backup.folder ?? '', backup.name ?? '');

/** Restores into an empty installation on a kind of database, and starts a server on it. */
async function restored(kind: DatabaseKind, file: string, keyFile: string, known: ApiFixture) {
  const dataDir = folder();
  const fresh = kind === 'postgres' ? await freshDatabase() : undefined;
  if (fresh) undo.push(() => fresh.drop());
  const databaseUrl = fresh?.url;
  const findings = await restoreBackup({ dataDir, databaseUrl }, file, { file: keyFile });
  const server = await startServer({ dataDir, databaseUrl, masterKey: keyFile, port: 0, logLevel: 'silent', sandboxTimeoutMs: 40 });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close();
    return closing;
  };
  undo.push(close);
  return { dataDir, databaseUrl, findings, close, api: apiOf(server.baseUrl, known.credentials) };
}

describe.each(DATABASES)('backups (%s)', (kind) => {
  const inFull = fullOnPostgres(kind);
  let at: Awaited<ReturnType<typeof serverOn>>;
  let backup: BackupRecord;
  beforeAll(async () => {
    at = await serverOn(kind);
  });

  test('contains every sale, is rehearsed after it is made, and is recorded in the audit log', async () => {
    const { api } = at.fixture;
    const to = folder();
    await expectData(api.admin.put('/system/backup', { folder: to, keep: 2 }));
    const last = await createSale(at.fixture, '31.07');
    const begun = await expectData(api.admin.post<BackupRecord>('/system/backup'));
    expect(begun.status).toBe('waiting');
    backup = await concluded(at.fixture);
    const { pagination } = (await api.admin.get('/transactions?limit=1')).body;
    expect(backup).toMatchObject({
      backupId: begun.backupId,
      status: 'made',
      folder: to,
      message: null,
      check: { status: 'good', message: null },
    });
    expect(backup.check.transactions).toBeGreaterThanOrEqual(pagination.total);
    expect(backup.check.isAuditValid).toBe(true);
    expect(readdirSync(to)).toEqual([backup.name]);
    const bytes = readFileSync(pathOf(backup)).toString('latin1');
    for (const clear of [last.transactionId, '31.07', '"transactions"']) expect(bytes).not.toContain(clear);
    const entries = await expectData(api.admin.get<{ action: string }[]>('/audit-logs?resource=system/backup'));
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['backup.checked', 'backup.made', 'backup.asked', 'backup_schedule.updated']),
    );
  });

  for (const target of kind === 'sqlite' ? DATABASES : ([kind] as const))
    test(
      `restores a backup to ${target} with the same rows and sign-ins, and holds charges until they are resumed`,
      target === kind ? FULL : {},
      async () => {
        const { api } = at.fixture;
        const before = (await api.admin.get<TransactionRecord[]>('/transactions?limit=200')).body;
        const back = await restored(target, pathOf(backup), join(at.dataDir, 'master.key'), at.fixture);
        expect(back.findings).toMatchObject({
          isAuditValid: true,
          isLedgerRight: true,
          fault: null,
          transactions: backup.check.transactions,
        });
        const after = (await back.api.admin.get<TransactionRecord[]>('/transactions?limit=200')).body;
        expect(after.data).toEqual(before.data);
        expect(after.pagination.total).toBe(before.pagination.total);
        // A stored card can still be charged, because the backup contains its keys.
        const token = before.data.find((row) => row.status === 'approved')?.token;
        const again = await expectData(
          back.api.admin.post<TransactionRecord>('/transactions', { type: 'sale', amount: 3, paymentMethod: 'token', token }),
        );
        expect(again.status).toBe('approved');
        expect(await expectData(back.api.admin.get<{ valid: boolean }>('/audit-logs/verify'))).toMatchObject({ valid: true });
        expect(await expectData(back.api.admin.get('/system/backup'))).toMatchObject({ restored: { resumedAt: null }, isUnderWay: false });
        expect(await expectData(back.api.admin.post('/system/backup/resume'))).toMatchObject({ resumedAt: expect.any(String) });
        await expectError(back.api.admin.post('/system/backup/resume'), 409, 'RESOURCE_CONFLICT');
        const place = { dataDir: target === 'sqlite' ? back.dataDir : folder(), databaseUrl: back.databaseUrl };
        await back.close();
        await expect(restoreBackup(place, pathOf(backup), { file: join(at.dataDir, 'master.key') })).rejects.toThrow(/already/);
      },
    );

  if (kind === 'sqlite')
    test('refuses a wrong key and a damaged file with an explanation and changes nothing', FULL, async () => {
      const dataDir = folder();
      const into = { dataDir, databaseUrl: undefined };
      const wrong = join(folder(), 'key');
      writeFileSync(wrong, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
      await expect(restoreBackup(into, pathOf(backup), { file: wrong })).rejects.toThrow(/another installation/);
      const right = { file: join(at.dataDir, 'master.key') };
      const bytes = readFileSync(pathOf(backup));
      const damaged = join(folder(), 'damaged');
      for (let nth = 0; nth < 10; nth += 1) {
        const changed = Buffer.from(bytes);
        const place = Math.floor(Math.random() * bytes.length);
        changed[place] = (changed[place] as number) ^ (1 << (nth % 8));
        writeFileSync(damaged, nth % 5 === 4 ? bytes.subarray(0, place) : changed);
        await expect(restoreBackup(into, damaged, right), `byte ${place}`).rejects.toMatchObject({ name: 'BackupRefused' });
      }
      expect(readdirSync(dataDir)).toEqual([]);
      expect(await restoreBackup(into, pathOf(backup), right)).toMatchObject({ fault: null });
    });

  test('allows backup operations only for owners of the first account, and hides them from other accounts', inFull, async () => {
    const { api, credentials } = at.fixture;
    const admin = await createUser(at.fixture, 'admin', { allMerchants: true });
    expect((await api.bare.get('/api/v1/system/backup', admin.headers)).body.data).toMatchObject({ mayChange: false });
    for (const path of ['backup', 'backup/check', 'backup/resume', 'export'])
      await expectError(api.bare.post(`/api/v1/system/${path}`, {}, admin.headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.put('/api/v1/system/backup', { isOn: false }, admin.headers), 403, 'PERMISSION_DENIED');
    const { standardTenantId: tenant, standardAdminEmail: email, standardAdminPassword: password } = credentials;
    const { token } = await expectData(
      api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': tenant }),
    );
    const stranger = { 'X-Tenant-ID': tenant, Authorization: `Bearer ${token}` };
    for (const path of ['backup', 'backups'])
      await expectError(api.bare.get(`/api/v1/system/${path}`, stranger), 403, 'RESOURCE_ACCESS_DENIED');
    await expectError(api.bare.post('/api/v1/system/backup', {}, stranger), 403, 'PERMISSION_DENIED');
  });

  if (kind === 'sqlite')
    test('refuses an invalid schedule and a folder that is not writable', async () => {
      const { admin } = at.fixture.api;
      const cases = [
        [{ time: '24:00' }, 'time'],
        [{ keep: 0 }, 'keep'],
        [{ folder: '../up' }, 'folder'],
        [{ folder: '/proc/nowhere' }, 'folder'],
      ] as const;
      for (const [body, field] of cases) await expectError(admin.put('/system/backup', body), 400, 'VALIDATION_ERROR', field);
      const inSystem = await expectError(admin.put('/system/backup', { folder: '/etc/paydesk' }), 400, 'VALIDATION_ERROR', 'folder');
      expect(inSystem.message).toMatch(/^The backup folder \/etc\/paydesk cannot be used: it belongs to the operating system\./);
      const file = join(backup.folder ?? '', backup.name ?? '');
      const inFile = await expectError(admin.put('/system/backup', { folder: join(file, 'sub') }), 400, 'VALIDATION_ERROR', 'folder');
      expect(inFile.message).toBe(`The backup folder ${join(file, 'sub')} cannot be used: it, or a part of its path, is a file.`);
      const off = await expectData(admin.put<{ isOn: boolean; nextAt: string | null }>('/system/backup', { isOn: false, time: '04:15' }));
      expect(off).toMatchObject({ isOn: false, nextAt: null, time: '04:15' });
    });

  test('deletes older backups once a new one is verified, and keeps other files of the folder', FULL, async () => {
    const { admin } = at.fixture.api;
    const kept = backup.folder ?? '';
    const foreign = ['notes.txt', 'paydesk-20200101T000000Z.paydesk-backup'];
    for (const name of foreign) writeFileSync(join(kept, name), 'not ours to remove');
    for (let nth = 0; nth < 2; nth += 1) {
      await expectData(admin.post('/system/backup'));
      expect(await concluded(at.fixture)).toMatchObject({ check: { status: 'good' } });
    }
    const list = await expectData(admin.get<BackupRecord[]>('/system/backups'));
    expect(list.filter(({ status }) => status === 'made')).toHaveLength(2);
    expect(readdirSync(kept).toSorted()).toEqual([...foreign, ...list.map(({ name }) => name)].toSorted());
  });

  test('keeps an old backup that cannot be removed on the list, and the new one valid', FULL, async () => {
    const { admin } = at.fixture.api;
    const [, older] = await expectData(admin.get<BackupRecord[]>('/system/backups?limit=2'));
    if (!older) throw new Error('there are two backups');
    const bytes = readFileSync(pathOf(older));
    rmSync(pathOf(older));
    mkdirSync(pathOf(older));
    await expectData(admin.post('/system/backup'));
    expect(await concluded(at.fixture)).toMatchObject({ check: { status: 'good', message: null } });
    const listed = async () => (await expectData(admin.get<BackupRecord[]>('/system/backups'))).map(({ backupId }) => backupId);
    expect(await listed()).toContain(older.backupId);
    rmSync(pathOf(older), { recursive: true });
    writeFileSync(pathOf(older), bytes);
    await expectData(admin.post('/system/backup'));
    await concluded(at.fixture);
    expect(await listed()).not.toContain(older.backupId);
  });

  test('detects a damaged backup in the check, and explains a backup that cannot be written without leaving a file', inFull, async () => {
    const { admin } = at.fixture.api;
    const [newest] = await expectData(admin.get<BackupRecord[]>('/system/backups?limit=1'));
    if (!newest) throw new Error('there is a backup');
    const bytes = readFileSync(pathOf(newest));
    bytes[bytes.length - 30] = (bytes[bytes.length - 30] as number) ^ 1;
    writeFileSync(pathOf(newest), bytes);
    await expectData(admin.post('/system/backup/check', { backupId: newest.backupId }));
    expect(await concluded(at.fixture)).toMatchObject({ check: { status: 'bad', message: expect.stringContaining('damaged') } });
    await expectError(admin.post('/system/backup/check', { backupId: 'bkp_none' }), 404, 'NOT_FOUND', 'backupId');
    rmSync(newest.folder ?? '', { recursive: true });
    writeFileSync(newest.folder ?? '', 'a file where the folder was');
    await expectData(admin.post('/system/backup'));
    expect(await concluded(at.fixture)).toMatchObject({
      status: 'failed',
      message: `The backup folder ${newest.folder} cannot be used: it, or a part of its path, is a file.`,
    });
    rmSync(newest.folder ?? '');
    mkdirSync(newest.folder ?? '');
  });

  test('exports an account without card numbers, secrets, hashes and data of other accounts', inFull, async () => {
    const { api, baseUrl, credentials } = at.fixture;
    const { token } = await expectData(
      api.bare.post<{ token: string }>(
        '/api/v1/auth/login',
        { email: credentials.adminEmail, password: credentials.adminPassword },
        { 'X-Tenant-ID': credentials.tenantId },
      ),
    );
    const made = await createSale(at.fixture, '77.01');
    const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', { email: 'ann@customer.example' }), 201);
    const due = { customerId, amount: 12, dueDate: '2040-01-01' };
    const { invoiceId, url, shortUrl } = await expectData(
      api.admin.post<{ invoiceId: string; url: string; shortUrl: string }>('/invoices', due),
      201,
    );
    await expectData(api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'] }));
    const response = await fetch(`${baseUrl}/api/v1/system/export`, {
      method: 'POST',
      headers: { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    const text = gunzipSync(Buffer.from(await response.arrayBuffer())).toString('utf8');
    for (const kept of [made.transactionId, made.token, 'transactions/00001.jsonl', 'manifest.json']) expect(text).toContain(kept);
    expect(text).toContain('/pay/…');
    const secrets = [url, shortUrl].map((link) => link.slice(link.lastIndexOf('/') + 1));
    for (const left of [
      ...secrets,
      '4111111111111111',
      credentials.standardTenantId,
      'password_hash',
      '"sealed"',
      'argon2',
      'fingerprint',
      '"hash"',
    ])
      expect(text).not.toContain(left);
    await expect.poll(() => readdirSync(at.dataDir).filter((name) => name.startsWith('export-'))).toEqual([]);
  });
});

test('exports every table or names it as excluded, and exports no secret column', () => {
  for (const { name, columns } of TABLES) {
    if (NOT_EXPORTED.has(name)) continue;
    const exported = exportedColumns([...columns]);
    expect(exported.length, name).toBeGreaterThan(1);
    expect(
      exported.filter((column) => /secret|hash|sealed|wrapped|credential[s]?$|password|fingerprint/.test(column)),
      name,
    ).toEqual([]);
  }
  const names: ReadonlySet<string> = new Set(TABLES.map(({ name }) => name));
  for (const name of NOT_EXPORTED) expect(names).toContain(name);
});

test('restores a backup over HTTP in the first run with a key file; a wrong key leaves the first run unchanged', async () => {
  const { dataDir: from, fixture } = await serverOn('sqlite');
  const made = await createSale(fixture, '12.34');
  const { file } = await backUp({ dataDir: from, databaseUrl: undefined }, folder(), {});
  const dataDir = folder();
  const server = await startServer({ dataDir, port: 0, logLevel: 'silent' });
  undo.push(() => server.close());
  const send = async (key: string) => {
    const form = new FormData();
    form.append('key', new Blob([key]), 'master.key');
    form.append('backup', new Blob([readFileSync(file)]), 'x.paydesk-backup');
    const response = await fetch(`${server.baseUrl}/api/v1/setup/restore`, { method: 'POST', body: form });
    return {
      status: response.status,
      body: (await response.json()) as { data: { transactions: number }; error: { code: string; field: string } },
    };
  };
  const refused = await send(randomBytes(32).toString('hex'));
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR', field: 'key' } } });
  const { bare } = apiOf(server.baseUrl, fixture.credentials);
  expect(await expectData(bare.get('/api/v1/setup'))).toEqual({ required: true });
  const done = await send(readFileSync(join(from, 'master.key'), 'utf8'));
  expect(done.status, JSON.stringify(done.body)).toBe(200);
  expect(server.environment).toBe('sandbox');
  const { admin } = apiOf(server.baseUrl, fixture.credentials);
  expect(await expectData(admin.get(`/transactions/${made.transactionId}`))).toMatchObject({ amount: 12.34 });
  expect((await send('x')).status).toBe(404);
  expect(readFileSync(join(dataDir, 'master.key'), 'utf8')).toBe(readFileSync(join(from, 'master.key'), 'utf8'));
  expect(readdirSync(dataDir).filter((name) => name.startsWith('restore-'))).toEqual([]);
});
