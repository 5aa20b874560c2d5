import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser, signInAs, type Tokens } from '../../support/users.ts';

const later = (seconds: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1_000 });
// An address may send thirty requests a minute without a credential, so each test has its own minute.
let minutes = 0;
beforeEach(() => {
  minutes += 1;
  later(minutes * 61);
});
afterEach(() => {
  vi.useRealTimers();
});

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
const decode = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;

/** Forgeries of a real token, each with its defect. */
function forgeries(token: string, refreshToken: string, clientToken: string, apiKey: string): [string, string][] {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const header = decode(head);
  const payload = decode(claims);
  const hmac = (h: object, c: object, key = 'guessed') => {
    const text = `${encode(h)}.${encode(c)}`;
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  };
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const rsa = `${encode({ ...header, alg: 'RS256' })}.${claims}`;
  const jwk = publicKey.export({ format: 'jwk' });
  return [
    ['no algorithm', `${encode({ ...header, alg: 'none' })}.${claims}.`],
    ['no algorithm, in capitals', `${encode({ ...header, alg: 'NONE' })}.${claims}.${signature}`],
    ['no algorithm, mixed', `${encode({ ...header, alg: 'nOnE' })}.${claims}.`],
    ['another algorithm', `${rsa}.${signWith('sha256', Buffer.from(rsa), privateKey).toString('base64url')}`],
    ['its own key in the header', `${encode({ ...header, alg: 'RS256', jwk })}.${claims}.${signature}`],
    ['a stronger hash', `${encode({ ...header, alg: 'HS512' })}.${claims}.${signature}`],
    ['another key', hmac(header, payload)],
    ['an empty key', hmac(header, payload, ' ')],
    ['other claims', `${head}.${encode({ ...payload, sub: 'usr_other' })}.${signature}`],
    ['another tenant', `${head}.${encode({ ...payload, tid: 'ten_other' })}.${signature}`],
    ['a longer life', `${head}.${encode({ ...payload, exp: 9_999_999_999 })}.${signature}`],
    ['no key id', hmac({ alg: 'HS256', typ: 'at+jwt' }, payload)],
    ['a path as key id', hmac({ ...header, kid: '../../../dev/null' }, payload, '')],
    ['SQL as key id', hmac({ ...header, kid: "sig_' OR '1'='1" }, payload)],
    ['an unknown key id', hmac({ ...header, kid: 'sig_00000000000000000000000000' }, payload)],
    ['a key from elsewhere', hmac({ ...header, jku: 'https://evil.test/keys', x5u: 'https://evil.test/c' }, payload)],
    ['an unknown critical header', hmac({ ...header, crit: ['exp'] }, payload)],
    ['the type of something else', hmac({ ...header, typ: 'JWT' }, payload)],
    ['a refresh token', refreshToken],
    ['a client token', clientToken],
    ['an API key', apiKey],
    ['its end cut off', token.slice(0, -5)],
    ['only two parts', `${head}.${claims}`],
    ['nothing but dots', '..'],
    ['sixty-four kilobytes less one header', `${head}.${claims}.${'A'.repeat(10_000)}`],
  ];
}

describeOnAnyDatabase('access tokens', (fixture) => {
  test('rejects forged tokens', async () => {
    const { api, credentials } = fixture();
    const user = await createUser(fixture(), 'admin');
    const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}));
    for (const [what, forged] of forgeries(user.token, user.refreshToken, clientToken, credentials.apiKey)) {
      const answer = await api.bare.get('/api/v1/auth/me', { ...user.headers, Authorization: `Bearer ${forged}` });
      expect(answer.status, what).toBe(401);
      expect(answer.body.error.code, what).toBe('TOKEN_INVALID');
    }
    await expectData(api.bare.get('/api/v1/auth/me', user.headers));
  });

  test('rotates the signing key without signing anybody out', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'admin', { allMerchants: true });
    const kidOf = (token: string) => decode(token.split('.')[0]).kid;
    const { keyId } = await expectData(api.bare.post<{ keyId: string }>('/api/v1/auth/signing-key/rotate', {}, user.headers));
    await expectData(api.bare.get('/api/v1/auth/me', user.headers));
    const next = await expectData(api.bare.post<Tokens>('/api/v1/auth/refresh', { refreshToken: user.refreshToken }));
    expect(kidOf(next.token)).toBe(keyId);
    expect(kidOf(user.token)).not.toBe(keyId);
    await expectData(api.bare.get('/api/v1/auth/me', { ...user.headers, Authorization: `Bearer ${next.token}` }));
  });
});

