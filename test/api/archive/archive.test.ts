import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restoreBackup } from '#server';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { addOldEntries } from '../../support/old-entries.ts';
import { freshDatabase } from '../../support/postgres.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { type ApiFixture, apiOf, DATABASES, expectData, expectError, FULL, fullOnPostgres } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { createUser, signInAs } from '../../support/users.ts';

interface ArchiveRecord {
  archiveId: string;
  year: number;
  status: string;
  name: string;
  folder: string;
  entries: number;
  sha256: string;
  message: string | null;
  check: { status: string; message: string | null };
}
interface Overview {
  isOn: boolean;
  keepYears: number;
  folder: string;
  nextYear: number | null;
  isUnderWay: boolean;
  archives: ArchiveRecord[];
}
interface Entry {
  id: string;
  action: string;
  hash: string;
  previousHash: string;
  after: { number?: number };
}
interface Verdict {
  valid: boolean;
  entries: number;
  archivedEntries: number;
  reason: string | null;
}

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

const LAST = new Date().getUTCFullYear() - 4;
/** The years before `LAST` and `LAST` are archived with the default of three years; the next one is not. */
const YEARS = { [LAST - 1]: 700, [LAST]: 1_300, [LAST + 1]: 20 };

async function installation(kind: (typeof DATABASES)[number], years = YEARS) {
  const place = await createSampleInstallation(kind, 'small');
  undo.push(place.remove);
  await addOldEntries(place, years);
  return place;
}

async function serve({ dataDir, url: databaseUrl }: { dataDir: string; url?: string }, database: (typeof DATABASES)[number]) {
  const server = await startServer({ dataDir, databaseUrl, port: 0, demo: true, logLevel: 'silent', sandboxTimeoutMs: 40 });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= server.close();
    return closing;
  };
  undo.push(close);
  const { credentials, baseUrl } = server;
  if (!credentials) throw new Error('A demo server returns its credentials.');
  const fixture: ApiFixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  return { fixture, api: fixture.api, close };
}

const overviewOf = ({ api }: Pick<ApiFixture, 'api'>) => expectData(api.admin.get<Overview>('/system/archive'));
const settled = (fixture: Pick<ApiFixture, 'api'>) =>
  until('no archive is being made', async () => {
    const overview = await overviewOf(fixture);
    return !overview.isUnderWay && overview.archives.every(({ check }) => check.status !== 'waiting') && overview;
  });
const verdictOf = ({ api }: Pick<ApiFixture, 'api'>) => expectData(api.admin.get<Verdict>('/audit-logs/verify'));

