import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cardBody } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, FULL } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
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
  const stream = { hasEnded: false, topics: new Set<string>(), stop: () => stop.abort() };
  const read = async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.startsWith('data: ')))
        for (const topic of (JSON.parse(line.slice('data: '.length)) as { topics: string[] }).topics) stream.topics.add(topic);
    }
    stream.hasEnded = true;
  };
  read().catch(() => undefined);
  return stream;
}

async function sessionOf({ api }: Pick<ApiFixture, 'api'>, userId: string): Promise<string> {
  const [session] = await expectData(api.admin.get<{ id: string }[]>(`/user-sessions?userId=${userId}`));
  return session?.id ?? '';
}

describeOnAnyDatabase('topics of event streams', (fixture) => {
  /** Does everything that other merchants and roles must not hear of: a sale with its event and receipt, a customer, an item, settings. */
  async function trade(merchantId: string): Promise<void> {
    const { api } = fixture();
    await expectData(api.admin.post('/transactions', cardBody(20, undefined, { merchantId, customer: { email: 'ada@example.com' } })));
    await expectData(api.admin.post('/customers', { firstName: 'Ada', merchantId }), 201);
    await expectData(api.admin.post('/items', { name: 'Tea', price: 2, merchantId }), 201);
    await expectData(api.admin.put(`/merchants/${merchantId}`, { name: 'Tea house' }));
  }
  /** Waits until everything that was published before has been sent to all streams. */
  async function settle(...streams: Awaited<ReturnType<typeof listen>>[]): Promise<void> {
    for (const stream of streams) stream.topics.delete('clock');
    await expectData(fixture().api.admin.post('/sandbox/clock', { advanceSeconds: 1 }));
    for (const stream of streams) await until('the last change to be heard', () => stream.topics.has('clock'));
  }

  test('tells a caller of one merchant nothing about another merchant', async () => {
    const [mine, other] = [await createMerchant(fixture()), await createMerchant(fixture())];
    const stream = await listen(fixture().baseUrl, (await createUser(fixture(), 'viewer', {}, mine)).headers);
    const all = await listen(fixture().baseUrl, (await createUser(fixture(), 'viewer', { allMerchants: true })).headers);
    await trade(other);
    await settle(stream, all);
    expect([...stream.topics]).toEqual(['clock']);
    expect([...all.topics]).toEqual(expect.arrayContaining(['transactions', 'webhooks', 'customers', 'items', 'merchants', 'to-do']));
    await trade(mine);
    await settle(stream);
    expect([...stream.topics]).toEqual(expect.arrayContaining(['transactions', 'webhooks', 'customers', 'items', 'merchants']));
    for (const { stop } of [stream, all]) stop();
  });

  test('tells a caller only what its permissions let it read, from the next change after they were reduced', async () => {
    const { api, baseUrl } = fixture();
    const merchantId = await createMerchant(fixture());
    const cashier = await createUser(fixture(), 'cashier', {}, merchantId);
    const stream = await listen(baseUrl, cashier.headers);
    await trade(merchantId);
    await settle(stream);
    expect(stream.topics.has('transactions')).toBe(true);
    expect(stream.topics.has('webhooks')).toBe(false);
    await expectData(api.admin.post(`/users/${cashier.userId}/permissions`, { permissions: ['customers:read'] }));
    await settle(stream);
    stream.topics.clear();
    await trade(merchantId);
    await settle(stream);
    expect([...stream.topics].toSorted()).toEqual(['clock', 'customers', 'merchants', 'to-do']);
    stream.stop();
  });

  test('follows a change of the role and a limit of the merchant', async () => {
    const { api, baseUrl } = fixture();
    const merchantId = await createMerchant(fixture());
    const name = `Reader ${merchantId}`;
    const role = await expectData(api.admin.post<{ id: string }>('/roles', { name, permissions: ['items:read', 'customers:read'] }), 201);
    const stream = await listen(baseUrl, (await createUser(fixture(), name, {}, merchantId)).headers);
    const heard = async () => {
      await settle(stream);
      stream.topics.clear();
      await trade(merchantId);
      await settle(stream);
      return [...stream.topics].toSorted();
    };
    expect(await heard()).toEqual(['clock', 'customers', 'items', 'merchants', 'to-do']);
    await expectData(api.admin.put(`/roles/${role.id}`, { permissions: ['items:read', 'customers:write'] }));
    expect(await heard()).toEqual(['clock', 'items', 'merchants']);
    await expectData(api.admin.put(`/merchants/${merchantId}/permissions`, { permissions: ['transactions:read'] }));
    expect(await heard()).toEqual(['clock', 'merchants']);
    stream.stop();
  });

  test('ends the stream of a user whose role no longer accepts the address', async () => {
    const { api, baseUrl } = fixture();
    const merchantId = await createMerchant(fixture());
    const name = `Office ${merchantId}`;
    const role = await expectData(api.admin.post<{ id: string }>('/roles', { name, permissions: ['items:read'] }), 201);
    const stream = await listen(baseUrl, (await createUser(fixture(), name, {}, merchantId)).headers);
    await settle(stream);
    await expectData(api.admin.put(`/roles/${role.id}`, { allowedAddresses: ['203.0.113.7'] }));
    await trade(merchantId);
    await until('the stream to end', () => stream.hasEnded);
    expect([...stream.topics]).not.toContain('items');
  });
});

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
