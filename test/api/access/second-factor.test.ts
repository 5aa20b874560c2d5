import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser, signInAs, type Tokens } from '../../support/users.ts';

// The server runs in this process, so that its real time can be moved.
const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
// An address may send thirty requests a minute without a credential, so each test starts 45 seconds after the previous one. The administrator's token of
// 15 minutes is sufficient for all of them, on both databases.
let begun = 0;
beforeEach(() => {
  begun += 1;
  later(begun * 45);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Otp {
  otpRequired: true;
  otpId: string;
  expiresIn: number;
  destination: string;
}
interface Message {
  to: string;
  subject: string | null;
  body: string;
}

/** The newest message to an address. */
async function messageTo({ api }: ApiFixture, to: string): Promise<Message> {
  const messages = await expectData(api.admin.get<Message[]>('/sandbox/messages?limit=200'));
  const found = messages.find((message) => message.to === to);
  if (!found) throw new Error(`there is a message to ${to}`);
  return found;
}

const codeIn = ({ body }: Message) => /\b\d{6}\b/.exec(body)?.[0] ?? '';
const linkIn = ({ body }: Message) => /token=(\S+)/.exec(body)?.[1] ?? '';

async function withSecondFactor(fixture: ApiFixture) {
  const { api, credentials } = fixture;
  const user = await createUser(fixture, 'cashier');
  await expectData(
    api.bare.put('/api/v1/auth/two-factor', { enabled: true, channel: 'email', currentPassword: user.password }, user.headers),
  );
  const knock = () =>
    expectData(
      api.bare.post<Otp>('/api/v1/auth/login', { email: user.email, password: user.password }, { 'X-Tenant-ID': credentials.tenantId }),
    );
  return { user, knock };
}

describeOnAnyDatabase('the second factor', (fixture) => {
  test('requires the code after a correct password, and accepts it once', async () => {
    const { api } = fixture();
    const { user, knock } = await withSecondFactor(fixture());
    const otp = await knock();
    expect(otp).toMatchObject({ otpRequired: true, expiresIn: 600 });
    expect(otp).not.toHaveProperty('token');
    expect(otp.destination).not.toContain(user.email.split('@')[0]);
    const code = codeIn(await messageTo(fixture(), user.email));
    const tokens = await expectData(
      api.bare.post<Tokens>('/api/v1/auth/verify-otp', { otpId: otp.otpId, code: `${code.slice(0, 3)} ${code.slice(3)}` }),
    );
    await expectData(api.bare.get('/api/v1/auth/me', { ...user.headers, Authorization: `Bearer ${tokens.token}` }));
    await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId: otp.otpId, code }), 404, 'NOT_FOUND');
  });

  test('invalidates a code after five wrong attempts', async () => {
    const { api } = fixture();
    const { user, knock } = await withSecondFactor(fixture());
    const { otpId } = await knock();
    const code = codeIn(await messageTo(fixture(), user.email));
    const wrong = code === '000000' ? '000001' : '000000';
    for (const left of [4, 3, 2, 1, 0]) {
      const error = await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code: wrong }), 400, 'VALIDATION_ERROR', 'code');
      expect(error.details).toEqual({ attemptsRemaining: left });
    }
    await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code }), 400, 'VALIDATION_ERROR', 'code');
  });
});

