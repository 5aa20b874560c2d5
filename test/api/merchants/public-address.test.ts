import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { later, refreshed } from '../../support/earlier-sign-in.ts';
import { startLiveServer } from '../../support/live-server.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser } from '../../support/users.ts';

interface Message {
  readonly to: string;
  readonly subject: string | null;
}

/** Starts an HTTP server in front of another one. `forwards` is false for a server of a stranger. */
async function startProxy(target: () => string, forwards: boolean) {
  let received = 0;
  const server = createServer((incoming, outgoing) => {
    received += 1;
    if (!proxy.forwards) return void outgoing.writeHead(200).end('f'.repeat(64));
    request(`${target()}${incoming.url}`, { headers: incoming.headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = { url, forwards, received: () => received, close: () => server.close() };
  return proxy;
}

describeOnAnyDatabase('The public address of pay pages', (fixture) => {
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let stranger: Awaited<ReturnType<typeof startProxy>>;
  beforeAll(async () => {
    proxy = await startProxy(() => fixture().baseUrl, true);
    stranger = await startProxy(() => fixture().baseUrl, false);
  });
  afterAll(() => {
    proxy?.close();
    stranger?.close();
  });

  test('is refused from everyone but owners, who confirm the change', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const path = `/api/v1/merchants/${merchantId}/settings`;
    for (const role of ['manager', 'admin']) {
      const user = await createUser(fixture(), role, { allMerchants: true });
      const refused = await expectError(api.bare.put(path, { publicUrl: proxy.url }, user.headers), 403, 'PERMISSION_DENIED');
      expect(refused.details).toEqual({ permission: 'owner:addresses' });
      const before = await expectData(api.bare.get<{ publicUrl: null }>(path, user.headers));
      await expectData(api.bare.put(path, before, user.headers));
    }
    const owner = await createUser(fixture(), 'owner');
    await later(16, async () => {
      const headers = await refreshed(fixture(), owner);
      const refused = await expectError(api.bare.put(path, { publicUrl: proxy.url }, headers), 403, 'PERMISSION_DENIED');
      expect(refused.details).toMatchObject({ reason: 'confirmation_required' });
    });
    expect(proxy.received()).toBe(0);
    await expectData(api.bare.put(path, { publicUrl: proxy.url }, owner.headers));
  });

  test('must lead to this server', async () => {
    const { api } = fixture();
    const path = `/merchants/${await createMerchant(fixture())}/settings`;
    for (const [publicUrl, reason] of [
      [stranger.url, 'address_of_another_server'],
      ['http://127.0.0.1:1', 'address_not_reached'],
      ['https://nowhere.invalid', 'address_not_reached'],
    ]) {
      const refused = await expectError(api.admin.put(path, { publicUrl }), 400, 'VALIDATION_ERROR', 'publicUrl');
      expect(refused.details).toMatchObject({ reason });
    }
    expect(await expectData(api.admin.get(path))).toMatchObject({ publicUrl: null });
  });

  test('is asked again for the system status, which names an address at which another server responds', async () => {
    const { api, credentials } = fixture();
    const path = `/merchants/${credentials.merchantId}/settings`;
    const moved = await startProxy(() => fixture().baseUrl, true);
    await expectData(api.admin.put(path, { publicUrl: moved.url }));
    moved.forwards = false;
    const item = async () =>
      (await expectData(api.admin.get<{ items: { name: string }[] }>('/system/status'))).items.find(
        ({ name }) => name === 'public-address',
      );
    await expect
      .poll(item)
      .toMatchObject({ state: 'problem', message: `${new URL(moved.url).host} cannot be reached by payers: Another server responds.` });
    await expectData(api.admin.put(path, { publicUrl: null }));
    moved.close();
  });

  test('is recorded, shown beside the former one, and emailed to every owner', async () => {
    const { api, credentials } = fixture();
    const merchantId = await createMerchant(fixture(), { name: 'Lighthouse' });
    const owner = await createUser(fixture(), 'owner');
    await expectData(api.admin.put(`/merchants/${merchantId}/settings`, { publicUrl: proxy.url }));
    expect(await expectData(api.admin.get(`/merchants/${merchantId}`))).toMatchObject({
      publicUrlChange: { from: null, to: proxy.url, changedBy: credentials.adminEmail, changedAt: expect.any(String) },
    });
    const messages = await expectData(api.admin.get<Message[]>('/sandbox/messages?limit=200'));
    const told = messages.filter(({ subject }) => subject === 'The public address of Lighthouse was changed').map(({ to }) => to);
    expect(told).toEqual(expect.arrayContaining([credentials.adminEmail, owner.email]));
    const activity = await expectData(api.admin.get<{ resource: string }[]>('/security-activity?kind=payer-address-changed'));
    expect(activity[0]).toMatchObject({ resource: `merchants/${merchantId}/settings` });
  });

  test('emails owners about webhook endpoints that another person changes', async () => {
    const { api } = fixture();
    const manager = await createUser(fixture(), 'manager', { allMerchants: true });
    const body = { url: 'https://receiver.example/hooks', events: ['*'] };
    const { id } = await expectData(api.bare.post<{ id: string }>('/api/v1/webhooks/endpoints', body, manager.headers), 201);
    await later(16, async () => {
      const headers = await refreshed(fixture(), manager);
      const path = `/api/v1/webhooks/endpoints/${id}`;
      for (const unconfirmed of [
        api.bare.post('/api/v1/webhooks/endpoints', body, headers),
        api.bare.put(path, { url: 'https://other.example' }, headers),
        api.bare.post(`${path}/rotate-secret`, {}, headers),
      ])
        await expectError(unconfirmed, 403, 'PERMISSION_DENIED');
      await expectData(api.bare.put(path, { status: 'disabled' }, headers));
    });
    const messages = await expectData(api.admin.get<(Message & { body: string })[]>('/sandbox/messages?limit=200'));
    const told = messages.filter(({ subject }) => subject === 'Someone changed where your Paydesk account sends data');
    expect(told.map(({ body: text }) => text).join()).toContain('https://receiver.example/hooks now receives events');
  });
});

test('a live account accepts only https addresses on the internet', async () => {
  const live = await startLiveServer('sqlite');
  try {
    const {
      api: { admin },
      merchantId,
    } = live;
    for (const publicUrl of ['http://pay.example', 'https://127.0.0.1:1', 'https://localhost', 'https://10.0.0.5', 'https://[::1]:4801'])
      await expectError(admin.put(`/merchants/${merchantId}/settings`, { publicUrl }), 400, 'VALIDATION_ERROR', 'publicUrl');
  } finally {
    await live.stop();
  }
});
