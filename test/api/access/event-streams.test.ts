import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, FULL } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createUser, signInAs } from '../../support/users.ts';
import { startWorkstations } from '../../support/workstations.ts';

type Sent = Record<string, string>;

// An address may sign in 30 times a minute, so each test has its own minute.
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 61_000 });
});
afterEach(() => void vi.useRealTimers());

/** An open event stream; `hasEnded` turns true when the server ends it. */
async function listen(baseUrl: string, headers: Sent) {
  const stop = new AbortController();
  const response = await fetch(`${baseUrl}/api/v1/changes`, { headers, signal: stop.signal });
  expect(response.status).toBe(200);
  const stream = { hasEnded: false, stop: () => stop.abort() };
  const reader = response.body?.getReader();
  const read = async () => {
    while (!(await reader?.read())?.done);
    stream.hasEnded = true;
  };
  read().catch(() => undefined);
  return stream;
}

async function sessionOf({ api }: Pick<ApiFixture, 'api'>, userId: string): Promise<string> {
  const [session] = await expectData(api.admin.get<{ id: string }[]>(`/user-sessions?userId=${userId}`));
  return session?.id ?? '';
}

describeOnAnyDatabase('event streams', (fixture) => {
  test('ends the oldest stream of a session that opens a sixth one, and no stream of another session', async () => {
    const { api, baseUrl } = fixture();
    const viewer = await createUser(fixture(), 'viewer');
    const other = await listen(baseUrl, (await createUser(fixture(), 'viewer')).headers);
    const streams: Awaited<ReturnType<typeof listen>>[] = [];
    for (let n = 0; n < 6; n += 1) streams.push(await listen(baseUrl, viewer.headers));
    await until('the oldest stream to end', () => streams[0]?.hasEnded === true);
    expect(streams.slice(1).map(({ hasEnded }) => hasEnded)).toEqual([false, false, false, false, false]);
    expect(other.hasEnded).toBe(false);
    for (const { stop } of [...streams, other]) stop();
    await expectData(api.bare.get('/api/v1/auth/me', viewer.headers));
  });

  test('keeps room for other users of the account if one user opens more than 100 streams in many sessions', FULL, async () => {
    const { api, baseUrl, credentials } = fixture();
    const { email, password, headers: first } = await createUser(fixture(), 'viewer');
    const sessions = [first];
    while (sessions.length < 21) {
      const { token } = await signInAs(fixture(), email, password, credentials.tenantId);
      sessions.push({ 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` });
    }
    const streams: Awaited<ReturnType<typeof listen>>[] = [];
    for (const headers of sessions) for (let n = 0; n < 5; n += 1) streams.push(await listen(baseUrl, headers));
    await until('the number of the account to hold', () => streams.filter(({ hasEnded }) => hasEnded).length === 5);
    const manager = await listen(baseUrl, (await createUser(fixture(), 'manager')).headers);
    await until('another stream of the same user to end', () => streams.filter(({ hasEnded }) => hasEnded).length === 6);
    await listen(baseUrl, sessions[0] as Sent);
    expect(manager.hasEnded).toBe(false);
    for (const { stop } of [...streams, manager]) stop();
    await expectData(api.bare.get('/api/v1/auth/me', first));
  });

  test('ends a stream when its session is revoked, signed out, or its user removed', async () => {
    const { api, baseUrl, credentials } = fixture();
    const bystander = await listen(baseUrl, (await createUser(fixture(), 'viewer')).headers);
    const endings: ((user: Awaited<ReturnType<typeof createUser>>) => Promise<unknown>)[] = [
      async ({ userId }) => expectData(api.admin.delete(`/user-sessions/${await sessionOf(fixture(), userId)}`)),
      ({ refreshToken }) => expectData(api.bare.post('/api/v1/auth/logout', { refreshToken })),
      ({ userId }) => expectData(api.admin.delete(`/merchants/${credentials.merchantId}/users/${userId}`)),
    ];
    for (const end of endings) {
      const user = await createUser(fixture(), 'viewer');
      const stream = await listen(baseUrl, user.headers);
      await end(user);
      await until('the stream to end', () => stream.hasEnded);
    }
    expect(bystander.hasEnded).toBe(false);
    bystander.stop();
  });
});

test('ends a stream when another workstation revokes its session', FULL, async () => {
  const stations = await startWorkstations(2);
  try {
    const [here, there] = stations.servers;
    const [api, other] = stations.apis;
    if (!here?.credentials || !there || !api || !other) throw new Error('Two workstations have started.');
    const fixture: ApiFixture = { database: 'postgres', api, baseUrl: here.baseUrl, credentials: here.credentials };
    const user = await createUser(fixture, 'viewer');
    const stream = await listen(here.baseUrl, user.headers);
    await expectData(other.admin.delete(`/user-sessions/${await sessionOf(fixture, user.userId)}`));
    // The limit is shorter than the interval at which workstations check for changes whose notification was lost.
    await until('the stream to end', () => stream.hasEnded);
  } finally {
    await stations.stop();
  }
});