describeOnAnyDatabase('codes of the second factor', (fixture) => {
  test('sends a code again after thirty seconds, at most three times', async () => {
    const { api } = fixture();
    const { user, knock } = await withSecondFactor(fixture());
    const { otpId } = await knock();
    const first = codeIn(await messageTo(fixture(), user.email));
    const resend = () => api.bare.post('/api/v1/auth/resend-otp', { otpId });
    expect((await expectError(resend(), 429, 'RATE_LIMIT_EXCEEDED')).details?.retryAfter).toBeGreaterThan(25);
    for (let round = 1; round <= 3; round += 1) {
      later(31);
      await expectData(resend());
    }
    later(31);
    await expectError(resend(), 429, 'RATE_LIMIT_EXCEEDED');
    const last = codeIn(await messageTo(fixture(), user.email));
    if (first !== last) await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code: first }), 400, 'VALIDATION_ERROR');
    await expectData(api.bare.post('/api/v1/auth/verify-otp', { otpId, code: last }));
  });

  test("expires a code by the tenant's clock", async () => {
    const { api } = fixture();
    const { user, knock } = await withSecondFactor(fixture());
    const { otpId } = await knock();
    const code = codeIn(await messageTo(fixture(), user.email));
    await expectData(api.admin.post('/sandbox/clock', { advanceSeconds: 601 }));
    const error = await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code }), 400, 'VALIDATION_ERROR', 'code');
    expect(error.details).toEqual({ attemptsRemaining: 0 });
  });

  test('requires a phone number for codes by text message', async () => {
    const { api } = fixture();
    const { headers, password: currentPassword } = await createUser(fixture(), 'cashier');
    await expectError(
      api.bare.put('/api/v1/auth/two-factor', { enabled: true, channel: 'sms', currentPassword }, headers),
      400,
      'VALIDATION_ERROR',
      'channel',
    );
    const reachable = await createUser(fixture(), 'cashier', { phone: '+12075550142' });
    await expectData(
      api.bare.put('/api/v1/auth/two-factor', { enabled: true, channel: 'sms', currentPassword: reachable.password }, reachable.headers),
    );
  });

  test('counts wrong codes as wrong passwords and locks the account after ten', async () => {
    const { api, credentials } = fixture();
    const { user, knock } = await withSecondFactor(fixture());
    for (let round = 0; round < 2; round += 1) {
      const { otpId } = await knock();
      for (let attempt = 0; attempt < 5; attempt += 1) await api.bare.post('/api/v1/auth/verify-otp', { otpId, code: 'xxxxxx' });
      later(61);
    }
    await expectError(
      api.bare.post('/api/v1/auth/login', { email: user.email, password: user.password }, { 'X-Tenant-ID': credentials.tenantId }),
      401,
      'INVALID_CREDENTIALS',
    );
  });
});

describeOnAnyDatabase('forgotten passwords', (fixture) => {
  test('sets a new password by the link once, ends every session and unlocks the account', async () => {
    const { api, credentials } = fixture();
    const tenant = { 'X-Tenant-ID': credentials.tenantId };
    const user = await createUser(fixture(), 'viewer');
    for (let attempt = 0; attempt < 10; attempt += 1)
      await api.bare.post('/api/v1/auth/login', { email: user.email, password: 'wrong password' }, tenant);
    later(61);
    expect(await expectData(api.bare.post('/api/v1/auth/forgot-password', { email: user.email }, tenant))).toEqual({ sent: true });
    const token = linkIn(await messageTo(fixture(), user.email));
    const reset = (password: string) => api.bare.post('/api/v1/auth/reset-password', { token, password });
    await expectError(reset('too short'), 400, 'VALIDATION_ERROR', 'password');
    await expectData(reset('an entirely new password'));
    await expectError(reset('yet another password'), 401, 'TOKEN_INVALID', 'token');
    await expectError(api.bare.get('/api/v1/auth/me', user.headers), 401, 'TOKEN_INVALID');
    await expectError(api.bare.post('/api/v1/auth/refresh', { refreshToken: user.refreshToken }), 401, 'TOKEN_INVALID');
    await signInAs(fixture(), user.email, 'an entirely new password', credentials.tenantId);
  });

  test('accepts an invitation by its link within seven days', async () => {
    const { api, credentials } = fixture();
    const invite = (email: string) =>
      expectData(
        api.admin.post<{ inviteUrl: string; status: string }>(`/merchants/${credentials.merchantId}/users`, { email, role: 'cashier' }),
        201,
      );
    const { inviteUrl, status } = await invite('invited@demo.example');
    expect(status).toBe('invited');
    const token = new URLSearchParams(inviteUrl.split('?')[1]).get('token') ?? '';
    await expectData(api.bare.post('/api/v1/auth/reset-password', { token, password: 'chosen by the invited' }));
    await signInAs(fixture(), 'invited@demo.example', 'chosen by the invited', credentials.tenantId);
    const late = await invite('late@demo.example');
    later(8 * 86_400);
    await expectError(
      api.bare.post('/api/v1/auth/reset-password', {
        token: new URLSearchParams(late.inviteUrl.split('?')[1]).get('token') ?? '',
        password: 'chosen much too late',
      }),
      401,
      'TOKEN_EXPIRED',
    );
  });
});
