import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import {
  apiOf,
  DATABASES,
  type DatabaseKind,
  describeOnSmallData,
  expectData,
  expectError,
  startTestServer,
} from '../../support/server.ts';

interface Entry {
  id: string;
  actor: string;
  action: string;
  resource: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string;
  hash: string;
  previousHash: string;
}
interface Verdict {
  valid: boolean;
  entries: number;
  firstBadId: string | null;
}

describeOnSmallData('the audit log', DATABASES, (fixture) => {
  test('a change is one entry with old and new, under the request id of its answer', async () => {
    const { api, credentials } = fixture();
    const path = `/merchants/${credentials.merchantId}/branding`;
    const before = (await api.admin.get<{ primaryColor: string }>(path)).body as unknown as { primaryColor: string };
    const answer = await api.admin.put(path, { primaryColor: '#123456' });
    const entries = await expectData(api.admin.get<Entry[]>(`/audit-logs?requestId=${answer.headers.get('x-request-id')}`));
    expect(entries).toMatchObject([
      {
        actor: credentials.adminEmail,
        action: 'branding.updated',
        resource: `merchants/${credentials.merchantId}/branding`,
        before: { primaryColor: before.primaryColor },
        after: { primaryColor: '#123456' },
      },
    ]);
  });

  test('what moves money is told with its end; the chain links each entry to the one before', async () => {
    const { api } = fixture();
    const sale = await expectData(api.admin.post<TransactionRecord>('/transactions', cardBody(31)));
    await api.admin.post(`/transactions/${sale.transactionId}/refund`, { amount: 4 });
    await api.admin.post('/transactions', cardBody(31, CARDS.declined));
    const entries = await expectData(api.admin.get<Entry[]>('/audit-logs?limit=3'));
    expect(entries.map(({ action, after }) => [action, after?.result])).toEqual([
      ['transaction.sale', 'declined'],
      ['transaction.refund', 'approved'],
      ['transaction.sale', 'approved'],
    ]);
    expect(entries[0]?.previousHash).toBe(entries[1]?.hash);
    expect(entries[1]?.previousHash).toBe(entries[2]?.hash);
    const own = await expectData(api.admin.get<Entry[]>(`/audit-logs?resource=transactions/${sale.transactionId}`));
    expect(own).toHaveLength(1);
    expect(await expectData(api.admin.get<Verdict>('/audit-logs/verify'))).toMatchObject({ valid: true, firstBadId: null });
  });

  test('sign-ins are told, right and wrong, and nothing of the password', async () => {
    const { api, credentials } = fixture();
    const login = (email: string, password: string) =>
      api.bare.post('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': credentials.tenantId });
    await login(credentials.adminEmail, 'canary-wrong-password');
    await login('canary-typo@demo.example', 'canary-other-password');
    await login(credentials.adminEmail, credentials.adminPassword);
    const { text } = await api.admin.get('/audit-logs?limit=3');
    expect(text).not.toContain('canary');
    const entries = (JSON.parse(text) as { data: Entry[] }).data;
    expect(entries.map(({ actor, action, after }) => [actor, action, after?.reason])).toEqual([
      [credentials.adminEmail, 'session.started', undefined],
      ['nobody', 'session.refused', 'unknown'],
      [credentials.adminEmail, 'session.refused', 'password'],
    ]);
  });

  test('days and filters are checked', async () => {
    const { api } = fixture();
    await expectError(api.admin.get('/audit-logs?startDate=yesterday'), 400, 'INVALID_DATE', 'startDate');
    await expectError(api.admin.get('/audit-logs?startDate=2026-02-02&endDate=2026-02-01'), 400, 'VALIDATION_ERROR', 'endDate');
    expect(await expectData(api.admin.get<Entry[]>("/audit-logs?actor=' OR 1=1 --"))).toEqual([]);
    const page = await api.admin.get<Entry[]>('/audit-logs?limit=2');
    const next = await expectData(api.admin.get<Entry[]>(`/audit-logs?limit=2&cursor=${page.body.pagination.nextCursor}`));
    expect(next[0]?.hash).toBe(page.body.data[1]?.previousHash);
  });

  test('forty mutations at once make forty entries in one whole chain', async () => {
    const { api } = fixture();
    const entries = async () => (await expectData(api.admin.get<Verdict>('/audit-logs/verify'))).entries;
    const before = await entries();
    await Promise.all(Array.from({ length: 40 }, (_, index) => expectData(api.public.post('/transaction', saleBody(20 + index)))));
    expect(await entries()).toBe(before + 40);
    expect(await expectData(api.admin.get<Verdict>('/audit-logs/verify'))).toMatchObject({ valid: true });
  });
});

