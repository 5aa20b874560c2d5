import { expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface Activity {
  id: string;
  kind: string;
  action: string;
  actor: string;
  resource: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  ip: string | null;
  userAgent: string | null;
  requestId: string;
}

describeOnAnyDatabase('security activity', (fixture) => {
  const list = (query: string) => expectData(fixture().api.admin.get<Activity[]>(`/security-activity?${query}`));
  const signIn = (email: string, password: string, userAgent: string) =>
    fixture().api.bare.post(
      '/api/v1/auth/login',
      { email, password },
      { 'X-Tenant-ID': fixture().credentials.tenantId, 'User-Agent': userAgent },
    );

  test('lists sign-ins, failed sign-ins and new devices with address and user agent', async () => {
    const { userId, email, password } = await createUser(fixture(), 'cashier');
    await expectError(signIn(email, 'a wrong password', 'Register/1'), 401, 'INVALID_CREDENTIALS');
    await expectData(signIn(email, password, 'Register/1'));
    await expectData(signIn(email, password, 'Register/1'));
    const activity = await list(`user=${userId}`);
    const ofRegister = activity.filter(({ userAgent }) => userAgent === 'Register/1');
    expect(ofRegister.map(({ kind }) => kind)).toEqual(['sign-in', 'sign-in', 'new-device', 'sign-in-failed']);
    for (const { actor, ip } of ofRegister) expect({ actor, ip }).toEqual({ actor: email, ip: expect.stringMatching(/127\.0\.0\.1$/) });
    expect((await list(`user=${encodeURIComponent(email)}`)).map(({ id }) => id)).toEqual(activity.map(({ id }) => id));
    expect((await list(`user=${userId}&kind=sign-in-failed`)).map(({ after }) => after)).toEqual([{ reason: 'password' }]);
  });

  test('lists changes of roles and keys, and never a credential', async () => {
    const { api, credentials } = fixture();
    const user = await createUser(fixture(), 'viewer');
    await expectData(api.admin.put(`/merchants/${credentials.merchantId}/users/${user.userId}`, { role: 'manager' }));
    const { id, key } = await expectData(
      api.admin.post<{ id: string; key: string }>('/api-keys', {
        name: 'till',
        scope: 'tenant',
        currentPassword: fixture().credentials.adminPassword,
      }),
      201,
    );
    await expectData(api.admin.delete(`/api-keys/${id}`));
    const [role] = await list(`user=${user.userId}&kind=role-changed`);
    expect(role).toMatchObject({ actor: credentials.adminEmail, before: { role: 'viewer' }, after: { role: 'manager' } });
    expect((await list(`user=${id}&kind=key-changed`)).map(({ action }) => action)).toEqual(['api_key.revoked', 'api_key.created']);
    const everything = JSON.stringify(await list('limit=200'));
    for (const secret of [key, user.password, user.token, user.refreshToken]) expect(everything).not.toContain(secret);
  });

  test('lists two-factor changes and failed second factors', async () => {
    const { api } = fixture();
    const { userId, email, password, headers } = await createUser(fixture(), 'viewer');
    await expectData(api.bare.put('/api/v1/auth/two-factor', { enabled: true, currentPassword: password }, headers));
    const { otpId } = (await expectData(signIn(email, password, 'Register/1'))) as { otpId: string };
    await api.bare.post('/api/v1/auth/verify-otp', { otpId, code: 'wrong' });
    const kinds = (await list(`user=${userId}`)).map(({ kind }) => kind);
    expect(kinds.slice(0, 2)).toEqual(['second-factor-failed', 'two-factor-changed']);
  });

  test('limits and masks the user agent', async () => {
    const { email, password, userId } = await createUser(fixture(), 'viewer');
    await expectData(signIn(email, password, `Till 4111111111111111 ${'x'.repeat(400)}`));
    const [latest] = await list(`user=${userId}&kind=sign-in`);
    expect(latest?.userAgent).toMatch(/^Till \*{4}1111 x+…?$/);
    expect(latest?.userAgent?.length).toBe(300);
  });

  test('divides the list into pages and filters it by day', async () => {
    const { api } = fixture();
    const { userId } = await createUser(fixture(), 'viewer');
    const all = await list(`user=${userId}`);
    const first = await api.admin.get<Activity[]>(`/security-activity?user=${userId}&limit=1`);
    const second = await list(`user=${userId}&limit=1&cursor=${first.body.pagination.nextCursor}`);
    expect([...first.body.data, ...second].map(({ id }) => id)).toEqual(all.slice(0, 2).map(({ id }) => id));
    expect(first.body.pagination.total).toBe(all.length);
    expect(await list(`user=${userId}&endDate=2020-01-01`)).toEqual([]);
    await expectError(api.admin.get('/security-activity?kind=guessed'), 400, 'VALIDATION_ERROR', 'kind');
    await expectError(api.admin.get('/security-activity?user=stranger@demo.example'), 404, 'NOT_FOUND', 'user');
  });

  test('refuses everyone but owners', async () => {
    const { api } = fixture();
    for (const role of ['admin', 'viewer']) {
      const { headers } = await createUser(fixture(), role, { allMerchants: true });
      await expectError(api.bare.get('/api/v1/security-activity', headers), 403, 'PERMISSION_DENIED');
    }
  });

  test('keeps the audit chain valid', async () => {
    expect(await expectData(fixture().api.admin.get('/audit-logs/verify'))).toMatchObject({ valid: true });
  });
});
