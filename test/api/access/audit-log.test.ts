import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { AUDIT_HEADS } from '../../../core/records/audit/schema.ts';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import {
  ANY_DATABASE,
  apiOf,
  DATABASES,
  type DatabaseKind,
  describeOnSmallData,
  expectData,
  expectError,
  startTestServer,
} from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

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
  reason: string | null;
  lastEntry: { position: number; hash: string };
}

describeOnSmallData('the audit log', ANY_DATABASE, (fixture) => {
  test('writes one entry per change with old and new values under the request ID of its response', async () => {
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

  test('exports every entry of a filter as CSV', async () => {
    const { api, credentials } = fixture();
    const path = `/merchants/${credentials.merchantId}/branding`;
    for (const color of ['#000001', '#000002', '#000003']) await api.admin.put(path, { primaryColor: color });
    const listed = await expectData(api.admin.get<Entry[]>('/audit-logs?action=branding.updated&limit=50'));
    const rows = (csv: string) => csv.trimEnd().split('\r\n').slice(1);
    const exported = await api.admin.get('/audit-logs/export?format=csv&action=branding.updated');
    expect(exported.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
    expect(rows(exported.text).map((row) => row.split(',')[0])).toEqual(listed.map(({ id }) => id));
    expect(exported.text).toContain('"{""primaryColor"":""#000003""}"');
    // The entry of the export itself is written at the end of its file.
    const total = (await api.admin.get<Entry[]>('/audit-logs?limit=1')).body.pagination?.total ?? 0;
    const all = await api.admin.get('/audit-logs/export?format=csv');
    expect(rows(all.text)).toHaveLength(total);
    await expectError(api.admin.get('/audit-logs/export?format=csv&startDate=2026-02-30'), 400, 'INVALID_DATE');
  });

  test('exports only the entries of their own merchant to merchant-bound callers', async () => {
    const { api } = fixture();
    const other = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Second counter' }), 201);
    const { headers } = await createUser(fixture(), 'admin');
    const [all, own] = await Promise.all([
      api.admin.get('/audit-logs/export?format=csv'),
      api.bare.get('/api/v1/audit-logs/export?format=csv', headers),
    ]);
    expect(all.text).toContain(other.merchantId);
    expect(own.status).toBe(200);
    expect(own.text).not.toContain(other.merchantId);
  });

  test('records the result of money movements, and links each entry to the one before', async () => {
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

  test('records successful and failed sign-ins without the password', async () => {
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

  test('validates dates and filters', async () => {
    const { api } = fixture();
    await expectError(api.admin.get('/audit-logs?startDate=yesterday'), 400, 'INVALID_DATE', 'startDate');
    await expectError(api.admin.get('/audit-logs?startDate=2026-02-02&endDate=2026-02-01'), 400, 'VALIDATION_ERROR', 'endDate');
    expect(await expectData(api.admin.get<Entry[]>("/audit-logs?actor=' OR 1=1 --"))).toEqual([]);
    const page = await api.admin.get<Entry[]>('/audit-logs?limit=2');
    const next = await expectData(api.admin.get<Entry[]>(`/audit-logs?limit=2&cursor=${page.body.pagination.nextCursor}`));
    expect(next[0]?.hash).toBe(page.body.data[1]?.previousHash);
  });
});

describeOnSmallData('parallel entries of the audit log', DATABASES, (fixture) => {
  test('links forty parallel changes into one valid chain', async () => {
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
  const run = (sql: string) => database.unitOfWork.transaction(tenantId, (work) => work.run(`${sql} AND tenant_id = :tenantId`));
  const headOf = () => database.read(tenantId).one(AUDIT_HEADS, { tenant_id: tenantId });
  const all = () =>
    database
      .read(tenantId)
      .all<{ n: number; id: string; action: string; hash: string }>(
        'SELECT n, id, action, hash FROM audit_entries WHERE tenant_id = :tenantId ORDER BY n',
      );
  return { api, run, all, headOf };
}

test.each(ANY_DATABASE)('locates every entry that was changed, moved or removed in the database (%s)', async (kind) => {
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

  // Two entries are exchanged.
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

  // One entry is removed.
  await place(one.n, away);
  expect(await verify()).toMatchObject({ valid: false, firstBadId: other.id });
  await place(away, one.n);

  // The end of the chain is removed, with and without moving the head.
  await place(last.n, away);
  expect(await verify()).toMatchObject({ valid: false });
  await run(`UPDATE audit_heads SET n = n - 1, hash = '${entries.at(-2)?.hash}' WHERE n > 0`);
  expect(await verify()).toMatchObject({ valid: false });
  await run(`UPDATE audit_heads SET n = n + 1, hash = '${last.hash}' WHERE n > 0`);
  await place(away, last.n);
  expect(await verify()).toMatchObject({ valid: true });
});

test('finds with a noted entry that the database was restored to an earlier state, or written again with its key', async () => {
  const { api, run, headOf } = await withDatabase('sqlite');
  const verify = (anchors: string) => expectData(api.admin.get<Verdict>(`/audit-logs/verify?anchors=${encodeURIComponent(anchors)}`));
  const { lastEntry: early } = await expectData(api.admin.get<Verdict>('/audit-logs/verify'));
  const head = await headOf();
  if (!head) throw new Error('The sample data has audit entries.');
  await expectData(api.admin.post('/transactions', cardBody(31)));
  const { lastEntry: late } = await expectData(api.admin.get<Verdict>('/audit-logs/verify'));
  expect(late.position).toBeGreaterThan(early.position);
  const noted = [early, late].map(({ position, hash }) => `${position}:${hash.slice(0, 16)}`).join(', ');
  expect(await verify(noted)).toMatchObject({ valid: true, reason: null });

  const other = `${early.position}:${late.hash}`;
  expect(await verify(`${noted},${other}`)).toMatchObject({
    valid: false,
    reason: `entry ${early.position} is not the one that its anchor names`,
  });

  // The state of an older copy of the database, whose chain is valid.
  await run(`DELETE FROM audit_entries WHERE n > ${head.n}`);
  await run(`UPDATE audit_heads SET n = ${head.n}, hash = '${head.hash}', seal = '${head.seal}' WHERE n > 0`);
  expect(await expectData(api.admin.get<Verdict>('/audit-logs/verify'))).toMatchObject({ valid: true });
  const rolledBack = await verify(noted);
  expect(rolledBack.valid).toBe(false);
  expect(rolledBack.reason).toContain(`an anchor names entry ${late.position}, but the log has ${early.position} entries`);

  for (const wrong of ['12', '0:0123456789abcdef', '1:0123', '1:0123456789abcdeg', Array(51).fill(other).join(',')])
    await expectError(api.admin.get(`/audit-logs/verify?anchors=${wrong}`), 400, 'VALIDATION_ERROR');
});
