import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type CompanyProvider,
  type ProviderAccount,
  startCompanyProvider,
} from '../../support/company-provider.ts';
import { later } from '../../support/earlier-sign-in.ts';
import { freePort } from '../../support/free-port.ts';
import {
  type Answer,
  type ApiFixture,
  apiOf,
  DATABASES,
  expectData,
  expectError,
  FULL,
  fullOnPostgres,
  startTestServer,
} from '../../support/server.ts';
import { createUser, type Tokens } from '../../support/users.ts';

interface Begun {
  url: string;
  state: string;
  browserKey: string;
}
interface Finished extends Tokens {
  user: { userId: string; email: string; role: string };
  pending?: true;
}
interface Settings {
  redirectUri: string;
  logoutUri: string;
  hasSecret: boolean;
  seenGroups: string[];
}
interface Me {
  user: { userId: string; role: string; permissions: string[]; merchantId: string | null };
}
interface Activity {
  action: string;
  after: { reason?: string } | null;
}

const GROUPS = [
  { group: 'Managers', role: 'manager', merchantId: null },
  { group: 'Tills', role: 'cashier', merchantId: null },
];
let made = 0;
let sent = 0;
/** Headers of a client with its own address, because sign-ins are limited per address. */
const from = () => {
  sent += 1;
  return { 'X-Forwarded-For': `127.0.${Math.floor(sent / 250)}.${(sent % 250) + 2}` };
};

