import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createPerson, type Person, setPin } from '../../support/approvals.ts';
import { createCustomer } from '../../support/customers.ts';
import { pairReader } from '../../support/readers.ts';
import { type Api, type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import type { Tokens } from '../../support/users.ts';

const PIN = '481627';

/** Lets a person take over a new screen session of another one with the PIN. */
async function takeOver({ api, baseUrl, credentials }: ApiFixture, screen: Person, next: Person): Promise<Api['admin']> {
  const tenant = { 'X-Tenant-ID': credentials.tenantId, 'X-Paydesk-Client': 'screen' };
  const { email, password } = screen;
  const held = await expectData(api.bare.post<Tokens>('/api/v1/auth/login', { email, password }, tenant));
  const headers = { ...tenant, Authorization: `Bearer ${held.token}` };
  const { token } = await expectData(api.bare.post<Tokens>('/api/v1/auth/switch', { userId: next.userId, pin: PIN }, headers));
  return surfaceOf(baseUrl, '/api/v1', () => ({ ...tenant, Authorization: `Bearer ${token}` }));
}

describeOnAnyDatabase('a session by PIN', (fixture) => {
  test('cannot make a user, a key or a link, nor change rights, also with the password of its person', async () => {
    const { api, credentials } = fixture();
    const { merchantId, tenantId } = credentials;
    const cashier = await createPerson(fixture(), 'cashier', merchantId);
    const admin = await createPerson(fixture(), 'admin');
    await setPin(admin, PIN);
    const asAdmin = await takeOver(fixture(), cashier, admin);
    const users = `/merchants/${merchantId}/users`;
    const mine = { email: 'mine@demo.example', role: 'admin', password: 'a password of the thief' };
    for (const confirmed of [{}, { currentPassword: admin.password }])
      for (const attempt of [
        asAdmin.post(users, { ...mine, ...confirmed }),
        asAdmin.put(`${users}/${cashier.userId}`, { role: 'admin', ...confirmed }),
        asAdmin.post(`${users}/${cashier.userId}/invite`, confirmed),
        asAdmin.post(`/users/${cashier.userId}/permissions`, { permissions: ['users'], ...confirmed }),
        asAdmin.post('/roles', { name: 'mine', permissions: ['users'], ...confirmed }),
        asAdmin.post('/api-keys', { name: 'mine', scope: 'tenant', ...confirmed }),
        asAdmin.post('/webhooks', { url: 'https://receiver.example/hook', events: ['*'], ...confirmed }),
        asAdmin.put(`/merchants/${merchantId}/settings`, { publicUrl: 'https://payments.example', ...confirmed }),
        asAdmin.put(`/merchants/${merchantId}/gateway-routing`, { rules: [], ...confirmed }),
        asAdmin.put('/auth/password', { newPassword: 'a password of the thief', ...confirmed }),
        asAdmin.put('/auth/pin', { pin: '172635', ...confirmed }),
        asAdmin.get(users),
      ])
        expect((await expectError(attempt, 403, 'PERMISSION_DENIED')).details).toMatchObject({ reason: 'pin_session' });
    const login = api.bare.post('/api/v1/auth/login', { email: mine.email, password: mine.password }, { 'X-Tenant-ID': tenantId });
    await expectError(login, 401, 'INVALID_CREDENTIALS');
  });

  test('makes a link to the page of a customer only if its person may read what the page shows', async () => {
    const { merchantId } = fixture().credentials;
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const screen = await createPerson(fixture(), 'viewer', merchantId);
    const [cashier, manager] = [await createPerson(fixture(), 'cashier', merchantId), await createPerson(fixture(), 'manager', merchantId)];
    for (const person of [cashier, manager]) await setPin(person, PIN);
    const link = async (person: Person) => (await takeOver(fixture(), screen, person)).post(`/customers/${customerId}/page-links`, {});
    expect((await expectError(link(cashier), 403, 'PERMISSION_DENIED')).details).toEqual({ permission: 'recurring:read' });
    await expectData(link(manager), 201);
    await expectData(cashier.as.post(`/customers/${customerId}/page-links`, {}), 201);
  });

  test('pays no money to a card that its person presents to a card reader', async () => {
    const { merchantId } = fixture().credentials;
    const { terminalId } = await pairReader(fixture());
    const cashier = await createPerson(fixture(), 'cashier', merchantId);
    const manager = await createPerson(fixture(), 'manager', merchantId);
    await setPin(manager, PIN);
    const asManager = await takeOver(fixture(), cashier, manager);
    const stolen = asManager.post(`/terminals/${terminalId}/credit`, { amount: 500 });
    expect((await expectError(stolen, 403, 'PERMISSION_DENIED')).details).toMatchObject({ reason: 'pin_session' });
    await expectData(manager.as.post(`/terminals/${terminalId}/credit`, { amount: 5 }), 202);
  });

  test('sells, refunds, opens a shift, looks payments up and approves for money', async () => {
    const { merchantId } = fixture().credentials;
    const cashier = await createPerson(fixture(), 'cashier', merchantId);
    const manager = await createPerson(fixture(), 'manager', merchantId);
    await setPin(manager, PIN);
    const asManager = await takeOver(fixture(), cashier, manager);
    const card = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2031', cvv: '123' };
    const sale = { amount: 20, paymentMethod: 'card', card, billing: { zip: '04101' } };
    const { transactionId } = await expectData(asManager.post<{ transactionId: string }>('/transactions', sale));
    await expectData(asManager.post(`/transactions/${transactionId}/refund/partial`, { amount: 5 }));
    await expectData(asManager.get('/transactions?limit=1'));
    await expectData(asManager.get('/customers?limit=1'));
    await expectData(asManager.get(`/approvals?merchantId=${merchantId}`));
    await expectData(asManager.get('/auth/me'));
  });
});
