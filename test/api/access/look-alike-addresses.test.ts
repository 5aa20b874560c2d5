import { expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError, onBothDatabases } from '../../support/server.ts';
import { createUser, signInAs } from '../../support/users.ts';

let made = 0;
const invite = { role: 'viewer', password: 'a long password 1' };

describeOnAnyDatabase('addresses of users', (fixture) => {
  const path = () => `/merchants/${fixture().credentials.merchantId}/users`;

  test.for([
    '\u0430dmin@demo.example',
    '\uFF41dmin@demo.example',
    'adm\u0131n@demo.example',
    'ADM\u0130N@demo.example',
    'admin\u0301@demo.example',
  ])('refuses %j, whose letters look like others', async (email) => {
    const { details } = await expectError(fixture().api.admin.post(path(), { ...invite, email }), 400, 'INVALID_EMAIL', 'email');
    expect(details).toEqual({ reason: 'letters' });
  });

  test('stores and shows an internationalized domain in ASCII, and finds it in both forms', async () => {
    const { api, credentials } = fixture();
    const created = await expectData(api.admin.post<{ email: string }>(path(), { ...invite, email: 'Admin@d\u0435mo.example' }), 201);
    expect(created.email).toMatch(/^admin@xn--[a-z0-9-]+\.example$/);
    const headers = { 'X-Tenant-ID': credentials.tenantId };
    for (const email of ['admin@d\u0435mo.example', created.email])
      await expectData(api.bare.post('/api/v1/auth/login', { email, password: invite.password }, headers));
  });

  test('refuses an address that looks like that of another user, and accepts the address of the same form elsewhere', async () => {
    const { api } = fixture();
    made += 1;
    await expectData(api.admin.post(path(), { ...invite, email: `morning-moon${made}x@demo.example` }), 201);
    for (const email of [`rnorning-moon${made}x@demo.example`, `morning-m0on${made}x@demo.example`, `morning-moon${made}x@dem0.example`]) {
      const { details } = await expectError(api.admin.post(path(), { ...invite, email }), 409, 'RESOURCE_CONFLICT', 'email');
      expect(details).toEqual({ reason: 'look_alike' });
    }
  });

  test('refuses a name that reads as an address, from others and from oneself', async () => {
    const { api, credentials } = fixture();
    const user = await createUser(fixture(), 'cashier');
    for (const name of [credentials.adminEmail, 'Ada \uFF20 Admin'])
      await expectError(api.admin.put(`${path()}/${user.userId}`, { name }), 400, 'VALIDATION_ERROR', 'name');
    await expectError(
      api.admin.post(path(), { ...invite, email: 'someone@demo.example', name: 'admin@demo.example' }),
      400,
      'VALIDATION_ERROR',
      'name',
    );
  });

  test('masks addresses of people for callers who may not see users', async () => {
    const { api, credentials } = fixture();
    const cashier = await createUser(fixture(), 'cashier');
    await expectData(api.admin.put('/auth/pin', { pin: '739251', currentPassword: credentials.adminPassword }));
    const peopleFor = async (headers: Record<string, string>) =>
      (await expectData(api.bare.get<{ people: { email: string }[] }>('/api/v1/auth/people', headers))).people.map(({ email }) => email);
    const masked = await peopleFor(cashier.headers);
    expect(masked.length).toBeGreaterThan(0);
    for (const email of masked) expect(email).toMatch(/^[^@*]+\*\*\*@/);
    const admin = await createUser(fixture(), 'admin', { allMerchants: true });
    expect(await peopleFor(admin.headers)).toContain(credentials.adminEmail);
    for (const email of ['jonas@demo.example', 'jorge@demo.example']) {
      const password = 'a long password of a person';
      await expectData(api.admin.post(path(), { ...invite, email, password }), 201);
      const { token } = await signInAs(fixture(), email, password, credentials.tenantId);
      const headers = { 'X-Tenant-ID': credentials.tenantId, Authorization: `Bearer ${token}` };
      await expectData(api.bare.put('/api/v1/auth/pin', { pin: '739251', currentPassword: password }, headers));
    }
    expect(await peopleFor(cashier.headers)).toEqual(expect.arrayContaining(['jon***@demo.example', 'jor***@demo.example']));
  });
});

onBothDatabases('accepts one of two look-alike addresses that are created at once', async ({ api, credentials }) => {
  const emails = ['twin-0ne@demo.example', 'twin-one@demo.example'];
  const answers = await Promise.all(
    emails.map((email) => api.admin.post(`/merchants/${credentials.merchantId}/users`, { ...invite, email })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
});