describeOnAnyDatabase('sessions', (fixture) => {
  test('ends a session when any of its used refresh tokens is used again, however old', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'viewer');
    const refresh = (refreshToken: string) => api.bare.post<Tokens>('/api/v1/auth/refresh', { refreshToken });
    const second = await expectData(refresh(user.refreshToken));
    const third = await expectData(refresh(second.refreshToken));
    const forged = user.refreshToken.slice(0, -2) + (user.refreshToken.endsWith('xx') ? 'yy' : 'xx');
    await expectError(refresh(forged), 401, 'TOKEN_INVALID');
    await expectData(api.bare.get('/api/v1/auth/me', { ...user.headers, Authorization: `Bearer ${third.token}` }));
    await expectError(refresh(user.refreshToken), 401, 'TOKEN_INVALID');
    await expectError(refresh(third.refreshToken), 401, 'TOKEN_INVALID');
    await expectError(api.bare.get('/api/v1/auth/me', { ...user.headers, Authorization: `Bearer ${third.token}` }), 401, 'TOKEN_INVALID');
  });

  test('accepts at most one of ten parallel uses of a refresh token', async () => {
    const { api } = fixture();
    const user = await createUser(fixture(), 'viewer');
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => api.bare.post<Tokens>('/api/v1/auth/refresh', { refreshToken: user.refreshToken })),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  test('refuses to refresh a screen session idle for fifteen minutes, but not that of a program', async () => {
    const { api, credentials } = fixture();
    const { email, password } = await createUser(fixture(), 'viewer');
    const login = (client: Record<string, string>) =>
      expectData(api.bare.post<Tokens>('/api/v1/auth/login', { email, password }, { 'X-Tenant-ID': credentials.tenantId, ...client }));
    const screen = await login({ 'X-Paydesk-Client': 'screen' });
    const program = await login({});
    later(15 * 60 + 1);
    await expectError(api.bare.post('/api/v1/auth/refresh', { refreshToken: screen.refreshToken }), 401, 'TOKEN_INVALID');
    await expectData(api.bare.post('/api/v1/auth/refresh', { refreshToken: program.refreshToken }));
  });

  test('ends a listed session for callers with the permission, so that its next request fails', async () => {
    const { api, credentials } = fixture();
    const user = await createUser(fixture(), 'viewer');
    interface Listed {
      id: string;
      email: string;
      current: boolean;
      device: string | null;
    }
    const listed = await expectData(api.admin.get<Listed[]>(`/user-sessions?userId=${user.userId}`));
    expect(listed).toMatchObject([{ email: user.email, current: false }]);
    const all = await expectData(api.admin.get<Listed[]>('/user-sessions?limit=200'));
    expect(all.filter(({ current }) => current)).toHaveLength(1);
    const id = listed[0]?.id ?? '';
    expect(await expectData(api.admin.delete(`/user-sessions/${id}`))).toEqual({ id, deleted: true });
    await expectError(api.bare.get('/api/v1/auth/me', user.headers), 401, 'TOKEN_INVALID');
    await expectError(api.admin.delete(`/user-sessions/${id}`), 404, 'NOT_FOUND');
    const bound = await createUser(fixture(), 'admin');
    const entries = await expectData(
      api.bare.get<{ after: { user: string } }[]>('/api/v1/audit-logs?action=session.revoked', bound.headers),
    );
    expect(entries.map(({ after }) => after.user)).toContain(user.email);
    await signInAs(fixture(), user.email, user.password, credentials.tenantId);
  });
});

describeOnAnyDatabase('client tokens', (fixture) => {
  test('tokenizes cards with client tokens while their key is valid, and allows nothing else', async () => {
    const { api, credentials } = fixture();
    const { merchantId, tenantId } = credentials;
    const made = await expectData(
      api.admin.post<{ id: string; key: string }>('/api-keys', {
        name: 'web shop',
        scope: 'merchant',
        merchantId,
        currentPassword: credentials.adminPassword,
      }),
      201,
    );
    const key = { 'x-api-key': made.key };
    const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}, key));
    const holder = { 'X-Tenant-ID': tenantId, 'x-client-token': clientToken };
    const card = { cardNumber: '4111111111111111', expiryMonth: '12', expiryYear: '2031' };
    const tokenize = () => api.bare.post('/api/v1/public/tokenize-card', card, holder);
    await expectData(tokenize());
    await expectError(api.bare.get('/api/v1/public/transaction-list', holder), 401, 'UNAUTHORIZED');
    const validate = (token: string) => expectData(api.bare.post('/api/v1/public/validate-client-token', { clientToken: token }));
    expect(await validate(clientToken)).toMatchObject({ valid: true, merchantId });
    expect(await validate('nonsense')).toEqual({ valid: false, expiresAt: null, merchantId: null });
    await expectData(api.admin.delete(`/api-keys/${made.id}`));
    await expectError(tokenize(), 401, 'TOKEN_INVALID');
    expect(await validate(clientToken)).toMatchObject({ valid: false });
  });

  test('expires client tokens after half an hour', async () => {
    const { api, credentials } = fixture();
    const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}));
    later(1_801);
    expect(await expectData(api.bare.post('/api/v1/public/validate-client-token', { clientToken }))).toMatchObject({ valid: false });
    const holder = { 'X-Tenant-ID': credentials.tenantId, 'x-client-token': clientToken };
    await expectError(api.bare.post('/api/v1/public/tokenize-card', {}, holder), 401, 'TOKEN_EXPIRED');
  });
});
