import { TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError, onBothDatabases } from '../../support/server.ts';
import { createUser, type SignedInUser, type Tokens } from '../../support/users.ts';

// The server runs in this process, so that its real time can be moved: each code works once, and an address may sign in thirty times a minute.
let elapsed = 0;
const wait = (seconds: number) => {
  elapsed += seconds;
  vi.useFakeTimers({ toFake: ['Date'], now: startedAt + elapsed * 1_000 });
};
const startedAt = Date.now();
// Each test starts in its own minute, within the fifteen minutes of the administrator's token.
let tests = 0;
beforeEach(() => {
  tests += 1;
  elapsed = 0;
  wait((tests % 10) * 61);
});
afterEach(() => {
  vi.useRealTimers();
});

interface Enrollment {
  secret: string;
  uri: string;
  qrCode: string;
}
interface Otp {
  otpRequired: true;
  otpId: string;
  channel: string;
  destination: string | null;
}

/** A code of the app; a new one each time, because each works once. */
function nextCode(secret: string): string {
  wait(30);
  return new TOTP({ secret }).generate();
}

/** A user with an authenticator app, and its recovery codes. */
async function withApp(fixture: ApiFixture, role = 'cashier') {
  const { bare } = fixture.api;
  const user = await createUser(fixture, role);
  const confirmed = { currentPassword: user.password };
  const { secret } = await expectData(bare.post<Enrollment>('/api/v1/auth/two-factor/totp', confirmed, user.headers));
  const path = '/api/v1/auth/two-factor/totp/confirm';
  const { recoveryCodes } = await expectData(bare.post<{ recoveryCodes: string[] }>(path, { code: nextCode(secret) }, user.headers));
  return { user, secret, recoveryCodes };
}

