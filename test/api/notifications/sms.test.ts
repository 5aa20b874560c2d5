import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Api, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { ACCOUNT, FROM, SERVICE, startTextServer, type TextServer, TOKEN } from './fake-sms-provider.ts';
import { advance, channelOf, forget, messageTo, putChannel, sent, tried } from './outbox.ts';

const SMS = '/notifications/channels/sms';

let provider: TextServer;
beforeAll(async () => {
  provider = await startTextServer();
});
afterEach(() => {
  provider.answer = () => undefined;
});
afterAll(() => provider.stop());

const setUp = (api: Api, more: Record<string, unknown> = {}) =>
  expectData(
    putChannel(api, SMS, {
      provider: 'twilio',
      accountSid: ACCOUNT,
      authToken: TOKEN,
      from: FROM,
      apiUrl: provider.apiUrl,
      ...more,
    }),
  );

let made = 0;
/** Returns a number that nothing else in the file uses. */
const freshNumber = () => `+1207555${String(1_000 + ++made)}`;

/** Queues a text message like one to a customer: a refused test message that is sent again by hand. */
async function queueText({ admin }: Api, to: string): Promise<string> {
  const own = provider.answer;
  provider.answer = () => ({ status: 500 });
  await expectData(admin.post(`${SMS}/test`, { to }));
  provider.answer = own;
  const [message] = await expectData(admin.get<{ messageId: string }[]>(`/notifications/messages?q=${encodeURIComponent(to)}`));
  const messageId = message?.messageId ?? '';
  await expectData(admin.post(`/notifications/messages/${messageId}/resend`));
  return messageId;
}

describeOnAnyDatabase('text messages', (fixture) => {
  test("sends a text message in Twilio's format, by number or messaging service", async () => {
    const { api } = fixture();
    const state = await setUp(api);
    expect(state.settings).toEqual({ provider: 'twilio', accountSid: ACCOUNT, from: FROM, apiUrl: provider.apiUrl, hasToken: true });
    for (const from of [FROM, SERVICE]) {
      await setUp(api, { from });
      const to = freshNumber();
      expect(await expectData(api.admin.post(`${SMS}/test`, { to }))).toEqual({ ok: true });
      expect(provider.to(to)).toEqual([{ to, body: expect.stringContaining('This is a test'), sender: from }]);
      expect(await messageTo(api, to)).toMatchObject({ channel: 'sms', status: 'sent', subject: null });
    }
    expect(provider.faults).toEqual([]);
  });

  test('retries a temporarily failing provider by the clock', async () => {
    const { api } = fixture();
    await setUp(api);
    provider.answer = () => ({ status: 503, message: 'upstream' });
    const to = freshNumber();
    await queueText(api, to);
    expect(await tried(api, to)).toMatchObject({ status: 'queued', attempts: 1, lastError: expect.stringContaining('503') });
    provider.answer = () => undefined;
    await advance(api, 61);
    expect(await sent(api, to)).toMatchObject({ attempts: 2, lastError: null });
    expect(provider.to(to)).toHaveLength(1);
  });

  test('quotes no code and no card number from the response of a provider', async () => {
    const { api } = fixture();
    await setUp(api);
    provider.answer = ({ body }) => ({ status: 400, code: 30007, message: `Filtered: ${body} 4111111111111111` });
    const to = freshNumber();
    await expectData(api.public.post('/otp/generate', { type: 'sms', destination: to }));
    const { lastError } = await tried(api, to);
    expect(lastError).toContain('Filtered');
    expect(lastError).not.toMatch(/\d{6,}/);
  });

  test.each([
    [21211, 'The number is not valid'],
    [21610, 'The recipient has said stop'],
    [21614, 'The number is no mobile'],
  ])('fails a message that Twilio refuses for good (%i) with its reason', async (code, message) => {
    const { api } = fixture();
    await setUp(api);
    provider.answer = () => ({ status: 400, code, message });
    const to = freshNumber();
    await queueText(api, to);
    const failed = await tried(api, to);
    expect(failed).toMatchObject({ status: 'failed', attempts: 1, nextTryAt: null });
    expect(failed.lastError).toContain(message);
    expect(failed.lastError).toContain(String(code));
  });

  test('keeps every message while the token is refused, and never shows the token', async () => {
    const { api } = fixture();
    await setUp(api);
    const to = freshNumber();
    await queueText(api, freshNumber());
    await setUp(api, { authToken: 'canary of another token' });
    provider.answer = () => undefined;
    await queueText(api, to);
    const kept = await tried(api, to);
    expect(kept).toMatchObject({ status: 'queued', attempts: 0 });
    const state = await channelOf(api, 'sms');
    expect(state.lastError).toContain('20003');
    expect(JSON.stringify([kept, state])).not.toMatch(/canary|Y2FuYXJ5/);
    await setUp(api);
    await sent(api, to);
    expect(await channelOf(api, 'sms')).toMatchObject({ lastError: null });
  });

  test('validates settings, and requires the token again for another address or account', async () => {
    const { api } = fixture();
    await forget(fixture(), 'sms');
    const base = { accountSid: ACCOUNT, from: FROM };
    await expectError(putChannel(api, SMS, base), 400, 'REQUIRED_FIELD_MISSING', 'authToken');
    await expectError(putChannel(api, SMS, { ...base, authToken: 't', accountSid: 'AC1' }), 400, 'VALIDATION_ERROR', 'accountSid');
    await expectError(putChannel(api, SMS, { ...base, authToken: 't', from: '555 0142' }), 400, 'VALIDATION_ERROR', 'from');
    await expectError(putChannel(api, SMS, { ...base, authToken: 't', apiUrl: 'ftp://x' }), 400, 'VALIDATION_ERROR', 'apiUrl');
    await expectError(putChannel(api, SMS, { ...base, provider: 'pigeon' }), 400, 'VALIDATION_ERROR', 'provider');
    const made = await expectData(putChannel(api, SMS, { ...base, authToken: TOKEN }));
    expect(made.settings).toMatchObject({ apiUrl: 'https://api.twilio.com' });
    await expectError(putChannel(api, SMS, { apiUrl: provider.apiUrl }), 400, 'REQUIRED_FIELD_MISSING', 'authToken');
    await expectError(api.admin.post(`${SMS}/test`, { to: '207 555 0142' }), 400, 'INVALID_PHONE', 'to');
    await expectData(putChannel(api, SMS, { from: SERVICE }));
  });

  test('uses HTTPS with certificate verification for a provider in private networks', async () => {
    const { api } = fixture();
    const secure = await startTextServer('https');
    await setUp(api, { apiUrl: secure.apiUrl });
    const to = freshNumber();
    expect(await expectData(api.admin.post(`${SMS}/test`, { to }))).toEqual({ ok: true });
    expect(secure.to(to)).toHaveLength(1);
    await secure.stop();
    const gone = await expectData(api.admin.post<{ error: string }>(`${SMS}/test`, { to }));
    expect(gone.error).toContain('could not be reached');
  });

  test('follows no redirect', async () => {
    const { api } = fixture();
    await setUp(api);
    provider.answer = () => ({ status: 307 });
    const to = freshNumber();
    const answer = await expectData(api.admin.post<{ ok: boolean; error: string }>(`${SMS}/test`, { to }));
    expect(answer).toEqual({ ok: false, error: expect.stringContaining('307') });
  });
});
