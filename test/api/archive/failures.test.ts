import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { addOldEntries } from '../../support/old-entries.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, apiOf, type DatabaseKind, expectData, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const YEAR = new Date().getUTCFullYear() - 4;

interface Overview {
  nextYear: number | null;
  isUnderWay: boolean;
  archives: { archiveId: string; year: number; status: string; name: string; message: string | null }[];
}

const cleanUp: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

async function installation(kind: DatabaseKind, entries: number) {
  const place = await createSampleInstallation(kind, 'small');
  cleanUp.push(place.remove);
  await addOldEntries(place, { [YEAR]: entries });
  const database = await openTestDatabaseAt(place.url ?? join(place.dataDir, 'paydesk.sqlite'));
  cleanUp.push(() => database.close());
  const archivedEntries = async () =>
    Math.max(0, ...(await database.readAcrossTenants().all<{ n: number }>('SELECT n FROM audit_starts')).map(({ n }) => Number(n)));
  return { ...place, archivedEntries, folder: join(place.dataDir, 'archive') };
}

async function start({ dataDir, url }: { dataDir: string; url?: string }) {
  const server = await startServerProcess(dataDir, url);
  cleanUp.push(() => server.stop());
  const { admin } = apiOf(server.baseUrl, server.credentials);
  const overview = () => expectData(admin.get<Overview>('/system/archive'));
  const settled = () =>
    until('no archive is being made', async () => {
      const found = await overview();
      return !found.isUnderWay && found;
    });
  const status = async () => {
    const { items } = await expectData(admin.get<{ items: { name: string }[] }>('/system/status'));
    return items.find(({ name }) => name === 'archive');
  };
  return { server, admin, overview, settled, status };
}

describe.each(ANY_DATABASE)('an archive that cannot be completed (%s)', (kind) => {
  test('stops if the file was changed while entries were deleted, keeps the rest, and continues with the right file', FULL, async () => {
    const place = await installation(kind, 6_000);
    const first = await start(place);
    await expectData(first.admin.post('/system/archive'));
    await until('entries are being deleted', async () => (await place.archivedEntries()) > 0);
    await first.server.kill();
    await expireLeasesOfKilledServers(place.url);
    const [name = ''] = readdirSync(place.folder);
    const path = join(place.folder, name);
    const bytes = readFileSync(path);
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(5_000) ^ 1, 5_000);
    writeFileSync(path, changed);
    const before = await place.archivedEntries();

    const second = await start(place);
    const { archives } = await second.settled();
    expect(archives).toMatchObject([{ status: 'stopped', message: expect.stringMatching(/was changed after it was recorded/) }]);
    const message = expect.stringMatching(`^The archive of ${YEAR} is not complete: `);
    expect(await second.status()).toMatchObject({ state: 'problem', message });
    expect(await place.archivedEntries()).toBe(before);
    expect(await expectData(second.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });

    writeFileSync(path, bytes);
    const { archiveId } = await expectData(second.admin.post<{ archiveId: string }>('/system/archive'));
    expect(archiveId).toBe(archives[0]?.archiveId);
    expect((await second.settled()).archives).toMatchObject([{ status: 'made', message: null }]);
    expect(await place.archivedEntries()).toBe(6_000);
    expect(await expectData(second.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true, archivedEntries: 6_000 });
  });

  test('fails with the reason if the log is broken, deletes nothing, and leaves no file', async () => {
    const place = await installation(kind, 700);
    const { admin, settled, status } = await start(place);
    expect(await status()).toBeUndefined();
    const database = await openTestDatabaseAt(place.url ?? join(place.dataDir, 'paydesk.sqlite'));
    cleanUp.push(() => database.close());
    const set = (actor: string) =>
      database.unitOfWork.transaction(null, (work) => work.run(`UPDATE audit_entries SET actor = '${actor}' WHERE n = 600`));
    await set('somebody@demo.example');
    await expectData(admin.post('/system/archive'));
    const failed = await settled();
    expect(failed).toMatchObject({ nextYear: YEAR });
    expect(failed.archives).toMatchObject([
      { status: 'failed', message: expect.stringMatching(/is broken at entry .*: its content was changed/) },
    ]);
    const message = expect.stringMatching(`^The archive of ${YEAR} failed: .*its content was changed`);
    expect(await status()).toMatchObject({ state: 'problem', message, action: 'open-archive' });
    expect(await place.archivedEntries()).toBe(0);
    expect(existsSync(place.folder) ? readdirSync(place.folder) : []).toEqual([]);
    await set('old@demo.example');
    await expectData(admin.post('/system/archive'));
    expect((await settled()).archives[0]).toMatchObject({ status: 'made' });
    expect(await status()).toMatchObject({ state: 'ok', message: `The last archived year is ${YEAR}.` });
  });

  test('archives automatically once it is on, and stops when a server stops', FULL, async () => {
    const place = await installation(kind, 3_000);
    const first = await start(place);
    await expectData(first.admin.put('/system/archive', { isOn: true, keepYears: 2 }));
    await until('an archive was requested', async () => (await first.overview()).archives.length > 0);
    expect(await first.server.stop()).toBe(0);
    const second = await start(place);
    expect((await second.settled()).archives).toMatchObject([{ year: YEAR, status: 'made' }]);
    expect(readdirSync(place.folder)).toHaveLength(1);
    expect(await expectData(second.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true, archivedEntries: 3_000 });
  });
});

/** A small file system needs root, on Linux. */
const canMount = process.platform === 'linux' && process.getuid?.() === 0;

test.runIf(canMount)(
  'fails with an explanation if the disk of the folder is full, leaves no file, and succeeds with more room',
  FULL,
  async () => {
    const path = mkdtempSync(join(tmpdir(), 'paydesk-archive-disk-'));
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', path]).status).toBe(0);
    cleanUp.push(() => {
      spawnSync('umount', ['-l', path]);
      rmSync(path, { recursive: true, force: true });
    });
    const place = await installation('sqlite', 3_000);
    const { admin, settled } = await start(place);
    await expectData(admin.put('/system/archive', { folder: path }));
    await expectData(admin.post('/system/archive'));
    const message = `The archive stopped because the disk is full. No partial file was left in ${path}.`;
    expect((await settled()).archives).toMatchObject([{ status: 'failed', message }]);
    expect(readdirSync(path)).toEqual([]);
    expect(await place.archivedEntries()).toBe(0);
    expect(spawnSync('mount', ['-o', 'remount,size=64m', path]).status).toBe(0);
    await expectData(admin.post('/system/archive'));
    expect((await settled()).archives[0]).toMatchObject({ status: 'made', message: null });
  },
);
