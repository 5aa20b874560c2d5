import { TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPerson, setPin } from '../../support/approvals.ts';
import { sendBefore } from '../../support/password-checks.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser, type SignedInUser, type Tokens } from '../../support/users.ts';

// An address may send thirty requests a minute without a credential, so each test has its own minute. The server runs in this process.
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 61_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const NEW_PASSWORD = 'an entirely new password';
const PIN = '481627';

interface Message {
  to: string;
  body: string;
}

const login = ({ api, credentials }: ApiFixture, { email, password }: Pick<SignedInUser, 'email' | 'password'>, client = {}) =>
  api.bare.post<Tokens & { otpId: string }>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': credentials.tenantId, ...client });

async function messageTo({ api }: ApiFixture, to: string): Promise<string> {
  const messages = await expectData(api.admin.get<Message[]>('/sandbox/messages?limit=200'));
  return messages.find((message) => message.to === to)?.body ?? '';
}

/** Returns the request of a person whose password others know: it sets a new one with an emailed link. */
async function resetOf(fixture: ApiFixture, { email }: Pick<SignedInUser, 'email'>) {
  const { api, credentials } = fixture;
  await expectData(api.bare.post('/api/v1/auth/forgot-password', { email }, { 'X-Tenant-ID': credentials.tenantId }));
  const token = /token=(\S+)/.exec(await messageTo(fixture, email))?.[1];
  return () => expectData(api.bare.post('/api/v1/auth/reset-password', { token, password: NEW_PASSWORD }));
}

async function withEmailedCodes(fixture: ApiFixture) {
  const user = await createUser(fixture, 'cashier');
  const body = { enabled: true, channel: 'email', currentPassword: user.password };
  await expectData(fixture.api.bare.put('/api/v1/auth/two-factor', body, user.headers));
  return user;
}

describeOnAnyDatabase('a password that is changed during a sign-in', (fixture) => {
  test('starts no session for the former password', async () => {
    const user = await createUser(fixture(), 'cashier');
    const reset = await resetOf(fixture(), user);
    const answer = await sendBefore(reset, () => login(fixture(), user));
    await expectError(answer, 401, 'INVALID_CREDENTIALS');
    await expectData(login(fixture(), { ...user, password: NEW_PASSWORD }));
  });

  test('sends no code for the former password', async () => {
    const user = await withEmailedCodes(fixture());
    const reset = await resetOf(fixture(), user);
    const answer = await sendBefore(reset, () => login(fixture(), user));
    await expectError(answer, 401, 'INVALID_CREDENTIALS');
  });

  test('ends sign-ins that wait for their code', async () => {
    const { api } = fixture();
    const user = await withEmailedCodes(fixture());
    const { otpId } = await expectData(login(fixture(), user));
    const code = /\b\d{6}\b/.exec(await messageTo(fixture(), user.email))?.[0];
    const reset = await resetOf(fixture(), user);
    await reset();
    await expectError(api.bare.post('/api/v1/auth/verify-otp', { otpId, code }), 404, 'NOT_FOUND');
  });

  test('starts no session without the second factor that was turned on', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'cashier');
    const enrolled = api.bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: user.password }, user.headers);
    const { secret } = await expectData(enrolled);
    const confirm = () =>
      expectData(api.bare.post('/api/v1/auth/two-factor/totp/confirm', { code: new TOTP({ secret }).generate() }, user.headers));
    await expectError(await sendBefore(confirm, () => login(fixture(), user)), 401, 'INVALID_CREDENTIALS');
  });
});

describeOnAnyDatabase('a user who is removed during a sign-in', (fixture) => {
  test('gets no session', async () => {
    const { api, credentials } = fixture();
    const user = await createUser(fixture(), 'cashier');
    const remove = () => expectData(api.admin.delete(`/merchants/${credentials.merchantId}/users/${user.userId}`));
    await expectError(await sendBefore(remove, () => login(fixture(), user)), 401, 'INVALID_CREDENTIALS');
  });
});

describeOnAnyDatabase('a PIN that is removed while it is checked', (fixture) => {
  test('takes over no screen', async () => {
    const { api, credentials } = fixture();
    const clerk = await createPerson(fixture(), 'cashier', credentials.merchantId);
    await setPin(clerk, PIN);
    const screen = { 'X-Tenant-ID': credentials.tenantId, 'X-Paydesk-Client': 'screen' };
    const { token } = await expectData(login(fixture(), await createUser(fixture(), 'cashier'), screen));
    const remove = () => expectData(api.admin.delete(`/merchants/${credentials.merchantId}/users/${clerk.userId}/pin`));
    const answer = await sendBefore(remove, () =>
      api.bare.post('/api/v1/auth/switch', { userId: clerk.userId, pin: PIN }, { ...screen, Authorization: `Bearer ${token}` }),
    );
    expect((await expectError(answer, 400, 'VALIDATION_ERROR', 'pin')).details).toMatchObject({ reason: 'pin_wrong' });
  });
});

describeOnAnyDatabase('a PIN that is set with the former password', (fixture) => {
  test('does not remain after a new password', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'cashier');
    const reset = await resetOf(fixture(), user);
    const answer = await sendBefore(reset, () =>
      api.bare.put('/api/v1/auth/pin', { pin: PIN, currentPassword: user.password }, user.headers),
    );
    await expectError(answer, 401, 'TOKEN_INVALID');
    const { token } = await expectData(login(fixture(), { ...user, password: NEW_PASSWORD }));
    const me = await expectData(
      api.bare.get<{ user: { hasPin: boolean } }>('/api/v1/auth/me', { ...user.headers, Authorization: `Bearer ${token}` }),
    );
    expect(me.user.hasPin).toBe(false);
  });
});
