import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

// The server runs in this process, so that its real time can be moved.
const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  later(minutes * 61);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Sent {
  otpId: string;
  expiresAt: string;
}
interface Message {
  to: string;
  channel: string;
  subject: string | null;
  body: string;
}

async function messageTo({ api }: ApiFixture, to: string): Promise<Message> {
  const messages = await expectData(api.admin.get<Message[]>('/sandbox/messages?limit=200'));
  const found = messages.find((message) => message.to === to);
  if (!found) throw new Error(`there is a message to ${to}`);
  return found;
}
const codeIn = ({ body }: Message) => /\b\d{6}\b/.exec(body)?.[0] ?? '';

let made = 0;
const freshAddress = () => `customer${++made}@buyer.example`;

const generate = ({ api }: ApiFixture, destination: string, type = 'email') =>
  expectData(api.public.post<Sent>('/otp/generate', { type, destination }));

describeOnAnyDatabase('one-time passcodes', (fixture) => {
  test('sends a passcode from the merchant, valid once', async () => {
    const { api } = fixture();
    const to = freshAddress();
    const { otpId, expiresAt } = await generate(fixture(), to);
    expect(otpId).toMatch(/^otp_/);
    const message = await messageTo(fixture(), to);
    const { name } = await expectData(api.public.get<{ name: string }>('/getConfig'));
    expect(message.subject).toBe(`Your code for ${name}`);
    expect(message.body).toMatch(new RegExp(`^Your code for ${name} is \\d{6}\\.`));
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    expect(Date.parse(expiresAt) - Date.parse(now)).toBeGreaterThan(590_000);
    const code = codeIn(message);
    expect(await expectData(api.public.post('/otp/verify', { otpId, code }))).toEqual({ verified: true });
    await expectError(api.public.post('/otp/verify', { otpId, code }), 404, 'NOT_FOUND');
    await expectError(api.public.post('/otp/resend', { otpId }), 404, 'NOT_FOUND');
  });

  test('sends a passcode in the language of the merchant, and by text message on request', async () => {
    const { api, credentials } = fixture();
    const settings = `/merchants/${credentials.merchantId}/settings`;
    await expectData(api.admin.put(settings, { language: 'es' }));
    await generate(fixture(), '+12075550177', 'sms');
    await expectData(api.admin.put(settings, { language: 'en' }));
    expect(await messageTo(fixture(), '+12075550177')).toMatchObject({
      channel: 'sms',
      subject: null,
      body: expect.stringMatching(/^Su código para .* es \d{6}\./),
    });
  });

  test('refuses an invalid destination by its kind', async () => {
    const { api } = fixture();
    const ask = (type: string, destination: unknown) => api.public.post('/otp/generate', { type, destination });
    for (const destination of ['nobody', 'a@b', 'a b@c.example', 'a@b.example,c@d.example', ''])
      await expectError(ask('email', destination), 400, 'INVALID_EMAIL', 'destination');
    for (const destination of ['2075550142', '+1 207 555 0142', '+1', '+0123456789', 'a@b.example', '+12075550142;ext=1'])
      await expectError(ask('sms', destination), 400, 'INVALID_PHONE', 'destination');
    await expectError(ask('email', 'a@b.example\r\nBcc: c@d.example'), 400, 'VALIDATION_ERROR', 'destination');
    await expectError(ask('pigeon', 'a@b.example'), 400, 'VALIDATION_ERROR', 'type');
    await expectError(ask('email', 5), 400, 'VALIDATION_ERROR', 'destination');
    await expectError(api.public.post('/otp/generate', { type: 'sms' }), 400, 'REQUIRED_FIELD_MISSING', 'destination');
  });

  test('invalidates a passcode after five wrong attempts', async () => {
    const { api } = fixture();
    const to = freshAddress();
    const { otpId } = await generate(fixture(), to);
    const code = codeIn(await messageTo(fixture(), to));
    const wrong = code === '000000' ? '000001' : '000000';
    for (const left of [4, 3, 2, 1, 0]) {
      const error = await expectError(api.public.post('/otp/verify', { otpId, code: wrong }), 400, 'VALIDATION_ERROR', 'code');
      expect(error.details).toEqual({ attemptsRemaining: left });
    }
    await expectError(api.public.post('/otp/verify', { otpId, code }), 400, 'VALIDATION_ERROR', 'code');
  });

  test('resends a passcode after thirty seconds, at most three times; only the last one is valid', async () => {
    const { api } = fixture();
    const to = freshAddress();
    const { otpId } = await generate(fixture(), to);
    const resend = () => api.public.post<Sent>('/otp/resend', { otpId });
    const first = codeIn(await messageTo(fixture(), to));
    const early = await resend();
    expect(early.body.error.details).toMatchObject({ limit: 3, remaining: 0 });
    expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(25);
    for (let round = 1; round <= 3; round += 1) {
      later(31);
      expect(await expectData(resend())).toEqual({ otpId, expiresAt: expect.any(String) });
    }
    later(31);
    await expectError(resend(), 429, 'RATE_LIMIT_EXCEEDED');
    const last = codeIn(await messageTo(fixture(), to));
    if (first !== last) await expectError(api.public.post('/otp/verify', { otpId, code: first }), 400, 'VALIDATION_ERROR', 'code');
    await expectData(api.public.post('/otp/verify', { otpId, code: last }));
  });

  test('expires a passcode by the clock of the tenant', async () => {
    const { api } = fixture();
    const to = freshAddress();
    const { otpId } = await generate(fixture(), to);
    const code = codeIn(await messageTo(fixture(), to));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 601 }));
    const error = await expectError(api.public.post('/otp/verify', { otpId, code }), 400, 'VALIDATION_ERROR', 'code');
    expect(error.details).toEqual({ attemptsRemaining: 0 });
  });

  test('hides a passcode from other tenants and merchants, and does not accept a sign-in code as passcode', async () => {
    const { api, credentials } = fixture();
    const to = freshAddress();
    const { otpId } = await generate(fixture(), to);
    const code = codeIn(await messageTo(fixture(), to));
    later(31);
    await expectError(api.standard.post('/otp/verify', { otpId, code }), 404, 'NOT_FOUND');
    await expectError(api.standard.post('/otp/resend', { otpId }), 404, 'NOT_FOUND');
    const other = await expectData(api.admin.post<{ merchantId: string }>('/merchants', { name: 'Second' }), 201);
    const key = await expectData(
      api.admin.post<{ key: string }>('/api-keys', {
        name: 'second',
        scope: 'merchant',
        merchantId: other.merchantId,
        currentPassword: fixture().credentials.adminPassword,
      }),
      201,
    );
    const asSecond = { 'x-api-key': key.key };
    await expectError(api.public.post('/otp/verify', { otpId, code }, asSecond), 404, 'NOT_FOUND');
    await expectError(api.public.post('/otp/resend', { otpId }, asSecond), 404, 'NOT_FOUND');
    await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code }), 404, 'NOT_FOUND');
    await expectError(api.bare.post('/api/v1/auth/resend-otp', { otpId }), 404, 'NOT_FOUND');

    const user = await createUser(fixture(), 'cashier');
    await expectData(
      api.bare.put('/api/v1/auth/two-factor', { enabled: true, channel: 'email', currentPassword: user.password }, user.headers),
    );
    const signIn = await expectData(
      api.bare.post<Sent>('/api/v1/auth/login', { email: user.email, password: user.password }, { 'X-Tenant-ID': credentials.tenantId }),
    );
    const secret = codeIn(await messageTo(fixture(), user.email));
    later(31);
    await expectError(api.public.post('/otp/verify', { otpId: signIn.otpId, code: secret }), 404, 'NOT_FOUND');
    await expectError(api.public.post('/otp/resend', { otpId: signIn.otpId }), 404, 'NOT_FOUND');
    await expectData(api.bare.post('/api/v1/auth/verify-otp', { otpId: signIn.otpId, code: secret }));
    await expectData(api.public.post('/otp/verify', { otpId, code }));
  });

  test('records sent and verified passcodes in the audit log without the codes', async () => {
    const { api } = fixture();
    const to = freshAddress();
    const { otpId } = await generate(fixture(), to);
    const code = codeIn(await messageTo(fixture(), to));
    await expectData(api.public.post('/otp/verify', { otpId, code }));
    const entries = await expectData(api.admin.get<{ action: string }[]>(`/audit-logs?resource=public/otp/${otpId}`));
    expect(entries.map(({ action }) => action)).toEqual(['otp.verified', 'otp.sent']);
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`\\b${code}\\b`));
  });
});
