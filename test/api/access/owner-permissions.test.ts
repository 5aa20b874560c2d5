import { expect, test } from 'vitest';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser, type SignedInUser, signInAs } from '../../support/users.ts';

interface Role {
  id: string;
  name: string;
  permissions: string[];
}

/** An owner who isn't the demo's, and an admin of the whole tenant. */
async function ownerAndAdmin(fixture: ApiFixture) {
  return { owner: await createUser(fixture, 'owner'), admin: await createUser(fixture, 'admin', { allMerchants: true }) };
}

describeOnAnyDatabase('owner permissions', (fixture) => {
  const users = () => `/api/v1/merchants/${fixture().credentials.merchantId}/users`;
  const sessionOf = async (user: SignedInUser) => {
    const [session] = await expectData(fixture().api.admin.get<{ id: string }[]>(`/user-sessions?userId=${user.userId}`));
    return session?.id ?? '';
  };

  test('refuses an admin who grants themselves or others the owner role', async () => {
    const { api } = fixture();
    const { admin } = await ownerAndAdmin(fixture());
    const cashier = await createUser(fixture(), 'cashier');
    for (const { userId } of [admin, cashier])
      await expectError(api.bare.put(`${users()}/${userId}`, { role: 'owner' }, admin.headers), 403, 'PERMISSION_DENIED', 'role');
    const invited = { email: 'new-owner@demo.example', role: 'owner' };
    await expectError(api.bare.post(users(), invited, admin.headers), 403, 'PERMISSION_DENIED', 'role');
  });

  test('refuses an admin who invites, resets, changes, removes or signs out an owner', async () => {
    const { api } = fixture();
    const { owner, admin } = await ownerAndAdmin(fixture());
    const at = `${users()}/${owner.userId}`;
    const session = await sessionOf(owner);
    const answers = [
      api.bare.put(at, { role: 'cashier' }, admin.headers),
      api.bare.put(at, { phone: '+12075550142' }, admin.headers),
      api.bare.post(`${at}/invite`, {}, admin.headers),
      api.bare.post(`/api/v1/users/${owner.userId}/permissions`, { permissions: null }, admin.headers),
      api.bare.delete(`/api/v1/user-sessions/${session}`, admin.headers),
      api.bare.delete(at, admin.headers),
    ];
    for (const answer of answers) await expectError(answer, 403, 'PERMISSION_DENIED');
    await expectData(api.bare.get('/api/v1/auth/me', owner.headers));
  });

  test('lets an owner invite, reset, change and remove another owner', async () => {
    const { api } = fixture();
    const { owner } = await ownerAndAdmin(fixture());
    const at = `${users()}/${owner.userId}`;
    await expectData(api.admin.post(`${at.replace('/api/v1', '')}/invite`));
    await expectData(api.admin.put(at.replace('/api/v1', ''), { role: 'admin' }));
    await expectData(api.admin.put(at.replace('/api/v1', ''), { role: 'owner' }));
    await expectData(api.admin.delete(at.replace('/api/v1', '')));
  });

  test('grants owner permissions to no role but owner', async () => {
    const { api } = fixture();
    const { admin } = await ownerAndAdmin(fixture());
    const roles = await expectData(api.admin.get<Role[]>('/roles'));
    const holders = roles.filter(({ permissions }) => permissions.some((permission) => permission.startsWith('owner:')));
    expect(holders.map(({ name }) => name)).toEqual(['owner']);
    const { merchantId } = fixture().credentials;
    for (const entry of ['owner', 'owner:users', 'owner:channels']) {
      const body = { name: `Own ${entry}`, permissions: [entry] };
      await expectError(api.admin.post('/roles', body), 400, 'VALIDATION_ERROR', 'permissions');
      const grant = { permissions: [entry] };
      await expectError(api.admin.post(`/users/${admin.userId}/permissions`, grant), 400, 'VALIDATION_ERROR', 'permissions');
      await expectError(
        api.admin.post('/api-keys', { ...body, scope: 'merchant', merchantId, currentPassword: fixture().credentials.adminPassword }),
        400,
        'VALIDATION_ERROR',
        'permissions',
      );
    }
  });

  test('refuses installation-wide operations to everyone but an owner of the first tenant', async () => {
    const { api, credentials } = fixture();
    const { admin } = await ownerAndAdmin(fixture());
    const { standardTenantId, standardAdminEmail, standardAdminPassword: password } = credentials;
    const { token } = await signInAs(fixture(), standardAdminEmail, password, standardTenantId);
    const otherOwner = { 'X-Tenant-ID': standardTenantId, Authorization: `Bearer ${token}` };
    for (const headers of [admin.headers, otherOwner]) {
      await expectError(api.bare.post('/api/v1/system/recovery-file', { currentPassword: password }, headers), 403, 'PERMISSION_DENIED');
      await expectError(
        api.bare.post('/api/v1/system/master-key/exchange', { currentPassword: password }, headers),
        403,
        'PERMISSION_DENIED',
      );
      await expectError(api.bare.put('/api/v1/system/backup', { keep: 3 }, headers), 403, 'PERMISSION_DENIED');
      await expectError(api.bare.post('/api/v1/system/backup', {}, headers), 403, 'PERMISSION_DENIED');
    }
    await expectError(api.bare.post('/api/v1/system/export', {}, admin.headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.post('/api/v1/system/data-key/renew', {}, admin.headers), 403, 'PERMISSION_DENIED');
  });
});

describeOnAnyDatabase('message channels', (fixture) => {
  const sms = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token', from: 'Harbor' };

  test('rejects a change by an admin, and by an owner with a wrong password', async () => {
    const { api, credentials } = fixture();
    const path = '/api/v1/notifications/channels/sms';
    const admin = await createUser(fixture(), 'admin', { allMerchants: true });
    const confirmed = { ...sms, currentPassword: admin.password };
    await expectError(api.bare.put(path, confirmed, admin.headers), 403, 'PERMISSION_DENIED');
    await expectError(api.bare.delete(path, admin.headers, { currentPassword: admin.password }), 403, 'PERMISSION_DENIED');
    const owner = await createUser(fixture(), 'owner');
    const wrong = { ...sms, currentPassword: credentials.adminPassword };
    await expectError(api.bare.put(path, wrong, owner.headers), 400, 'VALIDATION_ERROR', 'currentPassword');
    await expectData(api.bare.put(path, { ...sms, currentPassword: owner.password }, owner.headers));
    await expectData(api.bare.delete(path, owner.headers, { currentPassword: owner.password }));
  });
});

describeOnAnyDatabase('messages that authenticate a user', (fixture) => {
  interface Shown {
    kind: string;
    to: string;
    body: string;
  }
  const bodyFor = async (headers: Record<string, string>, to: string, path: string) => {
    const listed = await expectData(fixture().api.bare.get<Shown[]>(`/api/v1${path}?limit=200`, headers));
    return listed.find((message) => message.to === to)?.body;
  };

  test('hides password links and sign-in codes from callers who may not manage the user', async () => {
    const { api, credentials } = fixture();
    const tenant = { 'X-Tenant-ID': credentials.tenantId };
    const { owner, admin } = await ownerAndAdmin(fixture());
    const otherOwner = await createUser(fixture(), 'owner');
    const manager = await createUser(fixture(), 'manager', { allMerchants: true });
    const cashier = await createUser(fixture(), 'cashier');
    for (const { email } of [owner, cashier]) await expectData(api.bare.post('/api/v1/auth/forgot-password', { email }, tenant));
    await expectData(
      api.bare.put('/api/v1/auth/two-factor', { enabled: true, channel: 'email', currentPassword: admin.password }, admin.headers),
    );
    await expectData(api.bare.post('/api/v1/auth/login', { email: admin.email, password: admin.password }, tenant));
    for (const path of ['/sandbox/messages', '/notifications/messages']) {
      const read = async (headers: Record<string, string>) => ({
        owner: await bodyFor(headers, owner.email, path),
        admin: await bodyFor(headers, admin.email, path),
        cashier: await bodyFor(headers, cashier.email, path),
      });
      const link = expect.stringContaining('token=');
      const code = expect.stringMatching(/\d{6}/);
      expect(await read(manager.headers)).toEqual({ owner: '', admin: '', cashier: '' });
      expect(await read(admin.headers)).toEqual({ owner: '', admin: code, cashier: link });
      expect(await read(otherOwner.headers)).toEqual({ owner: link, admin: code, cashier: link });
    }
  });
});