describe.each(DATABASES)('company sign-in (%s)', (database) => {
  const inFull = fullOnPostgres(database);
  let started: Awaited<ReturnType<typeof startTestServer>>;
  let fixture: ApiFixture;
  let company: CompanyProvider;
  const tenant = () => ({ ...from(), 'X-Tenant-ID': fixture.credentials.tenantId });
  const settings = (more: Record<string, unknown> = {}) => ({
    isOn: true,
    name: 'Harbor Company',
    issuer: company.issuer,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    groupsClaim: 'groups',
    groups: GROUPS,
    isRequired: false,
    ...more,
  });
  const save = (more: Record<string, unknown> = {}) => fixture.api.admin.put<Settings>('/company-sign-in', settings(more));
  const beginAnswer = (body: object = {}) =>
    fixture.api.bare.post<Begun>('/api/v1/auth/company/begin', { tenantId: fixture.credentials.tenantId, ...body }, from());
  const begin = (body: object = {}) => expectData(beginAnswer(body));
  const finish = (answer: Record<string, unknown>, browserKey: string) =>
    fixture.api.bare.post<Finished>('/api/v1/auth/company/finish', { ...answer, browserKey }, from());
  const addAccount = (account: ProviderAccount = {}): string => {
    made += 1;
    const id = `account-${made}`;
    company.accounts.set(id, { email: `person${made}@harbor.example`, name: `Person ${made}`, groups: ['Tills'], ...account });
    return id;
  };
  const signIn = async (accountId: string): Promise<Answer<Finished>> => {
    const begun = await begin();
    return finish(await company.signIn(begun.url, accountId), begun.browserKey);
  };
  const headersOf = ({ token }: Tokens) => ({ ...tenant(), Authorization: `Bearer ${token}` });
  const me = (tokens: Tokens) => expectData(fixture.api.bare.get<Me>('/api/v1/auth/me', headersOf(tokens)));
  const refresh = ({ refreshToken }: Tokens) => fixture.api.bare.post<Finished>('/api/v1/auth/refresh', { refreshToken }, from());
  const refusalOf = async (answer: Promise<Answer<unknown>>, status = 401, code = 'INVALID_CREDENTIALS') =>
    (await expectError(answer, status, code)).details?.reason;
  const lastActivity = async () => (await expectData(fixture.api.admin.get<Activity[]>('/security-activity?kind=company-sign-in')))[0];
  const claimsOf = (idToken: unknown) =>
    JSON.parse(Buffer.from(String(idToken).split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
  /** Replaces the ID token of the next answers by one with changed claims. */
  const tamperWith = (change: (claims: Record<string, unknown>) => Record<string, unknown>, options?: { isForeignKey?: boolean }) => {
    company.tamper = async (body) => ({ ...body, id_token: await company.sign(change(claimsOf(body.id_token)), options) });
  };

  beforeAll(async () => {
    const port = await freePort();
    company = await startCompanyProvider([`http://127.0.0.1/company-sign-in`]);
    started = await startTestServer(database, { port, trustedProxy: 'loopback' }, 'small');
    const { baseUrl, credentials } = started.server;
    if (credentials === undefined) throw new Error('the demo has credentials');
    fixture = { database, baseUrl, credentials, api: apiOf(baseUrl, credentials) };
    await expectData(save());
  });
  afterAll(async () => {
    await started.stop();
    await company.stop();
  });

  test('creates a user with the role of the first matching group, and finds the user again by the account', inFull, async () => {
    const id = addAccount({ groups: ['Everyone', 'Tills', 'Managers'] });
    const first = await expectData(signIn(id));
    expect(first.user).toMatchObject({ email: company.accounts.get(id)?.email, role: 'manager' });
    expect((await me(first)).user).toMatchObject({ role: 'manager', merchantId: null });
    // The address of the account changes; the user stays the same.
    company.accounts.set(id, { email: 'renamed@harbor.example', groups: ['Tills'] });
    const second = await expectData(signIn(id));
    expect(second.user).toMatchObject({ userId: first.user.userId, role: 'cashier' });
    expect((await me(first)).user.role).toBe('cashier');
    const { hasSecret, seenGroups } = await expectData(fixture.api.admin.get<Settings>('/company-sign-in'));
    expect(hasSecret).toBe(true);
    expect(seenGroups).toEqual(expect.arrayContaining(['Everyone', 'Tills', 'Managers']));
    expect(JSON.stringify(await fixture.api.admin.get('/company-sign-in'))).not.toContain(CLIENT_SECRET);
  });

  test('refuses accounts without a group that grants a role, and says which claim is missing', inFull, async () => {
    expect(await refusalOf(signIn(addAccount({ groups: ['Everyone'] })))).toBe('no_role');
    expect(await lastActivity()).toMatchObject({ action: 'company_sign_in.refused', after: { reason: 'no_role' } });
    expect(await refusalOf(signIn(addAccount({ groups: undefined })))).toBe('no_groups');
    expect(await refusalOf(signIn(addAccount({ groups: undefined, claims: { hasgroups: true } })))).toBe('too_many_groups');
    expect(await refusalOf(signIn(addAccount({ email: undefined })))).toBe('no_email');
    expect(await refusalOf(signIn(addAccount({ emailVerified: false })))).toBe('email_not_verified');
  });

  test('never signs in as an existing user by the email address, until an administrator allows it once', inFull, async () => {
    const user = await createUser(fixture, 'cashier');
    const id = addAccount({ email: user.email });
    expect(await refusalOf(signIn(id))).toBe('email_in_use');
    await expectData(fixture.api.admin.post(`/users/${user.userId}/company-account`, {}));
    company.accounts.set(id, { email: user.email, emailVerified: false, groups: ['Tills'] });
    expect(await refusalOf(signIn(id))).toBe('email_not_verified');
    company.accounts.set(id, { email: user.email, groups: ['Managers'] });
    expect((await expectData(signIn(id))).user).toMatchObject({ userId: user.userId, role: 'manager' });
    // A second account with the same address.
    expect(await refusalOf(signIn(addAccount({ email: user.email })))).toBe('email_in_use');
    const cashier = (await createUser(fixture, 'cashier')).headers;
    await expectError(fixture.api.admin.post(`/users/${user.userId}/company-account`, {}, cashier), 403, 'PERMISSION_DENIED');
  });

  test('never makes an owner, and keeps the rights of an owner whose groups change', inFull, async () => {
    const rules = [{ group: 'Managers', role: 'owner', merchantId: null }];
    await expectError(save({ groups: rules }), 400, 'VALIDATION_ERROR');
    const owner = await createUser(fixture, 'owner', { allMerchants: true });
    await expectData(fixture.api.admin.post(`/users/${owner.userId}/company-account`, {}));
    const id = addAccount({ email: owner.email, groups: ['Tills'] });
    const tokens = await expectData(signIn(id));
    expect((await me(tokens)).user.role).toBe('owner');
    const admin = (await createUser(fixture, 'admin', { allMerchants: true })).headers;
    await expectError(fixture.api.admin.put('/company-sign-in', settings(), admin), 403, 'PERMISSION_DENIED');
    await expectError(fixture.api.admin.get('/company-sign-in', admin), 403, 'PERMISSION_DENIED');
  });

  test(
    'takes the role away at the next refresh when the group disappears, with the sessions, keys and PIN of the user',
    inFull,
    async () => {
      const id = addAccount({ groups: ['Managers'] });
      const first = await expectData(signIn(id));
      const other = await expectData(signIn(id));
      company.accounts.set(id, { ...company.accounts.get(id), groups: ['Tills'] });
      const second = await expectData(refresh(first));
      expect((await me(second)).user.role).toBe('cashier');
      company.accounts.set(id, { ...company.accounts.get(id), groups: [] });
      expect(await refusalOf(refresh(second), 401, 'TOKEN_INVALID')).toBe('no_role');
      await expectError(fixture.api.bare.get('/api/v1/auth/me', headersOf(other)), 401, 'TOKEN_INVALID');
      expect(await refusalOf(signIn(id))).toBe('no_role');
      company.accounts.set(id, { ...company.accounts.get(id), groups: ['Tills'] });
      expect((await me(await expectData(signIn(id)))).user.role).toBe('cashier');
    },
  );

  test('ends the session of an account that was disabled at the next refresh', inFull, async () => {
    const id = addAccount();
    const tokens = await expectData(signIn(id));
    company.accounts.delete(id);
    expect(await refusalOf(refresh(tokens), 401, 'TOKEN_INVALID')).toBe('provider_refused');
    await expectError(fixture.api.bare.get('/api/v1/auth/me', headersOf(tokens)), 401, 'TOKEN_INVALID');
  });

  test('continues sessions for an hour while the provider is down, and refuses new ones with the reason', inFull, async () => {
    const id = addAccount();
    const tokens = await expectData(signIn(id));
    const begun = await begin();
    const answer = await company.signIn(begun.url, id);
    company.isDown = true;
    try {
      const refreshed = await expectData(refresh(tokens));
      expect((await me(refreshed)).user.role).toBe('cashier');
      expect(await refusalOf(finish(answer, begun.browserKey), 503, 'SERVICE_UNAVAILABLE')).toBe('provider_down');
      // Passwords work as before.
      await createUser(fixture, 'cashier');
    } finally {
      company.isDown = false;
    }
  });

  test('refuses a code that is replayed, a state of another sign-in, and another browser', inFull, async () => {
    const id = addAccount();
    const begun = await begin();
    const answer = await company.signIn(begun.url, id);
    const stranger = await begin();
    expect(await refusalOf(finish(answer, stranger.browserKey))).toBe('other_browser');
    // The code of one sign-in with the state of another one.
    expect(await refusalOf(finish({ ...answer, state: stranger.state }, stranger.browserKey))).toBe('provider_refused');
    await expectData(finish(answer, begun.browserKey));
    expect(await refusalOf(finish(answer, begun.browserKey))).toBe('expired');
    expect(await refusalOf(finish({ ...answer, state: 'guessed' }, begun.browserKey))).toBe('expired');
    const again = await begin();
    expect(await refusalOf(finish({ ...answer, state: again.state }, again.browserKey))).toBe('provider_refused');
  });

  test('signs in once when ten requests finish the same sign-in in parallel', async () => {
    const begun = await begin();
    const answer = await company.signIn(begun.url, addAccount());
    const answers = await Promise.all(Array.from({ length: 10 }, () => finish(answer, begun.browserKey)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('refuses a redirect with another issuer, without one, or with an error', inFull, async () => {
    const attempts: [Record<string, unknown>, string][] = [
      [{ iss: 'https://elsewhere.example' }, 'provider_refused'],
      [{ iss: undefined }, 'provider_refused'],
      [{ code: undefined, error: 'access_denied' }, 'canceled'],
    ];
    for (const [change, reason] of attempts) {
      const begun = await begin();
      const answer = await company.signIn(begun.url, addAccount());
      expect(await refusalOf(finish({ ...answer, ...change }, begun.browserKey)), JSON.stringify(change)).toBe(reason);
    }
  });

  test('refuses ID tokens of another issuer, audience, nonce, person, time or key', inFull, async () => {
    const now = Math.floor(Date.now() / 1_000);
    const changes: Record<string, (claims: Record<string, unknown>) => Record<string, unknown>> = {
      issuer: (claims) => ({ ...claims, iss: 'https://elsewhere.example' }),
      audience: (claims) => ({ ...claims, aud: 'another-client' }),
      nonce: (claims) => ({ ...claims, nonce: 'another-nonce' }),
      expired: (claims) => ({ ...claims, iat: now - 600, exp: now - 120 }),
      'of the future': (claims) => ({ ...claims, nbf: now + 600, iat: now + 600 }),
      authorized: (claims) => ({ ...claims, aud: [CLIENT_ID, 'another-client'], azp: 'another-client' }),
    };
    try {
      for (const [name, change] of Object.entries(changes)) {
        tamperWith(change);
        expect(await refusalOf(signIn(addAccount())), name).toBe('provider_refused');
      }
      tamperWith((claims) => claims, { isForeignKey: true });
      expect(await refusalOf(signIn(addAccount())), 'key').toBe('provider_refused');
      // A clock that differs by less than a minute is accepted.
      tamperWith((claims) => ({ ...claims, exp: now - 20 }));
      await expectData(signIn(addAccount()));
    } finally {
      company.tamper = null;
    }
  });

  test('accepts only the domain of the company', inFull, async () => {
    await expectData(save({ domain: 'harbor.example' }));
    try {
      expect(await refusalOf(signIn(addAccount()))).toBe('wrong_domain');
      expect(await refusalOf(signIn(addAccount({ claims: { hd: 'elsewhere.example' } })))).toBe('wrong_domain');
      await expectData(signIn(addAccount({ claims: { hd: 'harbor.example' } })));
    } finally {
      await expectData(save());
    }
  });

  test('gives a user of the company no password by a link', inFull, async () => {
    const id = addAccount();
    const { user } = await expectData(signIn(id));
    await expectData(fixture.api.bare.post('/api/v1/auth/forgot-password', { email: user.email }, tenant()));
    const messages = await expectData(fixture.api.admin.get<{ to: string }[]>('/sandbox/messages?limit=200'));
    expect(messages.filter(({ to }) => to === user.email)).toEqual([]);
    const path = `/merchants/${fixture.credentials.merchantId}/users/${user.userId}/invite`;
    await expectError(fixture.api.admin.post(path, {}), 409, 'RESOURCE_CONFLICT');
    for (const password of ['company', ''])
      await expectError(fixture.api.bare.post('/api/v1/auth/login', { email: user.email, password }, tenant()), 401, 'INVALID_CREDENTIALS');
  });

  test('requires a sign-in at the provider a short time ago for confirmed operations', inFull, async () => {
    const owner = await createUser(fixture, 'owner', { allMerchants: true });
    await expectData(fixture.api.admin.post(`/users/${owner.userId}/company-account`, {}));
    const id = addAccount({ email: owner.email });
    const write = (tokens: Tokens) => fixture.api.admin.put('/company-sign-in', settings(), headersOf(tokens));
    const now = Math.floor(Date.now() / 1_000);
    try {
      tamperWith((claims) => ({ ...claims, auth_time: now - 30 * 60 }));
      expect(await refusalOf(write(await expectData(signIn(id))), 403, 'PERMISSION_DENIED')).toBe('confirmation_required');
      tamperWith(({ auth_time: _, ...claims }) => claims);
      expect(await refusalOf(write(await expectData(signIn(id))), 403, 'PERMISSION_DENIED')).toBe('confirmation_required');
      tamperWith((claims) => ({ ...claims, auth_time: now - 60 }));
      await expectData(write(await expectData(signIn(id))));
    } finally {
      company.tamper = null;
    }
  });

  test('takes a fresh sign-in at the provider in place of the password, of users who have none', inFull, async () => {
    const now = Math.floor(Date.now() / 1_000);
    const setPin = (tokens: Tokens) => fixture.api.bare.put('/api/v1/auth/pin', { pin: '481627' }, headersOf(tokens));
    try {
      tamperWith((claims) => ({ ...claims, auth_time: now - 6 * 60 }));
      const id = addAccount();
      expect(await refusalOf(setPin(await expectData(signIn(id))), 403, 'PERMISSION_DENIED')).toBe('confirmation_required');
      tamperWith((claims) => ({ ...claims, auth_time: now - 60 }));
      const fresh = await expectData(signIn(id));
      await expectData(setPin(fresh));
      const me = await expectData(fixture.api.bare.get<{ user: object }>('/api/v1/auth/me', headersOf(fresh)));
      expect(me.user).toMatchObject({ hasPin: true, byCompany: true });
      const password = fixture.api.bare.put('/api/v1/auth/password', { newPassword: 'a password of their own' }, headersOf(fresh));
      expect(await refusalOf(password, 409, 'RESOURCE_CONFLICT')).toBe('company_sign_in');

      // An owner who has a password proves it also after a sign-in at the provider.
      const owner = await createUser(fixture, 'owner', { allMerchants: true });
      await expectData(fixture.api.admin.post(`/users/${owner.userId}/company-account`, {}));
      const connected = await expectData(signIn(addAccount({ email: owner.email })));
      await expectError(setPin(connected), 400, 'REQUIRED_FIELD_MISSING', 'currentPassword');
    } finally {
      company.tamper = null;
    }
  });

  test('ends sessions by a signed logout token of the provider, and by no other', inFull, async () => {
    const id = addAccount();
    const tokens = await expectData(signIn(id));
    const { logoutUri } = await expectData(fixture.api.admin.get<Settings>('/company-sign-in'));
    const send = (logoutToken: string) =>
      fetch(logoutUri, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: logoutToken }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const now = Math.floor(Date.now() / 1_000);
    const claims = {
      iss: company.issuer,
      aud: CLIENT_ID,
      iat: now + 1,
      exp: now + 120,
      jti: 'logout-1',
      sub: id,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    };
    const wrong = [
      await company.sign({ ...claims, events: {} }),
      await company.sign({ ...claims, nonce: 'any' }),
      await company.sign({ ...claims, aud: 'another-client' }),
      await company.sign({ ...claims, iss: 'https://elsewhere.example' }),
      await company.sign({ ...claims, iat: now - 600 }),
      await company.sign({ ...claims, sub: undefined }),
      await company.sign(claims, { isForeignKey: true }),
      'not a token',
    ];
    for (const token of wrong) expect((await send(token)).status).toBe(401);
    await me(tokens);
    const right = await company.sign(claims, { type: 'logout+jwt' });
    expect((await send(right)).status).toBe(200);
    await expectError(fixture.api.bare.get('/api/v1/auth/me', headersOf(tokens)), 401, 'TOKEN_INVALID');
    await expectError(refresh(tokens), 401, 'TOKEN_INVALID');
  });

  test('returns the address that ends the session at the provider, to sessions that began there', inFull, async () => {
    const tokens = await expectData(signIn(addAccount()));
    const path = '/api/v1/auth/company/logout-url';
    const { url } = await expectData(fixture.api.bare.get<{ url: string }>(path, headersOf(tokens)));
    expect(new URL(url).origin).toBe(company.issuer);
    expect((await expectData(fixture.api.admin.get<{ url: null }>('/auth/company/logout-url'))).url).toBeNull();
  });

  test('hands the answer of the browser of the system to the desktop application that began the sign-in', inFull, async () => {
    const begun = await begin({ desktop: true });
    const poll = () => finish({ state: begun.state }, begun.browserKey);
    expect(await expectData(poll())).toEqual({ pending: true });
    const answer = await company.signIn(begun.url, addAccount());
    const deliver = (body: object) => fixture.api.bare.post('/api/v1/auth/company/deliver', body, from());
    // A sign-in that a browser began can't be delivered to anybody.
    const other = await begin();
    expect(await refusalOf(deliver({ ...answer, state: other.state }))).toBe('other_browser');
    await expectData(deliver(answer));
    expect(await refusalOf(finish({ state: begun.state }, other.browserKey))).toBe('other_browser');
    expect((await expectData(poll())).user.role).toBe('cashier');
    expect(await refusalOf(poll())).toBe('expired');
  });

  test(
    'refuses passwords while company sign-in is required, except those of the break-glass owner, whose use is an event',
    inFull,
    async () => {
      const { api } = fixture;
      const user = await createUser(fixture, 'manager');
      const owner = await createUser(fixture, 'owner', { allMerchants: true });
      await expectError(save({ isRequired: true, breakGlassUserId: owner.userId }), 400, 'VALIDATION_ERROR');
      await expectError(save({ isRequired: true }), 400, 'VALIDATION_ERROR');
      const enrolled = await expectData(
        api.bare.post<{ secret: string }>('/api/v1/auth/two-factor/totp', { currentPassword: owner.password }, owner.headers),
      );
      const code = () => new TOTP({ secret: enrolled.secret }).generate();
      await expectData(api.bare.post('/api/v1/auth/two-factor/totp/confirm', { code: code() }, owner.headers));
      await expectData(save({ isRequired: true, breakGlassUserId: owner.userId }));
      try {
        const login = (email: string, password: string) => api.bare.post('/api/v1/auth/login', { email, password }, tenant());
        expect(await refusalOf(login(user.email, user.password))).toBe('company_sign_in_required');
        expect(await refusalOf(login(user.email, 'wrong password'))).toBeUndefined();
        await expectError(refresh(user), 401, 'TOKEN_INVALID');
        expect((await expectData(login(owner.email, owner.password))) as { otpRequired: true }).toMatchObject({ otpRequired: true });
        expect(await lastActivity()).toMatchObject({ action: 'session.break_glass_used' });
        await expectData(signIn(addAccount()));
      } finally {
        await expectData(save());
      }
    },
  );

  test('never sends the secret to another issuer, and accepts only https outside of this computer', FULL, async () => {
    const { clientSecret: _, ...rest } = settings();
    const moved = await expectData(fixture.api.admin.put<Settings>('/company-sign-in', { ...rest, issuer: 'https://elsewhere.example' }));
    expect(moved.hasSecret).toBe(false);
    await expectError(save({ issuer: 'http://elsewhere.example' }), 400, 'VALIDATION_ERROR');
    await expectError(save({ issuer: 'https://user@elsewhere.example' }), 400, 'VALIDATION_ERROR');
    await expectData(save());
  });

  test('takes a key that the provider published in place of an earlier one, and refuses that of before', inFull, async () => {
    await expectData(signIn(addAccount()));
    await company.rotateKey();
    try {
      await later(6, async () => {
        tamperWith((claims) => claims);
        await expectData(signIn(addAccount()));
        company.tamper = null;
        expect(await refusalOf(signIn(addAccount()))).toBe('provider_refused');
      });
    } finally {
      company.tamper = null;
    }
  });

  test('reads compressed answers of the provider up to the limit of their decompressed size', async () => {
    let padding = 0;
    const issuer = `http://127.0.0.1:${await freePort()}`;
    const provider = createServer((_, response) => {
      const metadata = {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        padding: ' '.repeat(padding),
      };
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(JSON.stringify(metadata)));
    });
    await new Promise<void>((resolve) => provider.listen(Number(new URL(issuer).port), '127.0.0.1', resolve));
    try {
      await expectData(save({ issuer, name: 'Short answers' }));
      await begin();
      padding = 2 * 1_048_576;
      // A change of the settings discards the answers of before.
      await expectData(save({ issuer, name: 'Long answers' }));
      expect(await refusalOf(beginAnswer(), 503, 'SERVICE_UNAVAILABLE')).toBe('provider_down');
    } finally {
      provider.close();
      await expectData(save());
    }
  });

  test('is offered on the sign-in screen only while it is on', inFull, async () => {
    const offered = async () => (await expectData(fixture.api.bare.get<{ accounts: object[] }>('/api/v1/auth/company'))).accounts;
    expect(await offered()).toEqual([{ tenantId: fixture.credentials.tenantId, name: 'Harbor Company' }]);
    await expectData(save({ isOn: false }));
    expect(await offered()).toEqual([]);
    expect(await refusalOf(beginAnswer())).toBe('not_set_up');
    await expectData(save());
  });
});
