import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabaseAt } from '../../support/databases.ts';
import { ANY_DATABASE, apiOf, expectData, expectError, startTestServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import type { MessageRecord } from '../notifications/outbox.ts';

const PATH = '/audit-logs/anchors';

interface Settings {
  email: string | null;
  lastSentAt: string | null;
}
interface Verdict {
  valid: boolean;
  reason: string | null;
  lastEntry: { position: number; hash: string };
}

const stops: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

async function start(kind: (typeof ANY_DATABASE)[number]) {
  const { server, dataDir, databaseUrl, stop } = await startTestServer(kind, {}, 'small');
  stops.push(stop);
  const database = await openTestDatabaseAt(databaseUrl ?? join(dataDir, 'paydesk.sqlite'));
  stops.push(() => database.close());
  if (!server.credentials) throw new Error('A server with demo tenants returns their credentials.');
  const { credentials, baseUrl } = server;
  const api = apiOf(baseUrl, credentials);
  const messagesTo = (to: string) => expectData(api.admin.get<MessageRecord[]>(`/notifications/messages?q=${encodeURIComponent(to)}`));
  const run = (sql: string) =>
    database.unitOfWork.transaction(credentials.tenantId, (work) => work.run(`${sql} AND tenant_id = :tenantId`));
  return { api, fixture: { api, baseUrl, credentials, database: kind }, messagesTo, run };
}

test.each(ANY_DATABASE)('emails the last entry of the audit log daily to the address that an owner chose (%s)', async (kind) => {
  const { api, fixture, messagesTo, run } = await start(kind);
  const [auditor, other] = ['auditor@firm.example', 'other@firm.example'];
  expect(await expectData(api.admin.get(PATH))).toEqual({ email: null, lastSentAt: null });
  await expectError(api.admin.put(PATH, { email: 'no address' }), 400, 'INVALID_EMAIL', 'email');
  const answers = await Promise.all(Array.from({ length: 10 }, () => api.admin.put<Settings>(PATH, { email: auditor })));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  await expect.poll(async () => (await messagesTo(auditor)).length).toBe(1);
  const [first] = await messagesTo(auditor);
  const anchor = /^\d+:[0-9a-f]{64}$/m.exec(first?.body ?? '')?.[0] ?? '';
  expect(first).toMatchObject({ kind: 'notice', subject: expect.stringContaining(`entry ${anchor.split(':')[0]}`) });
  const verify = (anchors: string) => expectData(api.admin.get<Verdict>(`/audit-logs/verify?anchors=${anchors}`));
  expect(await verify(anchor)).toMatchObject({ valid: true });
  expect((await expectData(api.admin.get<Settings>(PATH))).lastSentAt).not.toBeNull();
  expect(
    (await expectData(api.admin.get<{ after: object }[]>('/audit-logs?action=audit_anchors.updated'))).map(({ after }) => after),
  ).toEqual([{ email: auditor }]);

  // A day later. Without a new entry, the job would send nothing.
  await api.admin.put(`/merchants/${fixture.credentials.merchantId}/branding`, { primaryColor: '#0A0A0A' });
  await run('UPDATE audit_anchors SET due_ms = 1 WHERE due_ms > 1');
  // The server looks for due work after each request of this address.
  await expectData(api.admin.put(PATH, { email: auditor }));
  await expect.poll(async () => (await messagesTo(auditor)).length).toBe(2);
  const [second] = await messagesTo(auditor);
  expect(await verify(`${anchor},${/^\d+:[0-9a-f]{64}$/m.exec(second?.body ?? '')?.[0]}`)).toMatchObject({ valid: true });

  // The previous address learns of the change, also if an intruder makes it.
  await expectData(api.admin.put(PATH, { email: other }));
  await expect.poll(async () => (await messagesTo(auditor))[0]?.subject).toMatch(/no longer receive/);
  await expect.poll(async () => (await messagesTo(other)).length).toBe(1);
  await expectData(api.admin.put(PATH, { email: null }));
  expect(await expectData(api.admin.get(PATH))).toEqual({ email: null, lastSentAt: null });
  expect((await messagesTo(other))[0]?.body).toContain('ended the daily emails');
});

test('refuses the address to everyone but an owner', async () => {
  const { api, fixture } = await start('sqlite');
  for (const role of ['admin', 'manager', 'cashier'] as const) {
    const { headers } = await createUser(fixture, role, { allMerchants: role === 'admin' });
    await expectError(api.bare.put(`/api/v1${PATH}`, { email: 'me@home.example' }, headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.get(`/api/v1${PATH}`, headers), 403, 'PERMISSION_DENIED');
  }
});
