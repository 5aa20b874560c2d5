import { expect, test } from 'vitest';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

interface Key {
  id: string;
  key: string;
  allowedAddresses: string[];
}
interface Role {
  id: string;
  name: string;
  allowedAddresses: string[];
}
interface Activity {
  action: string;
  resource: string;
  kind: string;
  ip: string;
}

describeOnAnyDatabase('addresses of keys and roles', (fixture) => {
  const tenant = () => ({ 'X-Tenant-ID': fixture().credentials.tenantId });
  const connectWith = (key: string) => fixture().api.bare.post('/api/v1/public/testConnection', {}, { ...tenant(), 'x-api-key': key });
  const createKey = (allowedAddresses?: string[]) =>
    expectData(fixture().api.admin.post<Key>('/api-keys', { name: 'Shop', ...(allowedAddresses && { allowedAddresses }) }), 201);

  test('limit a key to its addresses and networks on every surface, from the next request on', async () => {
    const { api } = fixture();
    const allowed = await createKey([' 127.0.0.0/8 ', '2001:DB8::/32', '127.0.0.0/8']);
    expect(allowed.allowedAddresses).toEqual(['127.0.0.0/8', '2001:db8::/32']);
    expect((await connectWith(allowed.key)).status).toBe(200);
    const refused = await createKey(['203.0.113.7', '10.0.0.0/8', '::1']);
    const error = await expectError(connectWith(refused.key), 403, 'PERMISSION_DENIED');
    expect(error.details).toEqual({ reason: 'address' });
    await expectError(api.bare.get('/api/v1/sdk/query/txn_any', { Authorization: `Bearer ${refused.key}` }), 403, 'PERMISSION_DENIED');

    await expectData(api.admin.put(`/api-keys/${refused.id}`, { allowedAddresses: ['::ffff:127.0.0.1'] }));
    expect((await connectWith(refused.key)).status).toBe(200);
    await expectData(api.admin.put(`/api-keys/${refused.id}`, { allowedAddresses: [] }));
    expect((await connectWith(refused.key)).status).toBe(200);
    expect((await createKey()).allowedAddresses).toEqual([]);
  });

  test('make one security event of repeated refusals from one address', async () => {
    const { api } = fixture();
    const { id, key } = await createKey(['203.0.113.7']);
    await Promise.all(Array.from({ length: 10 }, () => expectError(connectWith(key), 403, 'PERMISSION_DENIED')));
    const activity = await expectData(api.admin.get<Activity[]>(`/security-activity?kind=sign-in-failed&user=${id}`));
    expect(activity).toMatchObject([{ action: 'address.refused', resource: `api-keys/${id}`, ip: '127.0.0.1' }]);
  });

  test('limit the users of a role at the sign-in and in sessions that run, and never the caller', async () => {
    const { api } = fixture();
    const form = { name: 'Office', permissions: ['transactions:read', 'roles:write', 'roles:read'], allowedAddresses: ['127.0.0.1'] };
    const role = await expectData(api.admin.post<Role>('/roles', form), 201);
    expect(role.allowedAddresses).toEqual(['127.0.0.1']);
    const { email, password, headers } = await createUser(fixture(), role.id, { allMerchants: true });
    const own = () => api.bare.get('/api/v1/transactions?limit=1', headers);
    expect((await own()).status).toBe(200);
    const change = { allowedAddresses: ['203.0.113.7'] };
    const lockedOut = await expectError(api.bare.put(`/api/v1/roles/${role.id}`, change, headers), 400, 'VALIDATION_ERROR');
    expect(lockedOut.field).toBe('allowedAddresses');

    await expectData(api.admin.put(`/roles/${role.id}`, change));
    expect((await expectError(own(), 403, 'PERMISSION_DENIED')).details).toEqual({ reason: 'address' });
    const signIn = () => api.bare.post('/api/v1/auth/login', { email, password }, tenant());
    await expectError(signIn(), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.put(`/roles/${role.id}`, { name: 'Back office' }));
    await expectError(own(), 403, 'PERMISSION_DENIED');
    await expectData(api.admin.put(`/roles/${role.id}`, { allowedAddresses: [] }));
    await expectData(signIn());
    expect((await own()).status).toBe(200);
  });

  test.each(['', 'shop.example', '10.0.0.0/33', '::/129', '10.0.0.0/8/8', '10.0.0', '10.0.0.0/-1', 'fe80::1%eth0', '10.0.0.0/'])(
    'refuse %j as an address',
    async (address) => {
      const { api } = fixture();
      const error = await expectError(api.admin.post('/api-keys', { name: 'Shop', allowedAddresses: [address] }), 400, 'VALIDATION_ERROR');
      expect(error.field).toBe('allowedAddresses');
      await expectError(
        api.admin.post('/roles', { name: 'Office', permissions: ['transactions:read'], allowedAddresses: [address] }),
        400,
        'VALIDATION_ERROR',
      );
    },
  );
});