const saleBody = (Amount: number) => ({ Amount, CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123' });

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Starts a server and opens its database a second time. */
async function withDatabase(kind: DatabaseKind) {
  const { server, dataDir, databaseUrl, stop } = await startTestServer(kind, {}, 'small');
  stops.push(stop);
  const database = await openTestDatabaseAt(databaseUrl ?? join(dataDir, 'paydesk.sqlite'));
  stops.push(() => database.close());
  if (!server.credentials) throw new Error('A server with demo tenants returns their credentials.');
  const { tenantId } = server.credentials;
  const api = apiOf(server.baseUrl, server.credentials);
  const run = (sql: string) => database.unitOfWork.run(tenantId, (work) => work.run(`${sql} AND tenant_id = :tenantId`));
  const all = () =>
    database
      .read(tenantId)
      .all<{ n: number; id: string; action: string; hash: string }>(
        'SELECT n, id, action, hash FROM audit_entries WHERE tenant_id = :tenantId ORDER BY n',
      );
  return { api, run, all };
}

test.each(DATABASES)('locates every entry that was changed, moved or removed in the database (%s)', async (kind) => {
  const { api, run, all } = await withDatabase(kind);
  const verify = () => expectData(api.admin.get<Verdict>('/audit-logs/verify'));
  expect(await verify()).toMatchObject({ valid: true });
  const entries = await all();
  expect((await verify()).entries).toBe(entries.length);
  const [one, other] = entries.slice(entries.length / 2);
  const [last] = entries.slice(-1);
  if (!one || !other || !last) throw new Error('The sample data has audit entries.');
  const place = (n: number, to: number) => run(`UPDATE audit_entries SET n = ${to} WHERE n = ${n}`);
  const away = entries.length + 1_000;

  for (const column of ['actor', 'actor_id', 'action', 'resource', 'at', 'request_id', 'id', 'hash', 'previous_hash']) {
    await run(`UPDATE audit_entries SET ${column} = ${column} || 'x' WHERE n = ${one.n}`);
    const found = await verify();
    expect(found, column).toMatchObject({ valid: false, firstBadId: column === 'id' ? `${one.id}x` : one.id });
    await run(`UPDATE audit_entries SET ${column} = substr(${column}, 1, length(${column}) - 1) WHERE n = ${one.n}`);
  }
  expect(await verify(), 'put straight again').toMatchObject({ valid: true });

  // Two entries change places.
  for (const [from, to] of [
    [one.n, away],
    [other.n, one.n],
    [away, other.n],
  ] as const)
    await place(from, to);
  expect(await verify()).toMatchObject({ valid: false, firstBadId: other.id });
  for (const [from, to] of [
    [one.n, away],
    [other.n, one.n],
    [away, other.n],
  ] as const)
    await place(from, to);
  expect(await verify()).toMatchObject({ valid: true });

  // One is taken out.
  await place(one.n, away);
  expect(await verify()).toMatchObject({ valid: false, firstBadId: other.id });
  await place(away, one.n);

  // The tail is cut off, with and without the head following.
  await place(last.n, away);
  expect(await verify()).toMatchObject({ valid: false });
  await run(`UPDATE audit_heads SET n = n - 1, hash = '${entries.at(-2)?.hash}' WHERE n > 0`);
  expect(await verify()).toMatchObject({ valid: false });
  await run(`UPDATE audit_heads SET n = n + 1, hash = '${last.hash}' WHERE n > 0`);
  await place(away, last.n);
  expect(await verify()).toMatchObject({ valid: true });
});
