import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { cardBody } from '../../support/sales.ts';
import { createSampleInstallation } from '../../support/sample-data.ts';
import { ANY_DATABASE, type ApiFixture, apiOf, type DatabaseKind, expectData, expectError } from '../../support/server.ts';
import { startServer } from '../../support/start-server.ts';
import { until } from '../../support/until.ts';
import { createUser, signInAs } from '../../support/users.ts';
import { RECEIVER_CA_FILE, type Receiver, refuse, startReceiver } from '../../support/webhook-receiver.ts';
import { type DeliveryRecord, type EndpointRecord, listDeliveries, registerEndpoint } from '../../support/webhooks.ts';

interface EventRecord {
  id: string;
  type: string;
  createdAt: string;
  resourceId: string;
  merchantId: string | null;
  body?: string;
  deliveries?: (DeliveryRecord & { endpointId: string })[];
}
interface Overview {
  nextYear: number | null;
  isUnderWay: boolean;
  archives: {
    archiveId: string;
    year: number;
    status: string;
    folder: string;
    name: string;
    events: number;
    entries: number;
    message: string | null;
    check: { status: string; message: string | null };
  }[];
}

const LAST = new Date().getUTCFullYear() - 4;
const SALES = 130;

const undo: (() => Promise<unknown> | unknown)[] = [];
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Starts a service whose oldest events, with their deliveries, are from the years before `LAST` and `LAST`. */
async function serviceWithOldEvents(kind: DatabaseKind, receiver: Receiver) {
  const place = await createSampleInstallation(kind, 'small');
  undo.push(place.remove);
  const server = await startServer({
    dataDir: place.dataDir,
    databaseUrl: place.url,
    port: 0,
    demo: true,
    logLevel: 'silent',
    sandboxTimeoutMs: 40,
    webhookCa: RECEIVER_CA_FILE,
  });
  undo.push(() => server.close());
  const { credentials, baseUrl } = server;
  if (!credentials) throw new Error('A demo server returns its credentials.');
  const at: ApiFixture = { database: kind, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  const database = await openTestDatabaseAt(place.url ?? join(place.dataDir, 'paydesk.sqlite'));
  undo.push(() => database.close());
  const { tenantId } = credentials;
  const run = (sql: string) => database.unitOfWork.transaction(tenantId, (work) => work.run(`${sql} AND tenant_id = :tenantId`));
  const count = async (table: string) =>
    Number((await database.read(tenantId).all<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = :tenantId`))[0]?.n);
  const oldestEntryAt = async () =>
    (await database.read(tenantId).all<{ at: string }>('SELECT at FROM audit_entries WHERE tenant_id = :tenantId AND n = 1'))[0]?.at;
  const endpoint = await registerEndpoint(at, receiver.url('/old'));
  const { admin } = at.api;
  await Promise.all(Array.from({ length: SALES }, (_, index) => expectData(admin.post('/transactions', cardBody(10 + index)), 200)));
  await receiver.waitFor('/old', SALES);
  await until('every event was delivered', async () => (await listDeliveries(at, endpoint, '&status=delivered')).length === SALES);
  const [{ n: newest } = { n: 0 }] = await database
    .read(tenantId)
    .all<{ n: number }>('SELECT n FROM event_heads WHERE tenant_id = :tenantId');
  const last = Number(newest) - 30;
  const move = (year: number, from: number, to: number) =>
    run(`UPDATE events SET created_at = '${year}' || substr(created_at, 5) WHERE n > ${from} AND n <= ${to}`);
  await move(LAST - 1, 0, last - 60);
  await move(LAST, last - 60, last);
  return { at, admin, endpoint, run, count, oldestEntryAt, last };
}

const overviewOf = ({ api }: Pick<ApiFixture, 'api'>) => expectData(api.admin.get<Overview>('/system/archive'));
const settled = (at: Pick<ApiFixture, 'api'>) =>
  until('no archive is being made', async () => {
    const overview = await overviewOf(at);
    return !overview.isUnderWay && overview.archives.every(({ check }) => check.status !== 'waiting') && overview;
  });

describe.each(ANY_DATABASE)('archives of webhook events (%s)', (kind) => {
  let receiver: Receiver;
  let service: Awaited<ReturnType<typeof serviceWithOldEvents>>;
  let before: EventRecord[];
  beforeAll(async () => {
    receiver = await startReceiver();
    undo.push(() => receiver.stop());
    service = await serviceWithOldEvents(kind, receiver);
  });
  const events = (query: string) => service.admin.get<EventRecord[]>(`/webhooks/events?${query}`);

  test('sends old events again after an archive failed', async () => {
    const { at, admin, endpoint, run, oldestEntryAt } = service;
    // An entry with another time does not belong to the chain any more.
    const writtenAt = await oldestEntryAt();
    await run(`UPDATE audit_entries SET at = '${LAST - 1}' || substr(at, 5) WHERE n = 1`);
    await expectData(admin.post('/system/archive'));
    expect((await settled(at)).archives).toMatchObject([{ status: 'failed', message: expect.stringMatching(/audit log .* is broken/) }]);
    await run(`UPDATE audit_entries SET at = '${writtenAt}' WHERE n = 1`);
    const [delivery] = await listDeliveries(at, endpoint);
    const sent = await expectData(admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries/${delivery?.id}/redeliver`));
    expect(sent.attemptCount).toBe(2);
  });

  test('moves the events of each old year with their deliveries into its file, also while old deliveries are sent again', async () => {
    const { at, admin, endpoint, count, last } = service;
    expect((await overviewOf(at)).nextYear).toBe(LAST - 1);
    before = await expectData(events(`from=${LAST}-01-01&to=${LAST + 1}-01-01&limit=200&types=*`));
    expect(before.length).toBe(60);
    await expectError(events(`archive=${LAST}`), 404, 'NOT_FOUND', 'archive');
    // Only the first of the years is old enough.
    await expectData(admin.put('/system/archive', { keepYears: 4 }));
    const old = (await listDeliveries(at, endpoint)).slice(1, 41);
    const [answer, ...sent] = await Promise.all([
      admin.post('/system/archive'),
      ...old.map(({ id }) => admin.post<DeliveryRecord>(`/webhooks/${endpoint.id}/deliveries/${id}/redeliver`)),
    ]);
    expect(answer.status).toBe(200);
    for (const { status } of sent) expect([200, 404, 409]).toContain(status);
    await settled(at);
    await expectData(admin.put('/system/archive', { keepYears: 3 }));
    await expectData(admin.post('/system/archive'));
    const { archives: all, nextYear } = await settled(at);
    const archives = all.filter(({ status }) => status !== 'failed');
    expect(nextYear).toBeNull();
    expect(archives.map(({ year, status, message }) => ({ year, status, message }))).toEqual([
      { year: LAST, status: 'made', message: null },
      { year: LAST - 1, status: 'made', message: null },
    ]);
    // Events that were being sent at that moment are in the file of the next year.
    expect(archives.reduce((sum, { events: each }) => sum + each, 0)).toBe(last);
    expect(await expectData(events(`to=${LAST + 1}-01-01`))).toEqual([]);
    expect(await count('webhook_deliveries')).toBe(30);
    expect(await count('webhook_attempts')).toBe(30);
    expect(await expectData(admin.get('/webhooks/events/archives'))).toEqual([{ year: LAST }, { year: LAST - 1 }]);
    // Each attempt whose request was answered is in an archive.
    for (const [index, { id, eventId }] of old.entries()) {
      const attempts = sent[index]?.status === 200 ? 2 : 1;
      const found = await Promise.all(
        [LAST - 1, LAST].map((year) => admin.get<EventRecord>(`/webhooks/events/${eventId}?archive=${year}`)),
      );
      const archived = found.find(({ status }) => status === 200)?.body.data;
      expect(archived?.deliveries).toMatchObject([{ id, endpointId: endpoint.id, status: 'delivered', attemptCount: attempts }]);
      expect(archived?.deliveries?.[0]?.attempts).toHaveLength(attempts);
      // The year is the one that the test changed.
      const withoutYear = (body = '') => body.replace(/"createdAt":"\d{4}/, '');
      expect(withoutYear(receiver.receivedAt('/old').find(({ event }) => event.id === eventId)?.body)).toBe(withoutYear(archived?.body));
    }
  });

  test('lists archived events with the filters, pages and permissions of the history', async () => {
    const { at, admin } = service;
    const all = [
      ...(await expectData(events(`archive=${LAST - 1}&limit=200&from=${LAST}-01-01&types=*`))),
      ...(await expectData(events(`archive=${LAST}&limit=200&from=${LAST}-01-01&types=*`))),
    ];
    expect(all).toEqual(before);
    const page = await events(`archive=${LAST}&limit=10&types=transaction.approved`);
    expect(page.body.data).toEqual(all.filter(({ type }) => type === 'transaction.approved').slice(-10));
    const [oldest] = page.body.data;
    const earlier = await expectData(events(`archive=${LAST}&limit=10&types=transaction.approved&before=${oldest?.id}`));
    expect(earlier).toEqual(all.filter(({ type }) => type === 'transaction.approved').slice(-20, -10));
    const first = await events(`archive=${LAST}&limit=5&from=${LAST}-01-01`);
    expect(first.body.pagination.nextCursor).toBe(first.body.data.at(-1)?.id);
    const following = await expectData(events(`archive=${LAST}&limit=5&cursor=${first.body.pagination.nextCursor}`));
    expect([...first.body.data, ...following]).toEqual(before.slice(-first.body.pagination.total).slice(0, 10));
    expect(await expectData(events(`archive=${LAST}&types=refund.processed`))).toEqual([]);
    await expectError(events(`archive=${LAST}&after=evt_unknown`), 404, 'NOT_FOUND', 'after');
    await expectError(events(`archive=${LAST}&types=nonsense`), 400, 'VALIDATION_ERROR', 'types');
    await expectError(events('archive=abcd'), 400, 'VALIDATION_ERROR', 'archive');
    await expectError(admin.get(`/webhooks/events/evt_unknown?archive=${LAST}`), 404, 'NOT_FOUND');
    expect((await at.api.public.get<EventRecord[]>(`/webhooks/events?archive=${LAST}&limit=1`)).body.data).toHaveLength(1);

    const bound = await createUser(at, 'admin');
    const theirs = await at.api.bare.get<EventRecord[]>(`/api/v1/webhooks/events?archive=${LAST}&limit=200`, bound.headers);
    expect(theirs.status).toBe(200);
    expect(new Set(theirs.body.data.map(({ merchantId }) => merchantId)).size).toBeLessThanOrEqual(1);
    await expectError(at.api.bare.get(`/api/v1/webhooks/events?archive=${LAST}&types=security.*`, bound.headers), 403, 'PERMISSION_DENIED');
    const cashier = await createUser(at, 'cashier');
    for (const path of [`?archive=${LAST}`, '/archives'])
      await expectError(at.api.bare.get(`/api/v1/webhooks/events${path}`, cashier.headers), 403, 'PERMISSION_DENIED');
    const { standardTenantId, standardAdminEmail, standardAdminPassword } = at.credentials;
    const { token } = await signInAs(at, standardAdminEmail, standardAdminPassword, standardTenantId);
    const other = { 'X-Tenant-ID': standardTenantId, Authorization: `Bearer ${token}` };
    expect(await expectData(at.api.bare.get(`/api/v1/webhooks/events?archive=${LAST}`, other))).toEqual([]);
    expect(await expectData(at.api.bare.get('/api/v1/webhooks/events/archives', other))).toEqual([]);
  });

  test('does not send archived events again, and a catch-up begins after them', async () => {
    const { at, admin, endpoint } = service;
    const [archived] = before;
    await expectError(admin.post(`/webhooks/${endpoint.id}/send`, { eventId: archived?.id }), 404, 'NOT_FOUND');
    await expectError(admin.post(`/webhooks/${endpoint.id}/catch-up`, { fromEventId: archived?.id }), 404, 'NOT_FOUND', 'fromEventId');
    const other = await registerEndpoint(at, receiver.url('/new'));
    const started = await expectData(
      admin.post<{ total: number }>(`/webhooks/${other.id}/catch-up`, { fromDate: `${LAST - 1}-01-01` }),
      202,
    );
    expect(started.total).toBe(30);
    await receiver.waitFor('/new', 30);
    await until('the catch-up has ended', async () => {
      const catchUp = await expectData(admin.get<{ state: string }>(`/webhooks/${other.id}/catch-up`));
      return catchUp.state === 'done';
    });
  });

  test('keeps events that are still being sent, and those after them, until the archive of the next year', async () => {
    const { at, admin, run, last } = service;
    receiver.answers.set('/refuses', refuse(503));
    const refusing: EndpointRecord = await registerEndpoint(at, receiver.url('/refuses'));
    const sale = await expectData(admin.post<{ transactionId: string }>('/transactions', cardBody(77)));
    await until('an attempt failed', async () => (await listDeliveries(at, refusing)).some(({ attemptCount }) => attemptCount > 0));
    await run(`UPDATE events SET created_at = '${LAST}' || substr(created_at, 5) WHERE n > ${last}`);
    // The archive of that year exists: these events belong to the one of the following year.
    expect((await overviewOf(at)).nextYear).toBeNull();
    await run(`UPDATE archives SET year = ${LAST - 3} WHERE year = ${LAST - 1}`);
    await run(`UPDATE archived_frames SET year = ${LAST - 3} WHERE year = ${LAST - 1}`);
    await run(`UPDATE archives SET year = ${LAST - 2} WHERE year = ${LAST}`);
    await run(`UPDATE archived_frames SET year = ${LAST - 2} WHERE year = ${LAST}`);
    await expectData(admin.post('/system/archive'));
    const overview = await settled(at);
    expect(overview.archives[0]).toMatchObject({ status: 'made' });
    const [oldest, ...others] = await expectData(events('limit=200&types=*'));
    expect(oldest?.resourceId).toBe(sale.transactionId);
    expect(others.every(({ createdAt }) => createdAt > `${LAST + 1}`)).toBe(true);
    expect(await listDeliveries(at, refusing)).toMatchObject([{ eventId: oldest?.id, status: 'pending' }]);
  });

  test('checks the events of an archive, and finds a changed file', async () => {
    const { at, admin } = service;
    const { archives } = await overviewOf(at);
    const [newest] = archives;
    if (!newest) throw new Error('There is an archive.');
    const check = async () => {
      await expectData(admin.post('/system/archive/check', { archiveId: newest.archiveId }));
      return (await settled(at)).archives.find(({ archiveId }) => archiveId === newest.archiveId)?.check;
    };
    expect(await check()).toMatchObject({ status: 'good', message: null });
    expect(readdirSync(newest.folder)).toHaveLength(archives.filter(({ status }) => status === 'made').length);
    const path = join(newest.folder, newest.name);
    const bytes = readFileSync(path);
    expect(bytes.includes('transaction.approved')).toBe(false);
    const changed = Buffer.from(bytes);
    for (let place = 400; place < bytes.length; place += 500) changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    writeFileSync(path, changed);
    expect(await check()).toMatchObject({ status: 'bad' });
    await expectError(events(`archive=${newest.year}`), 409, 'RESOURCE_CONFLICT');
    writeFileSync(path, bytes);
    expect(await check()).toMatchObject({ status: 'good' });
  });
});
