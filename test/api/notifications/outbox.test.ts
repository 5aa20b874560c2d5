import { afterAll, beforeAll, expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { ANY_DATABASE, type Answer, describeOnAnyDatabase, expectData, expectError, FULL, startTestServer } from '../../support/server.ts';
import { storedData } from '../../support/stored-data.ts';
import { createUser } from '../../support/users.ts';
import { type MailServer, startMailServer } from './fake-mail-server.ts';
import {
  advance,
  type ChannelRecord,
  forget,
  freshAddress,
  type MessageRecord,
  messageTo,
  sent,
  setMailServer,
  settingsFor,
  settled,
  tellOfRefund,
} from './outbox.ts';

let mail: MailServer;
beforeAll(async () => {
  mail = await startMailServer();
});
afterAll(() => mail.stop());

describeOnAnyDatabase('the outbox', (fixture) => {
  test('filters messages by channel, status, kind, recipient and related record', async () => {
    const { api } = fixture();
    const to = freshAddress();
    const transactionId = await tellOfRefund(api, to);
    const list = (query: string) => expectData(api.admin.get<MessageRecord[]>(`/notifications/messages?${query}`));
    const [found] = await list(`resourceId=${transactionId}`);
    expect(found).toMatchObject({
      to,
      kind: 'refund',
      status: 'waiting',
      channel: 'email',
      subject: 'Your refund of 5.00 USD',
      attachment: null,
    });
    for (const query of [`q=${to.slice(0, -3).toUpperCase()}`, `kind=refund&q=${to}`, `status=waiting&q=${to}`, `channel=email&q=${to}`])
      expect((await list(query)).map(({ messageId }) => messageId)).toEqual([found?.messageId]);
    for (const query of [`kind=code&q=${to}`, `status=sent&q=${to}`, `channel=sms&q=${to}`, 'q=%25%25', 'q=_______________________@'])
      expect(await list(query)).toEqual([]);
    await tellOfRefund(api, `x${to}`);
    for (const part of [to, to.slice(1)]) expect((await list(`q=${part}`)).map((message) => message.to)).toEqual([`x${to}`, to]);
    await expectError(api.admin.get('/notifications/messages?status=lost'), 400, 'VALIDATION_ERROR', 'status');
    expect(await expectData(api.admin.get(`/notifications/messages/${found?.messageId}`))).toEqual(found);
    await expectError(api.admin.get('/notifications/messages/msg_none'), 404, 'NOT_FOUND');
    await expectError(api.admin.post('/notifications/messages/msg_none/resend'), 404, 'NOT_FOUND');
  });

  test('shows callers of one merchant its messages only, and lets them set up no channel', async () => {
    const { api } = fixture();
    const to = freshAddress();
    await tellOfRefund(api, to);
    const { messageId } = await messageTo(api, to);
    const other = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Second' }), 201);
    const { headers } = await createUser(fixture(), 'admin', {}, other.merchantId);
    const path = `/api/v1/notifications/messages/${messageId}`;
    for (const query of ['', `?q=${to}`, `?q=${to.slice(1)}`])
      expect(await expectData(api.bare.get(`/api/v1/notifications/messages${query}`, headers))).toEqual([]);
    await expectError(api.bare.get(path, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.bare.post(`${path}/resend`, {}, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    const channel = '/api/v1/notifications/channels/email';
    await expectError(api.bare.put(channel, settingsFor(mail), headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.post(`${channel}/test`, { to: 'a@b.example' }, headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.bare.delete(channel, headers), 403, 'PERMISSION_DENIED');
  });

  test('shows codes to users of the sandbox tools, and not to cashiers', async () => {
    const { api } = fixture();
    await expectData(api.public.post('/otp/generate', { type: 'sms', destination: '+12075550177' }));
    const { headers } = await createUser(fixture(), 'cashier');
    const path = '/notifications/messages?limit=50';
    type Shown = { isSecret: boolean; body: string; to: string };
    const secrets = async (answer: Promise<Answer<Shown[]>>) => (await expectData(answer)).filter(({ isSecret }) => isSecret);
    expect((await secrets(api.admin.get<Shown[]>(path))).some(({ body }) => /\d{6}/.test(body))).toBe(true);
    const seen = await secrets(api.bare.get<Shown[]>(`/api/v1${path}`, headers));
    expect(seen.some((message) => message.to === '+12075550177')).toBe(true);
    expect(seen.map(({ body }) => body).join('')).toBe('');
  });

  test('sends no expired code, and no code twice', async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    mail.answer = () => ({ code: 451, text: 'later' });
    const to = freshAddress();
    await expectData(api.public.post('/otp/generate', { type: 'email', destination: to }));
    await expect.poll(async () => (await messageTo(api, to)).attempts).toBe(1);
    mail.answer = () => undefined;
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 30 }));
    mail.answer = () => ({ code: 451, text: 'later' });
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 601 }));
    mail.answer = () => undefined;
    const over = await messageTo(api, to);
    expect(over).toMatchObject({ status: 'expired', isSecret: true, body: '' });
    expect(mail.to(to)).toEqual([]);
    const refused = await expectError(api.admin.post(`/notifications/messages/${over.messageId}/resend`), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toEqual({ reason: 'secret' });
    const other = freshAddress();
    await expectData(api.public.post('/otp/generate', { type: 'email', destination: other }));
    const { messageId } = await sent(api, other);
    expect(mail.to(other)).toHaveLength(1);
    await expectError(api.admin.post(`/notifications/messages/${messageId}/resend`), 409, 'RESOURCE_CONFLICT');
    await forget(fixture(), 'email');
  });

  test('resends a link until it expires', FULL, async () => {
    const { api } = fixture();
    await setMailServer(api, mail);
    const to = freshAddress();
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const expiresAt = new Date(Date.parse(now) + 3_600_000).toISOString();
    const link = await expectData(api.admin.post<{ invoiceId: string }>('/payment-links', { amount: 12, expiresAt }), 201);
    await expectData(api.admin.post(`/invoices/${link.invoiceId}/send`, { email: to }));
    const { messageId, kind } = await sent(api, to);
    expect(kind).toBe('link');
    const again = `/notifications/messages/${messageId}/resend`;
    mail.answer = () => ({ code: 451, text: 'later' });
    await expectData(api.admin.post(again));
    await settled(api, to, ({ attempts }) => attempts === 1);
    await advance(api, 3_601);
    mail.answer = () => undefined;
    expect(await messageTo(api, to)).toMatchObject({ status: 'expired', nextTryAt: null });
    const refused = await expectError(api.admin.post(again), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toEqual({ reason: 'expired' });
    expect(mail.to(to)).toHaveLength(1);
    await forget(fixture(), 'email');
  });
});

test.each(ANY_DATABASE)('never stores or returns codes and passwords of a live account in clear text (%s)', async (database) => {
  const strict = await startMailServer({ login: { user: 'till', password: 'canary-smtp-password' } });
  const { server, dataDir, databaseUrl, stop } = await startTestServer(database, { privateHosts: `localhost:${strict.port}` }, 'none');
  try {
    const bare = surfaceOf(server.baseUrl, '/api/v1', () => ({}));
    const owner = {
      businessName: 'Pier',
      currency: 'USD',
      timezone: 'UTC',
      email: 'owner@pier.example',
      password: 'a long enough passphrase',
    };
    const made = await expectData(
      bare.post<{ token: string; tenantId: string; apiKey: string }>('/setup', { ...owner, environment: 'live' }),
    );
    const headers = { 'X-Tenant-ID': made.tenantId, authorization: `Bearer ${made.token}` };
    const api = surfaceOf(server.baseUrl, '/api/v1', () => headers);
    const { key } = await expectData(
      api.post<{ key: string }>('/api-keys', { name: 'shop', scope: 'tenant', currentPassword: owner.password }),
      201,
    );
    const shop = surfaceOf(server.baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': made.tenantId, 'x-api-key': key }));
    const login = { user: 'till', password: 'canary-smtp-password' };
    const settings = settingsFor(strict, login);
    const confirmed = { currentPassword: owner.password };
    // A mail server in a private network may be used without TLS, another one may not.
    await expectError(
      api.put('/notifications/channels/email', { ...settings, ...confirmed, host: '8.8.8.8' }),
      400,
      'VALIDATION_ERROR',
      'security',
    );
    // Private hosts that the operator has not allowed are never reached, in any spelling.
    for (const host of ['127.0.0.1', '127.0.0.2', '10.0.0.5', '::1', '::ffff:127.0.0.1', '::127.0.0.1', '169.254.169.254']) {
      const refused = api.put('/notifications/channels/email', { ...settings, ...confirmed, host });
      expect((await expectError(refused, 400, 'VALIDATION_ERROR', 'host')).message).toContain('--private-hosts');
    }
    const otherPort = api.put('/notifications/channels/email', { ...settings, ...confirmed, port: 22 });
    await expectError(otherPort, 400, 'VALIDATION_ERROR', 'host');
    await expectError(
      api.put('/notifications/channels/sms', {
        ...confirmed,
        accountSid: `AC${'0'.repeat(32)}`,
        authToken: 't',
        from: 'Pier',
        apiUrl: 'http://127.0.0.1:9',
      }),
      400,
      'VALIDATION_ERROR',
      'apiUrl',
    );
    const text = { accountSid: `AC${'0'.repeat(32)}`, authToken: 't', from: 'Pier', apiUrl: `https://127.0.0.1:${strict.port}` };
    await expectData(api.put('/notifications/channels/sms', { ...text, ...confirmed }));
    expect(await expectData(api.post('/notifications/channels/sms/test', { to: '+12075550142' }))).toEqual({
      ok: false,
      error: expect.stringContaining("Messages can't be sent to "),
    });
    await expectData(api.delete('/notifications/channels/sms', {}, confirmed));
    await expectData(api.put<ChannelRecord>('/notifications/channels/email', { ...settings, ...confirmed }));
    strict.answer = (to) => (to === 'waits@pier.example' ? { code: 451, text: 'later' } : undefined);
    for (const destination of ['goes@pier.example', 'waits@pier.example'])
      await expectData(shop.post('/otp/generate', { type: 'email', destination }));
    await expect
      .poll(async () =>
        (await expectData(api.get<MessageRecord[]>('/notifications/messages?kind=code'))).every(({ attempts }) => attempts === 1),
      )
      .toBe(true);
    const listed = await expectData(api.get<MessageRecord[]>('/notifications/messages?kind=code'));
    expect(listed).toMatchObject([
      { to: 'waits@pier.example', status: 'queued', isSecret: true, body: '' },
      { to: 'goes@pier.example', status: 'sent', isSecret: true, body: '' },
    ]);
    const code = /\b\d{6}\b/.exec(strict.to('goes@pier.example')[0]?.text ?? '')?.[0] ?? '';
    expect(code).toMatch(/^\d{6}$/);
    const kept = await storedData(dataDir, databaseUrl);
    expect(kept).toContain('waits@pier.example');
    for (const secret of [`is ${code}`, 'canary-smtp-password', Buffer.from('canary-smtp-password').toString('base64')])
      expect(kept.includes(secret)).toBe(false);
    await expectError(api.get('/sandbox/messages'), 404, 'NOT_FOUND');
  } finally {
    await strict.stop();
    await stop();
  }
});
