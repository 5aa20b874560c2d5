import { TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPerson, createShop, type Person, setPin, type Waiting } from '../../support/approvals.ts';
import { type ApiFixture, apiOf, DATABASES, expectData, expectError, fullOnPostgres, startTestServer } from '../../support/server.ts';
import { sell } from '../../support/settlements.ts';
import { createUser, type SignedInUser } from '../../support/users.ts';

const GUESSES = 24;
const CHECKED_MAX = 10;
const PIN = '481627';

interface Entry {
  action: string;
  after: { reason?: string };
}

describe.each(DATABASES)('guesses (%s)', (database) => {
  const inFull = fullOnPostgres(database);
  let fixture: ApiFixture;
  let stop: () => Promise<void>;
  let addresses = 0;

  beforeAll(async () => {
    const started = await startTestServer(database, { trustedProxy: 'loopback' }, 'small');
    stop = started.stop;
    const { baseUrl, credentials } = started.server;
    if (credentials === undefined) throw new Error('The server has demo credentials.');
    fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
  });
  afterAll(() => stop());
  afterEach(() => {
    vi.useRealTimers();
  });
  const pass = (minutes: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });

  /** Signs in from an address of its own, because requests without a credential are limited by address. */
  function login({ email }: Pick<SignedInUser, 'email'>, password: string) {
    addresses += 1;
    const headers = { 'X-Tenant-ID': fixture.credentials.tenantId, 'X-Forwarded-For': `10.3.${addresses >> 8}.${addresses & 255}` };
    return fixture.api.bare.post<{ token?: string; otpId?: string }>('/api/v1/auth/login', { email, password }, headers);
  }
  const wrong = <Result>(send: (password: string) => Promise<Result>) =>
    Promise.all(Array.from({ length: GUESSES }, (_, index) => send(`wrong password ${index}`)));
  const entriesOf = ({ userId }: SignedInUser) =>
    expectData(fixture.api.admin.get<Entry[]>(`/audit-logs?resource=users/${userId}&limit=200`));
  const checkedOf = async (user: SignedInUser, reason: string) =>
    (await entriesOf(user)).filter(({ after }) => after?.reason === reason).length;

  test('checks ten of many wrong passwords that are sent at once, and then not even the right one', async () => {
    const user = await createUser(fixture, 'cashier');
    await wrong((password) => login(user, password));
    expect(await checkedOf(user, 'password')).toBe(CHECKED_MAX);
    expect(await checkedOf(user, 'locked')).toBe(GUESSES - CHECKED_MAX);
    await expectError(login(user, user.password), 401, 'INVALID_CREDENTIALS');
    pass(31);
    await expectData(login(user, user.password));
  });

  describe('during a lock', () => {
    const lock = async () => {
      const user = await createUser(fixture, 'cashier');
      for (let guess = 0; guess < CHECKED_MAX; guess += 1) await login(user, 'wrong password');
      return user;
    };
    const reasonsOf = (answers: Awaited<ReturnType<typeof login>>[]) => answers.map(({ body }) => body.error.details?.reason);
    /** Returns an answer without its request ID. */
    const seen = ({ status, body }: Awaited<ReturnType<typeof login>>) => {
      const { code, message, details = null } = body.error;
      return JSON.stringify({ status, code, message, details });
    };

    test('names the lock and its end to the sender of the right password, and starts no session', inFull, async () => {
      const user = await lock();
      const { details, message } = await expectError(login(user, user.password), 401, 'INVALID_CREDENTIALS');
      expect(details).toEqual({ reason: 'locked', lockedUntil: expect.any(String) });
      const minutes = (Date.parse(String(details?.lockedUntil)) - Date.now()) / 60_000;
      expect(minutes).toBeGreaterThan(25);
      expect(minutes).toBeLessThanOrEqual(30);
      expect(message).toContain('are locked until');
      expect((await entriesOf(user)).map(({ action }) => action)).not.toContain('session.started');
      pass(31);
      await expectData(login(user, user.password));
    });

    test('answers the right password among 50 guesses like the wrong ones, because one of them was checked', inFull, async () => {
      const user = await lock();
      const first = await login(user, 'the first guess');
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, n) => login(user, n === 40 ? user.password : `wrong password ${n}`)),
      );
      expect(new Set([first, ...answers].map(seen)).size).toBe(1);
    });

    test('answers one of ten right passwords that are sent at once with the lock', inFull, async () => {
      const user = await lock();
      const answers = await Promise.all(Array.from({ length: 10 }, () => login(user, user.password)));
      expect(reasonsOf(answers).filter((reason) => reason === 'locked')).toHaveLength(1);
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    });

    test('checks one password in each ten minutes, and starts a new count after the lock', inFull, async () => {
      const user = await lock();
      const twice = async () => reasonsOf([await login(user, user.password), await login(user, user.password)]);
      for (const minutes of [0, 11, 10]) {
        pass(minutes);
        expect(await twice()).toEqual(['locked', undefined]);
      }
      pass(10);
      for (let guess = 1; guess < CHECKED_MAX; guess += 1) await login(user, 'wrong password');
      await expectData(login(user, user.password));
    });

    test('names the lock to the sender of a code, right or wrong, who has proved the password', inFull, async () => {
      const { bare } = fixture.api;
      const user = await createUser(fixture, 'cashier');
      const enrolled = bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: user.password }, user.headers);
      const { secret } = await expectData(enrolled);
      const codeAt = (timestamp: number) => new TOTP({ secret }).generate({ timestamp });
      await expectData(bare.post('/api/v1/auth/two-factor/totp/confirm', { code: codeAt(Date.now()) }, user.headers));
      const { otpId } = await expectData(login(user, user.password));
      for (let guess = 0; guess < CHECKED_MAX; guess += 1) await login(user, 'wrong password');
      for (const code of ['abcdef', codeAt(Date.now() + 30_000)]) {
        const { details } = await expectError(bare.post('/api/v1/auth/verify-otp', { otpId, code }), 401, 'INVALID_CREDENTIALS');
        expect(details).toMatchObject({ reason: 'locked' });
      }
    });
  });

  test('starts a new count after a right password', inFull, async () => {
    const user = await createUser(fixture, 'cashier');
    for (let round = 0; round < 2; round += 1) {
      for (let guess = 1; guess < CHECKED_MAX; guess += 1) await expectError(login(user, 'wrong password'), 401, 'INVALID_CREDENTIALS');
      await expectData(login(user, user.password));
    }
  });

  test('checks ten of many wrong confirmations that are sent at once, which lock neither sign-ins nor other people', async () => {
    const { bare } = fixture.api;
    const user = await createUser(fixture, 'cashier');
    const confirm = (currentPassword: string) => bare.put('/api/v1/auth/pin', { pin: PIN, currentPassword }, user.headers);
    const answers = await wrong(confirm);
    for (const answer of answers) await expectError(answer, 400, 'VALIDATION_ERROR', 'currentPassword');
    expect(await checkedOf(user, 'password')).toBe(CHECKED_MAX);
    expect((await expectError(confirm(user.password), 400, 'VALIDATION_ERROR', 'currentPassword')).message).toContain('locked');
    await expectData(login(user, user.password));
  });

  test('leaves confirmations open to a person whose sign-ins an outsider has locked', inFull, async () => {
    const { bare } = fixture.api;
    const user = await createUser(fixture, 'cashier');
    await wrong((password) => login(user, password));
    await expectData(bare.put('/api/v1/auth/pin', { pin: PIN, currentPassword: user.password }, user.headers));
  });

  test('counts wrong codes of an authenticator app over several sign-ins with the right password', inFull, async () => {
    const { bare } = fixture.api;
    const user = await createUser(fixture, 'cashier');
    const enrolled = bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: user.password }, user.headers);
    const { secret } = await expectData(enrolled);
    await expectData(bare.post('/api/v1/auth/two-factor/totp/confirm', { code: new TOTP({ secret }).generate() }, user.headers));
    const right = new Set([-1, 0, 1].map((step) => new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 })));
    const guesses = Array.from({ length: GUESSES + 3 }, (_, index) => String(100_000 + index)).filter((code) => !right.has(code));
    const otpIds: (string | undefined)[] = [];
    for (let index = 0; index < GUESSES; index += 1) otpIds.push((await expectData(login(user, user.password))).otpId);
    const verify = (otpId: string | undefined, code: string, index: number) =>
      bare.post('/api/v1/auth/verify-otp', { otpId, code }, { 'X-Forwarded-For': `10.4.0.${index}` });
    await Promise.all(otpIds.map((otpId, index) => verify(otpId, guesses[index] ?? '', index)));
    expect(await checkedOf(user, 'code')).toBe(CHECKED_MAX);
  });

  describe('of PINs', () => {
    let cashier: Person;
    let manager: Person;
    let approvalId: string;
    const approve = (pin: string) =>
      cashier.as.post(`/approvals/${approvalId}/approve`, { approverId: manager.userId, pin }, { 'X-Forwarded-For': '10.5.0.1' });

    beforeAll(async () => {
      const shop = await createShop(fixture, { refundAbove: 10, personSeconds: 86_400 }, { isBound: true });
      ({ cashier, manager } = shop);
      const { transactionId } = await sell(fixture, shop.merchantId, 100);
      ({ approvalId } = await expectData(cashier.as.post<Waiting>(`/transactions/${transactionId}/refund`, {}), 202));
    });

    test('remove the PIN after three locks in a row, and tell its owner', inFull, async () => {
      await setPin(manager, '4816');
      for (let lock = 0; lock < 3; lock += 1) {
        const { token } = await expectData(login(cashier, cashier.password));
        const headers = { ...cashier.headers, Authorization: `Bearer ${token}` };
        for (let guess = 0; guess < 5; guess += 1) {
          const body = { approverId: manager.userId, pin: `73${lock}${guess}` };
          const answer = fixture.api.bare.post(`/api/v1/approvals/${approvalId}/approve`, body, {
            ...headers,
            'X-Forwarded-For': '10.6.0.1',
          });
          await expectError(answer, 400, 'VALIDATION_ERROR', 'pin');
        }
        pass(16);
      }
      vi.useRealTimers();
      const me = await expectData(manager.as.get<{ user: { hasPin: boolean } }>('/auth/me'));
      expect(me.user.hasPin).toBe(false);
      expect((await entriesOf(manager)).filter(({ action }) => action === 'user.pin_removed')).toHaveLength(1);
      const messages = await expectData(fixture.api.admin.get<{ to: string; subject: string }[]>('/sandbox/messages?limit=200'));
      expect(messages.filter(({ to }) => to === manager.email).map(({ subject }) => subject)).toContain('Your Paydesk PIN was removed');
    });

    test('do not stop people of the same address who approve without a PIN', inFull, async () => {
      // Wrong PINs are counted in a quarter of an hour, which does not end during the test.
      pass(0);
      for (let guess = 0; guess < 21; guess += 1) await approve(`9${guess + 100}`);
      await expectError(approve('7391'), 429, 'RATE_LIMIT_EXCEEDED');
      const own = manager.as.post(`/approvals/${approvalId}/approve`, {}, { 'X-Forwarded-For': '10.5.0.1' });
      await expectData(own);
    });
  });

  test('needs six digits of a person who can change access, also after a promotion', inFull, async () => {
    const { merchantId } = fixture.credentials;
    const admin = await createPerson(fixture, 'admin');
    const set = admin.as.put('/auth/pin', { pin: '4816', currentPassword: admin.password });
    expect((await expectError(set, 400, 'VALIDATION_ERROR', 'pin')).details).toMatchObject({ reason: 'pin_too_short' });
    const clerk = await createPerson(fixture, 'cashier', merchantId);
    await setPin(clerk, '4816');
    const takeOver = async () => {
      const { email, password } = admin;
      const screen = { 'X-Tenant-ID': fixture.credentials.tenantId, 'X-Paydesk-Client': 'screen' };
      const { token } = await expectData(fixture.api.bare.post<{ token: string }>('/api/v1/auth/login', { email, password }, screen));
      const headers = { ...screen, Authorization: `Bearer ${token}` };
      return fixture.api.bare.post('/api/v1/auth/switch', { userId: clerk.userId, pin: '4816' }, headers);
    };
    await expectData(takeOver());
    await expectData(fixture.api.admin.put(`/merchants/${merchantId}/users/${clerk.userId}`, { role: 'admin' }));
    const refused = await expectError(takeOver(), 400, 'VALIDATION_ERROR', 'pin');
    expect(refused.details).toMatchObject({ reason: 'pin_too_short' });
  });
});
