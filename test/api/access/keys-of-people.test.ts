import { expect, test } from 'vitest';
import { CARDS } from '../../support/sales.ts';
import { type Answer, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { createUser, type SignedInUser } from '../../support/users.ts';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly status: string;
  readonly createdBy: string | null;
  readonly createdById: string | null;
  readonly isCreatorRemoved: boolean;
}

let made = 0;

describeOnBothDatabases('API keys of people', (fixture, inFull) => {
  const post = <Data>(person: SignedInUser, path: string, body: unknown) =>
    fixture().api.bare.post<Data>(`/api/v1${path}`, body, person.headers);
  const createKey = (person: SignedInUser, permissions: string[], more: Record<string, unknown> = {}): Promise<Answer<Key>> => {
    made += 1;
    return post<Key>(person, '/api-keys', { name: `key ${made}`, scope: 'tenant', permissions, currentPassword: person.password, ...more });
  };
  const newKey = async (...of: Parameters<typeof createKey>) => expectData(createKey(...of), 201);
  const keyOf = ({ id }: Key) => expectData(fixture().api.admin.get<Key>(`/api-keys/${id}`));
  const listed = async (query: string) =>
    (await expectData(fixture().api.admin.get<Key[]>(`/api-keys?status=active&${query}`))).map(({ id }) => id).toSorted();
  const userPath = ({ userId }: SignedInUser) => `/merchants/${fixture().credentials.merchantId}/users/${userId}`;
  const sendWith = ({ key }: Key) => fixture().api.public.get('/transaction-list?limit=1', { 'x-api-key': key });
  const admin = () => createUser(fixture(), 'admin', { allMerchants: true });

  test('revokes the keys of a person who is removed, and names the removed person', inFull, async () => {
    const { api } = fixture();
    const person = await admin();
    const key = await newKey(person, ['transactions']);
    expect(await keyOf(key)).toMatchObject({ createdBy: person.email, createdById: person.userId, isCreatorRemoved: false });
    expect(await listed(`createdById=${person.userId}`)).toEqual([key.id]);
    const { clientToken } = await expectData(api.public.post<{ clientToken: string }>('/client-token', {}, { 'x-api-key': key.key }));
    expect((await sendWith(key)).status).toBe(200);
    await expectData(api.admin.delete(userPath(person)));
    await expectError(sendWith(key), 401, 'UNAUTHORIZED');
    const card = { cardNumber: CARDS.visa, expiryMonth: '12', expiryYear: '2031' };
    const token = await api.bare.post('/api/v1/public/tokenize-card', card, { 'x-client-token': clientToken });
    expect(token.status).toBe(401);
    expect(await keyOf(key)).toMatchObject({ status: 'revoked', createdById: person.userId, isCreatorRemoved: true });
    const activity = await expectData(api.admin.get<{ action: string; resource: string }[]>('/security-activity?kind=key-changed&limit=1'));
    expect(activity).toMatchObject([{ action: 'api_key.revoked', resource: `api-keys/${key.id}` }]);
  });

  test('revokes only the keys above the rights that remain, on every way to reduce them', inFull, async () => {
    const { api } = fixture();
    const role = await expectData(
      api.admin.post<{ id: string }>('/roles', { name: `Maker ${Date.now()} ${made}`, permissions: ['transactions', 'items', 'api-keys'] }),
      201,
    );
    const ways: [role: string, reduce: (person: SignedInUser) => Promise<unknown>][] = [
      ['admin', (person) => expectData(api.admin.put(userPath(person), { role: 'viewer' }))],
      ['admin', (person) => expectData(api.admin.put(userPath(person), { permissions: ['items:read'] }))],
      ['admin', ({ userId }) => expectData(api.admin.post(`/users/${userId}/permissions`, { permissions: ['items:read'] }))],
      [role.id, () => expectData(api.admin.put(`/roles/${role.id}`, { permissions: ['items:read', 'api-keys'] }))],
    ];
    for (const [name, reduce] of ways) {
      const person = await createUser(fixture(), name, { allMerchants: true });
      const above = await newKey(person, ['transactions', 'items:read']);
      const within = await newKey(person, ['items:read']);
      await reduce(person);
      expect([(await keyOf(above)).status, (await keyOf(within)).status], name).toEqual(['revoked', 'active']);
      await expectError(sendWith(above), 401, 'UNAUTHORIZED');
    }
  });

  test('revokes the keys of all merchants of a person who is limited to one merchant', inFull, async () => {
    const { api, credentials } = fixture();
    const person = await admin();
    const { merchantId } = credentials;
    const other = await createMerchant(fixture());
    const all = await newKey(person, ['items:read']);
    const own = await newKey(person, ['items:read'], { scope: 'merchant', merchantId });
    const foreign = await newKey(person, ['items:read'], { scope: 'merchant', merchantId: other });
    await expectData(api.admin.put(userPath(person), { allMerchants: false }));
    expect(await Promise.all([all, own, foreign].map(async (key) => (await keyOf(key)).status))).toEqual(['revoked', 'active', 'revoked']);
  });

  test('revokes the keys of other people that the person extended', inFull, async () => {
    const { api } = fixture();
    const [maker, person] = [await admin(), await admin()];
    const [extended, renamed] = [await newKey(maker, ['transactions:read']), await newKey(maker, ['transactions:read'])];
    const change = (key: Key, body: object) => api.bare.put(`/api/v1/api-keys/${key.id}`, body, person.headers);
    await expectData(change(extended, { permissions: ['transactions', 'refunds'] }));
    await expectData(change(renamed, { name: 'another name' }));
    expect(await listed(`createdById=${person.userId}`)).toEqual([extended.id]);
    await expectData(api.admin.delete(userPath(person)));
    await expectError(sendWith(extended), 401, 'UNAUTHORIZED');
    expect((await sendWith(renamed)).status).toBe(200);
  });

  test('refuses to extend a key above the rights of the caller, who may rename and revoke it', inFull, async () => {
    const { api } = fixture();
    const body = { name: `Key keeper ${Date.now()} ${made}`, permissions: ['items', 'api-keys'] };
    const role = await expectData(api.admin.post<{ id: string }>('/roles', body), 201);
    const keeper = await createUser(fixture(), role.id, { allMerchants: true });
    const spendingLimits = { currency: 'USD', perPayment: 5, perDay: 20 };
    const key = await newKey(await admin(), ['transactions'], { spendingLimits });
    const path = `/api/v1/api-keys/${key.id}`;
    for (const extended of [
      { spendingLimits: null },
      { expiresAt: null },
      { allowedOrigins: ['https://shop.example'] },
      { spendingLimits: { ...spendingLimits, perDay: 9_000 } },
    ])
      await expectError(api.bare.put(path, extended, keeper.headers), 403, 'PERMISSION_DENIED');
    await expectData(api.bare.put(path, { name: 'a new name' }, keeper.headers));
    await expectData(api.bare.delete(path, keeper.headers));
  });

  test('keeps the keys that the request names, and refuses those of other people', inFull, async () => {
    const { api } = fixture();
    const [person, other] = [await admin(), await admin()];
    const [kept, lost, foreign] = [
      await newKey(person, ['transactions']),
      await newKey(person, ['refunds']),
      await newKey(other, ['items']),
    ];
    const path = userPath(person);
    await expectError(api.admin.put(path, { role: 'viewer', keepApiKeyIds: [foreign.id] }), 400, 'VALIDATION_ERROR', 'keepApiKeyIds');
    expect((await keyOf(lost)).status).toBe('active');
    await expectData(api.admin.put(path, { role: 'viewer', keepApiKeyIds: [kept.id] }));
    expect([(await keyOf(kept)).status, (await keyOf(lost)).status]).toEqual(['active', 'revoked']);
    await expectData(api.admin.delete(path, {}, { keepApiKeyIds: [kept.id] }));
    expect(await keyOf(kept)).toMatchObject({ status: 'active', isCreatorRemoved: true });
  });

  test('lists the keys of the people of a role, without those with permissions of their own', inFull, async () => {
    const { api } = fixture();
    const body = { name: `Lister ${Date.now()} ${made}`, permissions: ['items', 'api-keys'] };
    const role = await expectData(api.admin.post<{ id: string }>('/roles', body), 201);
    expect(await listed(`creatorRole=${role.id}`)).toEqual([]);
    const [first, second] = [
      await createUser(fixture(), role.id, { allMerchants: true }),
      await createUser(fixture(), role.id, { allMerchants: true }),
    ];
    const keys = [await newKey(first, ['items']), await newKey(second, ['items'])];
    await expectData(api.admin.post(`/users/${second.userId}/permissions`, { permissions: body.permissions }));
    expect(await listed(`creatorRole=${role.id}`)).toEqual([keys[0]?.id]);
    await expectData(api.admin.put(`/roles/${role.id}`, { permissions: ['items:read'] }));
    expect(await Promise.all(keys.map(async (key) => (await keyOf(key)).status))).toEqual(['revoked', 'active']);
  });

  test('leaves no key above the remaining rights that is made while they are reduced', async () => {
    const { api } = fixture();
    for (let round = 0; round < 5; round += 1) {
      const person = await admin();
      const [keys] = await Promise.all([
        Promise.all(Array.from({ length: 4 }, () => createKey(person, ['transactions']))),
        expectData(api.admin.put(userPath(person), { role: 'viewer' })),
      ]);
      for (const { status, body } of keys) {
        expect([201, 403]).toContain(status);
        if (status === 201) await expectError(sendWith(body.data), 401, 'UNAUTHORIZED');
      }
      expect(await listed(`createdById=${person.userId}`)).toEqual([]);
    }
  });
});