describe.each(DATABASES)('archives of audit entries (%s)', (kind) => {
  const inFull = fullOnPostgres(kind);
  let place: Awaited<ReturnType<typeof installation>>;
  let at: Awaited<ReturnType<typeof serve>>;
  let run: (sql: string) => Promise<unknown>;
  beforeAll(async () => {
    place = await installation(kind);
    at = await serve(place, kind);
    const database = await openTestDatabaseAt(place.url ?? join(place.dataDir, 'paydesk.sqlite'));
    undo.push(() => database.close());
    const { tenantId } = at.fixture.credentials;
    run = (sql) => database.unitOfWork.transaction(tenantId, (work) => work.run(`${sql} AND tenant_id = :tenantId`));
  });
  const checkOf = async (archiveId: string) => {
    await expectData(at.api.admin.post('/system/archive/check', { archiveId }));
    const { archives } = await settled(at.fixture);
    return archives.find((each) => each.archiveId === archiveId)?.check;
  };

  test('is off by default, and validates its settings', inFull, async () => {
    const { admin } = at.api;
    expect(await overviewOf(at.fixture)).toMatchObject({ isOn: false, keepYears: 3, nextYear: LAST - 1, isUnderWay: false, archives: [] });
    for (const keepYears of [1, 11]) await expectError(admin.put('/system/archive', { keepYears }), 400, 'VALIDATION_ERROR', 'keepYears');
    await expectError(admin.put('/system/archive', { folder: 'relative' }), 400, 'VALIDATION_ERROR', 'folder');
    await expectError(admin.put('/system/archive', { folder: '/etc/paydesk' }), 400, 'VALIDATION_ERROR', 'folder');
    await expectData(admin.put('/system/archive', { keepYears: 10 }));
    await expectError(admin.post('/system/archive'), 409, 'RESOURCE_CONFLICT');
    await expectData(admin.put('/system/archive', { keepYears: 3 }));
    await expectError(admin.get(`/audit-logs?archive=${LAST}`), 404, 'NOT_FOUND');
    expect(await expectData(admin.get('/audit-logs/archives'))).toEqual([]);
  });

  test('moves each old year into a file of its own when ten requests arrive in parallel, and keeps the log valid', async () => {
    const { admin } = at.api;
    const before = await verdictOf(at.fixture);
    const listed = await expectData(admin.get<Entry[]>(`/audit-logs?endDate=${LAST}-12-30&limit=200&page=2`));
    const answers = await Promise.all(Array.from({ length: 10 }, () => admin.post('/system/archive')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    const { archives, nextYear } = await settled(at.fixture);
    expect(nextYear).toBeNull();
    expect(archives.map(({ year, status, message }) => ({ year, status, message }))).toEqual([
      { year: LAST, status: 'made', message: null },
      { year: LAST - 1, status: 'made', message: null },
    ]);
    const verdict = await verdictOf(at.fixture);
    expect(verdict).toMatchObject({ valid: true, archivedEntries: 2_000 });
    expect(verdict.entries).toBeGreaterThan(before.entries);
    expect(await expectData(admin.get(`/audit-logs?endDate=${LAST}-12-30`))).toEqual([]);
    expect(await expectData(admin.get('/audit-logs/archives'))).toEqual([
      { year: LAST, entries: 1_300 },
      { year: LAST - 1, entries: 700 },
    ]);
    expect(await expectData(admin.get(`/audit-logs?archive=${LAST}&endDate=${LAST}-12-30&limit=200&page=2`))).toEqual(listed);
    const [made] = await expectData(admin.get<{ after: object }[]>('/audit-logs?action=archive.made'));
    const [newest] = archives;
    expect(made?.after).toMatchObject({ year: LAST, name: newest?.name, entries: newest?.entries, sha256: newest?.sha256 });
    // The audit log masks digits that look like a card number, such as the year with a number.
    expect(archives.map(({ name }) => name.replace(/\d{4}/, ''))).not.toContainEqual(expect.stringMatching(/\d/));
    const bytes = readFileSync(join(newest?.folder ?? '', newest?.name ?? '')).toString('latin1');
    for (const clear of ['old@demo.example', 'branding.updated']) expect(bytes).not.toContain(clear);
  });

  test('lists archived entries with the filters and pages of the audit log', inFull, async () => {
    const { admin } = at.api;
    const page = await admin.get<Entry[]>(`/audit-logs?archive=${LAST}&limit=100`);
    expect(page.body.pagination).toMatchObject({ total: 1_300 });
    const next = await expectData(admin.get<Entry[]>(`/audit-logs?archive=${LAST}&limit=100&cursor=${page.body.pagination.nextCursor}`));
    expect(next[0]?.hash).toBe(page.body.data.at(-1)?.previousHash);
    expect(await expectData(admin.get<Entry[]>(`/audit-logs?archive=${LAST}&limit=100&page=2`))).toEqual(next);
    const last = await admin.get<Entry[]>(`/audit-logs?archive=${LAST}&limit=100&page=13`);
    expect(last.body.data).toHaveLength(100);
    expect(last.body.pagination.nextCursor).toBeNull();
    const filtered = await admin.get<Entry[]>(`/audit-logs?archive=${LAST}&action=branding.updated`);
    expect(filtered.body.pagination.total).toBe(434);
    expect(filtered.body.data.every(({ action }) => action === 'branding.updated')).toBe(true);
    expect(await expectData(admin.get(`/audit-logs?archive=${LAST}&requestId=req_${LAST}_7`))).toMatchObject([{ after: { number: 7 } }]);
    expect(await expectData(admin.get(`/audit-logs?archive=${LAST}&resource=users`))).toHaveLength(50);
    expect(await expectData(admin.get(`/audit-logs?archive=${LAST}&resource=user`))).toEqual([]);
    expect(await expectData(admin.get(`/audit-logs?archive=${LAST}&startDate=${LAST + 1}-02-01`))).toEqual([]);
    const csv = await admin.get(`/audit-logs/export?format=csv&archive=${LAST}`);
    expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1_301);
    await expectError(admin.get(`/audit-logs?archive=${LAST}&cursor=x`), 400, 'VALIDATION_ERROR', 'cursor');
  });

  test('shows a tenant its own archived entries only, and refuses archives to its owners', inFull, async () => {
    const { credentials, api } = at.fixture;
    const { standardTenantId, standardAdminEmail, standardAdminPassword } = credentials;
    const { token } = await signInAs(at.fixture, standardAdminEmail, standardAdminPassword, standardTenantId);
    const owner = { 'X-Tenant-ID': standardTenantId, Authorization: `Bearer ${token}` };
    await expectError(api.bare.get('/api/v1/system/archive', owner), 403, 'RESOURCE_ACCESS_DENIED');
    const { archiveId } = (await overviewOf(at.fixture)).archives[0] as ArchiveRecord;
    for (const path of ['archive', 'archive/check'])
      await expectError(api.bare.post(`/api/v1/system/${path}`, { archiveId }, owner), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.put('/api/v1/system/archive', { isOn: true }, owner), 403, 'PERMISSION_DENIED');
    const theirs = await expectData(api.bare.get<{ resource: string }[]>(`/api/v1/audit-logs?archive=${LAST}&limit=200`, owner));
    expect(new Set(theirs.map(({ resource }) => resource))).toEqual(new Set([`users/${standardTenantId}`]));
    expect(await expectData(api.bare.get('/api/v1/audit-logs/archives', owner))).toHaveLength(2);
    const own = await expectData(api.admin.get<{ resource: string }[]>(`/audit-logs?archive=${LAST}&limit=200`));
    expect(new Set(own.map(({ resource }) => resource))).toEqual(new Set([`users/${credentials.tenantId}`]));
  });

  test('shows merchant-bound callers the entries of their merchant only, and lower roles nothing', inFull, async () => {
    const { api } = at;
    const { headers } = await createUser(at.fixture, 'admin');
    const bound = await api.bare.get<{ merchantId: string | null }[]>(`/api/v1/audit-logs?archive=${LAST}&limit=200`, headers);
    expect(bound.status).toBe(200);
    expect(bound.body.data.every(({ merchantId }) => merchantId !== null)).toBe(true);
    expect(bound.body.pagination.total).toBeLessThan(1_300);
    await expectError(api.bare.post('/api/v1/system/archive', undefined, headers), 403, 'PERMISSION_DENIED');
    const cashier = await createUser(at.fixture, 'cashier');
    for (const path of [`/audit-logs?archive=${LAST}`, '/audit-logs/archives', '/system/archive'])
      await expectError(api.bare.get(`/api/v1${path}`, cashier.headers), 403, 'PERMISSION_DENIED');
  });

  test('finds a forged, a removed and a moved start of the log', inFull, async () => {
    const start = async (set: string) => run(`UPDATE audit_starts SET ${set} WHERE n > 0`);
    await start('n = n + 1');
    expect(await verdictOf(at.fixture)).toMatchObject({ valid: false, reason: 'the start of the log was changed' });
    expect((await overviewOf(at.fixture)).archives).toHaveLength(2);
    await start('n = n - 1');
    await start("hash = hash || 'x'");
    expect((await verdictOf(at.fixture)).valid).toBe(false);
    await start('hash = substr(hash, 1, length(hash) - 1)');
    expect((await verdictOf(at.fixture)).valid).toBe(true);
    // The start is removed.
    const away = 'UPDATE audit_starts SET n = 0 WHERE n > 0';
    await run(away);
    expect((await verdictOf(at.fixture)).reason).toMatch(/entries before it are missing/);
    await run('UPDATE audit_starts SET n = 2000 WHERE n = 0');
    // The oldest entry is removed without the start.
    await run('UPDATE audit_entries SET n = 900000 WHERE n = 2001');
    expect((await verdictOf(at.fixture)).reason).toMatch(/1 entries before it are missing/);
    await run('UPDATE audit_entries SET n = 2001 WHERE n = 900000');
    expect((await verdictOf(at.fixture)).valid).toBe(true);
  });

  test('compares anchors with archived entries, and finds a wrong one and a changed, removed or missing file', inFull, async () => {
    const { archives } = await overviewOf(at.fixture);
    const [newest, older] = archives as [ArchiveRecord, ArchiveRecord];
    const verify = (...anchors: string[]) =>
      expectData(at.api.admin.get<Verdict & { uncomparedAnchors: number }>(`/audit-logs/verify?anchors=${anchors.join(',')}`));
    const pageOf = async (year: number) => expectData(at.api.admin.get<Entry[]>(`/audit-logs?archive=${year}&limit=1`));
    const [last] = await pageOf(LAST);
    const [last700] = await pageOf(LAST - 1);
    const good = [`700:${last700?.hash}`, `2000:${last?.hash}`, `1999:${last?.previousHash.slice(0, 16)}`];
    expect(await verify(...good)).toMatchObject({ valid: true, reason: null, uncomparedAnchors: 0 });
    expect(await verify(...good, `1500:${last?.hash}`)).toMatchObject({
      valid: false,
      reason: 'entry 1500 is not the one that its anchor names',
    });

    const file = join(older.folder, older.name);
    const bytes = readFileSync(file);
    const changed = Buffer.from(bytes);
    for (let place = 500; place < bytes.length; place += 1_000) changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    writeFileSync(file, changed);
    expect((await verify(`700:${last700?.hash}`)).reason).toMatch(/damaged/);
    // The file of a year is on another computer: its anchors are not compared, and the others are.
    renameSync(file, `${file}.away`);
    expect(await verify(...good)).toMatchObject({ valid: true, uncomparedAnchors: 1 });
    writeFileSync(file, bytes);
    expect(await verify(...good)).toMatchObject({ valid: true, uncomparedAnchors: 0 });

    // Someone with the database moves the recorded end of a frame.
    await run(`UPDATE archived_frames SET previous_hash = '${'0'.repeat(64)}' WHERE year = ${LAST} AND first_n = 701`);
    expect((await verify(`1999:${last?.previousHash}`)).reason).toMatch(/archived entry 701 does not match|broken at entry 701/);
    await run(`UPDATE archived_frames SET previous_hash = '${last700?.hash}' WHERE year = ${LAST} AND first_n = 701`);
    expect(newest.entries).toBeGreaterThan(0);
  });

  test('checks an archive, and explains a changed, foreign or missing file', inFull, async () => {
    const { admin } = at.api;
    const { archives } = await overviewOf(at.fixture);
    const [newest, older] = archives as [ArchiveRecord, ArchiveRecord];
    for (const { archiveId } of archives) expect(await checkOf(archiveId)).toMatchObject({ status: 'good', message: null });
    const path = join(newest.folder, newest.name);
    const bytes = readFileSync(path);
    const reads = () => admin.get(`/audit-logs?archive=${LAST}`);

    const changed = Buffer.from(bytes);
    // One bit in each part, because a page needs the parts with its entries only.
    for (let place = 500; place < bytes.length; place += 1_000) changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    writeFileSync(path, changed);
    expect(await checkOf(newest.archiveId)).toMatchObject({ status: 'bad', message: expect.stringMatching(/was changed/) });
    expect((await expectError(reads(), 409, 'RESOURCE_CONFLICT')).message).toMatch(/damaged/);

    writeFileSync(path, readFileSync(join(older.folder, older.name)));
    expect((await checkOf(newest.archiveId))?.status).toBe('bad');
    await expectError(reads(), 409, 'RESOURCE_CONFLICT');

    writeFileSync(path, 'PAYDESK BACKUP 1 and more than the header of a file');
    expect((await expectError(reads(), 409, 'RESOURCE_CONFLICT')).message).toMatch(/not a Paydesk archive/);

    renameSync(path, `${path}.away`);
    rmSync(path, { force: true });
    expect((await expectError(reads(), 409, 'RESOURCE_CONFLICT')).message).toMatch(/not in its folder/);
    expect(await checkOf(newest.archiveId)).toMatchObject({ status: 'bad', message: expect.stringMatching(/not in its folder/) });

    writeFileSync(path, bytes);
    expect(await checkOf(newest.archiveId)).toMatchObject({ status: 'good' });
    // A record of a frame is changed in the database.
    await run(`UPDATE archived_frames SET last_n = last_n - 1 WHERE year = ${LAST} AND first_n = 701`);
    expect((await checkOf(newest.archiveId))?.status).toBe('bad');
    await run(`UPDATE archived_frames SET last_n = last_n + 1 WHERE year = ${LAST} AND first_n = 701`);
    expect(await checkOf(newest.archiveId)).toMatchObject({ status: 'good' });
  });

  test('keeps archives and the start of the log after a restore, whose rehearsal finds a forged start', FULL, async () => {
    const { admin } = at.api;
    const checkedBackup = () =>
      until('the backup is checked', async () => {
        const [newest] = await expectData(
          admin.get<{ backupId: string; folder: string; name: string; check: { status: string; message: string | null } }[]>(
            '/system/backups?limit=1',
          ),
        );
        return newest && ['good', 'bad'].includes(newest.check.status) && newest;
      });
    await expectData(admin.post('/system/backup'));
    const backup = await checkedBackup();
    expect(backup.check).toMatchObject({ status: 'good', message: null });
    // A start after the end that the backup recorded would hide that the log was replaced.
    await run('UPDATE audit_starts SET n = n + 900000 WHERE n > 0');
    await expectData(admin.post('/system/backup/check', { backupId: backup.backupId }));
    const message = expect.stringMatching(/The start of the audit log of ten_\w+ was changed/);
    expect((await checkedBackup()).check).toMatchObject({ status: 'bad', message });
    await run('UPDATE audit_starts SET n = n - 900000 WHERE n > 0');
    const dataDir = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
    undo.push(() => rmSync(dataDir, { recursive: true, force: true }));
    const fresh = kind === 'postgres' ? await freshDatabase() : undefined;
    if (fresh) undo.push(() => fresh.drop());
    const keyFile = join(place.dataDir, 'master.key');
    await restoreBackup({ dataDir, databaseUrl: fresh?.url }, join(backup.folder, backup.name), { file: keyFile });
    const server = await startServer({ dataDir, databaseUrl: fresh?.url, masterKey: keyFile, port: 0, logLevel: 'silent' });
    undo.push(() => server.close());
    const restored = apiOf(server.baseUrl, at.fixture.credentials);
    expect(await verdictOf({ api: restored })).toMatchObject({ valid: true, archivedEntries: 2_000 });
    expect(await expectData(restored.admin.get(`/audit-logs?archive=${LAST}`))).toHaveLength(50);
  });

  test('stay readable after an exchange of the master key', inFull, async () => {
    const { admin, adminPassword } = at.api;
    await expectData(admin.post('/system/master-key/exchange', { currentPassword: adminPassword }));
    await at.close();
    at = await serve(place, kind);
    expect(await expectData(at.api.admin.get(`/audit-logs?archive=${LAST}`))).toHaveLength(50);
    const [newest] = (await overviewOf(at.fixture)).archives as [ArchiveRecord];
    expect(await checkOf(newest.archiveId)).toMatchObject({ status: 'good' });
  });
});
