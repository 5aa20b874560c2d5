import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { addOldEntries, moveEventsTo } from '../../support/old-entries.ts';
import { expireLeasesOfKilledServers } from '../../support/postgres.ts';
import { startServerProcess } from '../../support/process.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { apiOf, DATABASES, expectData } from '../../support/server.ts';
import { FULL, sized } from '../../support/tier.ts';
import { until } from '../../support/until.ts';

const YEAR = new Date().getUTCFullYear() - 4;
/** Enough that the server can be killed while they are written or deleted. */
const ENTRIES = sized(1_500, 6_000);

interface Overview {
  isUnderWay: boolean;
  archives: { status: string; entries: number | null; message: string | null; check: { status: string }; archiveId: string }[];
}

const cleanUp: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const undo of cleanUp.reverse()) await undo();
});

/** Moments of an archive at which the server is killed. */
const MOMENTS = [
  'the request is answered',
  'the file is being written',
  'the file is in place',
  'entries are being deleted',
  'events are being deleted',
] as const;

describe.each(DATABASES)('an archive of a killed server (%s)', (kind) => {
  const moments = kind === 'sqlite' ? MOMENTS : sized<readonly (typeof MOMENTS)[number][]>(['events are being deleted'], MOMENTS);
  const isEveryDay = (moment: (typeof MOMENTS)[number]) => kind === 'sqlite' && moment === 'entries are being deleted';
  for (const moment of moments)
    test(`loses neither an entry nor an event if the server is killed when ${moment}`, isEveryDay(moment) ? {} : FULL, async () => {
      const place = await createSampleInstallation(kind, 'small');
      cleanUp.push(place.remove);
      await addOldEntries(place, { [YEAR]: ENTRIES });
      await moveEventsTo(YEAR, 100_000, place);
      const database = await openTestDatabaseAt(place.url ?? join(place.dataDir, 'paydesk.sqlite'));
      cleanUp.push(() => database.close());
      const largest = async (sql: string) =>
        Math.max(0, ...(await database.readAcrossTenants().all<{ n: number }>(sql)).map(({ n }) => Number(n)));
      const events = await largest('SELECT count(*) AS n FROM events GROUP BY tenant_id ORDER BY n');
      expect(events).toBeGreaterThan(50);
      const folder = join(place.dataDir, 'archive');
      const hasFile = (end: string) => existsSync(folder) && readdirSync(folder).some((name) => name.endsWith(end));
      const isReached: Record<(typeof MOMENTS)[number], () => Promise<boolean> | boolean> = {
        'the request is answered': () => true,
        'the file is being written': () => hasFile('.partial'),
        'the file is in place': () => hasFile('.paydesk-archive'),
        'entries are being deleted': async () => (await largest('SELECT n FROM audit_starts')) > 0,
        'events are being deleted': async () => (await largest('SELECT n FROM event_starts')) > 0,
      };

      const first = await startServerProcess(place.dataDir, place.url);
      const { tenantId } = first.credentials;
      await expectData(apiOf(first.baseUrl, first.credentials).admin.post('/system/archive'));
      while (!(await isReached[moment]())) await turn();
      await first.kill();
      if (place.url) await expireLeasesOfKilledServers(place.url);

      const second = await startServerProcess(place.dataDir, place.url);
      cleanUp.push(() => second.stop());
      const { admin } = apiOf(second.baseUrl, second.credentials);
      const { archives } = await until('the archive is complete', async () => {
        const overview = await expectData(admin.get<Overview>('/system/archive'));
        return !overview.isUnderWay && overview;
      });
      expect(archives).toMatchObject([{ status: 'made', message: null }]);
      expect(await expectData(admin.get('/audit-logs/verify'))).toMatchObject({ valid: true, archivedEntries: ENTRIES });
      const page = await admin.get(`/audit-logs?archive=${YEAR}&limit=1`);
      expect(page.body.pagination.total).toBe(ENTRIES);
      const archived = await admin.get(`/webhooks/events?archive=${YEAR}&types=*,security.*&limit=1`);
      expect(archived.body.pagination.total).toBe(events);
      expect(await largest(`SELECT count(*) AS n FROM events WHERE created_at < '${YEAR + 1}'`)).toBe(0);
      expect(readdirSync(folder)).toHaveLength(1);
      await expectData(admin.post('/system/archive/check', { archiveId: archives[0]?.archiveId }));
      await until('the check finds the archive good', async () => {
        const [archive] = (await expectData(admin.get<Overview>('/system/archive'))).archives;
        return archive?.check.status === 'good';
      });
      expect(await database.read(tenantId).all(`SELECT n FROM audit_entries WHERE tenant_id = :tenantId AND n <= ${ENTRIES}`)).toEqual([]);
    });
});