const signIn = ({ api, credentials }: ApiFixture, { email, password }: SignedInUser) =>
  expectData(api.bare.post<Otp>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': credentials.tenantId }));

describeOnAnyDatabase('authenticator apps', (fixture) => {
  test('signs in with a code of the app, which works once', async () => {
    const { bare } = fixture().api;
    const { user, secret, recoveryCodes } = await withApp(fixture());
    expect(new Set(recoveryCodes).size).toBe(10);
    const otp = await signIn(fixture(), user);
    expect(otp).toMatchObject({ otpRequired: true, channel: 'totp', destination: null });
    await expectError(bare.post('/api/v1/auth/resend-otp', { otpId: otp.otpId }), 409, 'RESOURCE_CONFLICT');
    const code = nextCode(secret);
    const verify = (otpId: string) => bare.post<Tokens>('/api/v1/auth/verify-otp', { otpId, code });
    await expectData(verify(otp.otpId));
    const again = await signIn(fixture(), user);
    await expectError(verify(again.otpId), 400, 'VALIDATION_ERROR', 'code');
  });

  test('signs in with each recovery code once', async () => {
    const { bare } = fixture().api;
    const { user, recoveryCodes } = await withApp(fixture());
    const [code = ''] = recoveryCodes;
    const { otpId } = await signIn(fixture(), user);
    const { token } = await expectData(bare.post<Tokens>('/api/v1/auth/verify-otp', { otpId, code: code.toUpperCase().replace('-', ' ') }));
    const headers = { ...user.headers, Authorization: `Bearer ${token}` };
    expect(await expectData(bare.get('/api/v1/auth/two-factor', headers))).toEqual({ method: 'totp', recoveryCodesLeft: 9 });
    const again = await signIn(fixture(), user);
    await expectError(bare.post('/api/v1/auth/verify-otp', { otpId: again.otpId, code }), 400, 'VALIDATION_ERROR', 'code');
  });
});

describeOnAnyDatabase('changes of the second factor', (fixture) => {
  test('requires only the password until the first code of the app is confirmed', async () => {
    const { bare } = fixture().api;
    const user = await createUser(fixture(), 'cashier');
    await expectError(bare.post('/api/v1/auth/two-factor/totp/confirm', { code: '123456' }, user.headers), 409, 'RESOURCE_CONFLICT');
    const enroll = (currentPassword?: string) => bare.post<Enrollment>('/api/v1/auth/two-factor/totp', { currentPassword }, user.headers);
    await expectError(enroll(), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    await expectError(enroll('not the password'), 400, 'VALIDATION_ERROR', 'currentPassword');
    const { uri, qrCode } = await expectData(enroll(user.password));
    expect(uri).toMatch(/^otpauth:\/\/totp\/Paydesk:/);
    expect(qrCode).toMatch(/^data:image\/png;base64,/);
    await expectError(bare.post('/api/v1/auth/two-factor/totp/confirm', { code: '000000' }, user.headers), 400, 'VALIDATION_ERROR', 'code');
    expect(await signIn(fixture(), user)).toHaveProperty('token');
  });

  test('requires the password and a code of the app to turn it off', async () => {
    const { bare } = fixture().api;
    const { user, secret } = await withApp(fixture());
    const off = (confirmation: object) => bare.put('/api/v1/auth/two-factor', { enabled: false, ...confirmation }, user.headers);
    const currentPassword = user.password;
    await expectError(off({}), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    await expectError(off({ currentPassword }), 400, 'REQUIRED_FIELD_MISSING', 'currentCode');
    await expectError(off({ currentPassword, currentCode: '000000' }), 400, 'VALIDATION_ERROR', 'currentCode');
    expect(await expectData(off({ currentPassword, currentCode: nextCode(secret) }))).toMatchObject({ twoFactor: 'off' });
    expect(await expectData(bare.get('/api/v1/auth/two-factor', user.headers))).toEqual({ method: 'off', recoveryCodesLeft: 0 });
    expect(await signIn(fixture(), user)).toHaveProperty('token');
  });

  test('requires a code of the app to create an API key', async () => {
    const { bare } = fixture().api;
    const { user, secret } = await withApp(fixture(), 'admin');
    const key = { name: 'shop', scope: 'merchant', merchantId: fixture().credentials.merchantId, currentPassword: user.password };
    const create = (more: object) => bare.post('/api/v1/api-keys', { ...key, ...more }, user.headers);
    await expectError(create({}), 400, 'REQUIRED_FIELD_MISSING', 'currentCode');
    await expectData(create({ currentCode: nextCode(secret) }), 201);
  });

  test('locks confirmations after ten wrong codes, and leaves sign-ins open', async () => {
    const { api, credentials } = fixture();
    const { user } = await withApp(fixture());
    const body = { enabled: false, currentPassword: user.password, currentCode: '000000' };
    for (let attempt = 0; attempt < 10; attempt += 1) await api.bare.put('/api/v1/auth/two-factor', body, user.headers);
    const locked = await expectError(
      api.bare.put('/api/v1/auth/two-factor', body, user.headers),
      400,
      'VALIDATION_ERROR',
      'currentPassword',
    );
    expect(locked.message).toContain('Confirmations are locked');
    const login = { email: user.email, password: user.password };
    await expectData(api.bare.post('/api/v1/auth/login', login, { 'X-Tenant-ID': credentials.tenantId }));
  });

  test('replaces the recovery codes with new ones', async () => {
    const { bare } = fixture().api;
    const { user, secret, recoveryCodes } = await withApp(fixture());
    const confirmed = { currentPassword: user.password, currentCode: nextCode(secret) };
    const path = '/api/v1/auth/two-factor/recovery-codes';
    const renewed = await expectData(bare.post<{ recoveryCodes: string[] }>(path, confirmed, user.headers));
    const verify = async (code = '') => bare.post('/api/v1/auth/verify-otp', { otpId: (await signIn(fixture(), user)).otpId, code });
    await expectError(verify(recoveryCodes[0]), 400, 'VALIDATION_ERROR', 'code');
    await expectData(verify(renewed.recoveryCodes[0]));
  });

  test('lets users with the permission to manage a user turn it off for that user', async () => {
    const { api, credentials } = fixture();
    const { user } = await withApp(fixture(), 'manager');
    const path = `/api/v1/merchants/${credentials.merchantId}/users/${user.userId}/two-factor`;
    const manager = await createUser(fixture(), 'manager');
    const confirmed = ({ password }: SignedInUser) => ({ currentPassword: password });
    await expectError(api.bare.delete(path, manager.headers, confirmed(manager)), 403, 'PERMISSION_DENIED');
    const admin = await createUser(fixture(), 'admin');
    await expectError(api.bare.delete(path, admin.headers), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    expect(await expectData(api.bare.delete(path, admin.headers, confirmed(admin)))).toMatchObject({ twoFactor: 'off' });
  });

  test('requires the current password to change it, and ends every other session', async () => {
    const { bare } = fixture().api;
    const user = await createUser(fixture(), 'viewer');
    const { tenantId } = fixture().credentials;
    const other = await expectData(
      bare.post<Tokens>('/api/v1/auth/login', { email: user.email, password: user.password }, { 'X-Tenant-ID': tenantId }),
    );
    const change = (currentPassword: string, newPassword: string) =>
      bare.put('/api/v1/auth/password', { currentPassword, newPassword }, user.headers);
    await expectError(change('not the password', 'an entirely new password'), 400, 'VALIDATION_ERROR', 'currentPassword');
    await expectError(change(user.password, 'short'), 400, 'VALIDATION_ERROR', 'newPassword');
    await expectData(change(user.password, 'an entirely new password'));
    await expectData(bare.get('/api/v1/auth/me', user.headers));
    await expectError(
      bare.get('/api/v1/auth/me', { 'X-Tenant-ID': tenantId, Authorization: `Bearer ${other.token}` }),
      401,
      'TOKEN_INVALID',
    );
    expect(await signIn(fixture(), { ...user, password: 'an entirely new password' })).toHaveProperty('token');
  });
});

onBothDatabases('accepts one of ten parallel sign-ins with the same code of an authenticator app', async (fixture) => {
  const { bare } = fixture.api;
  const { user, secret } = await withApp(fixture);
  const otps = await Promise.all(Array.from({ length: 10 }, () => signIn(fixture, user)));
  const code = nextCode(secret);
  const answers = await Promise.all(otps.map(({ otpId }) => bare.post('/api/v1/auth/verify-otp', { otpId, code })));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
});
