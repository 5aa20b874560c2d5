import { expect, test } from 'vitest';
import { createCustomerWithCard, subscribe } from '../../support/customers.ts';
import { createSale } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, type Surface } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { registerEndpoint } from '../../support/webhooks.ts';

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: { readonly properties?: object } }>> };
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;
type Fields = Record<string, unknown>;

/** Changes that are no records: their body is an order or a secret. */
const NO_RECORD: Readonly<Record<string, string>> = {
  '/api/v1/auth/password': 'the body contains passwords',
  '/api/v1/auth/pin': 'the body contains a PIN, which no response contains',
  '/api/v1/auth/name': 'the name of the caller, without a record of its own',
  '/api/v1/auth/language': 'the language of the caller, without a record of its own',
  '/api/v1/auth/two-factor': 'turns the second factor on or off',
  '/api/v1/customers/{id}/payment-methods/{pmId}/set-default': 'has no body',
  '/api/v1/company-sign-in': 'requires an address that the provider answers at, which a new account does not have',
  '/api/v1/notifications/channels/email': 'requires the password of the mail server, which no response contains',
  '/api/v1/installment-plans/{id}/payment-method': 'an operation on a plan, which is no record of its own',
  '/api/v1/public/installment-plans/{id}/payment-method': 'an operation on a plan, which is no record of its own',
  '/api/v1/invoices/{id}/promise': 'a promise about an invoice, which is no record of its own',
  '/api/v1/shifts/{id}/note': 'a note of a shift, which is no record of its own',
  '/api/v1/public/shifts/{id}/note': 'a note of a shift, which is no record of its own',
  '/api/v1/notifications/channels/sms': 'requires the secret of the provider, which no response contains',
};
/** Fields that change with every write. */
const CHANGING = new Set(['updatedAt', 'updatedBy', 'changedAt', 'history']);

describeOnAnyDatabase('responses of GET sent back by PUT', (fixture) => {
  const surfaceOf = (path: string): [Surface, string] => {
    const { api } = fixture();
    const isPublic = path.startsWith('/api/v1/public');
    return isPublic ? [api.public, path.slice('/api/v1/public'.length)] : [api.admin, path.slice('/api/v1'.length)];
  };

  /** Creates a record of each kind. Returns the parameters of each path, and the list that contains a record without a GET of its own. */
  async function records(): Promise<Record<string, { params?: Fields; list?: string }>> {
    const { api, credentials } = fixture();
    const { merchantId } = credentials;
    const { customerId } = await createCustomerWithCard(fixture());
    const { subscriptionId } = await subscribe(fixture(), customerId);
    const { id: endpointId } = await registerEndpoint(fixture(), 'https://sent-back.example/hooks');
    const { userId } = await createUser(fixture(), 'cashier');
    const items = [{ description: 'Repair', quantity: 1.5, unitPrice: 80 }];
    const { invoiceId } = await expectData(api.admin.post<{ invoiceId: string }>('/invoices', { customerId, items }), 201);
    const { transactionId } = await createSale(fixture(), 25);
    const { chargebackId } = await expectData(api.admin.post<{ chargebackId: string }>('/sandbox/chargebacks', { transactionId }));
    const role = await expectData(api.admin.post<{ id: string }>('/roles', { name: 'Sender', permissions: ['transactions:read'] }), 201);
    const key = { name: 'Sent back', scope: 'tenant', permissions: ['transactions:read'], allowedOrigins: ['https://shop.example'] };
    const limits = { spendingLimits: { currency: 'USD', perDay: 10 }, currentPassword: api.adminPassword };
    const { id: keyId } = await expectData(api.admin.post<{ id: string }>('/api-keys', { ...key, ...limits }), 201);
    const rule = await expectData(
      api.admin.post<{ ruleId: string }>('/settlement/bank-rules', { contains: 'MONTHLY FEE', kind: 'fee' }),
      201,
    );
    const account = await expectData(api.admin.post<{ bankAccountId: string }>('/settlement/bank-accounts', { name: 'Sent back' }), 201);
    const item = { name: 'Sent back', price: 1.5, taxRate: 8.875, key: 'SB' };
    const { itemId } = await expectData(api.admin.post<{ itemId: string }>('/items', item), 201);
    const endpoint = { url: 'https://shop.example/key', events: ['*'] };
    const { id: endpointOfKey } = await expectData(api.public.post<{ id: string }>('/webhooks', endpoint), 201);
    const { terminalId } = await expectData(
      api.admin.post<{ terminalId: string }>('/terminals', { code: 'SIM123', name: 'Sent back' }),
      201,
    );
    const [gateway] = await expectData(api.admin.get<{ id: string }[]>(`/merchants/${merchantId}/gateways`));
    return {
      '/api/v1/public/customer/{id}': { params: { id: customerId } },
      '/api/v1/customers/{id}': { params: { id: customerId } },
      '/api/v1/customers/{id}/reminders': { params: { id: customerId } },
      '/api/v1/customers/{id}/late-fees': { params: { id: customerId } },
      '/api/v1/invoices/{id}/late-fees': { params: { id: invoiceId } },
      '/api/v1/terminals/{id}': { params: { id: terminalId } },
      '/api/v1/public/terminals/{id}': { params: { id: terminalId } },
      '/api/v1/items/{id}': { params: { id: itemId } },
      '/api/v1/public/items/{id}': { params: { id: itemId } },
      '/api/v1/public/disputes/{id}': { params: { id: chargebackId } },
      '/api/v1/disputes/{id}': { params: { id: chargebackId } },
      '/api/v1/api-keys/{id}': { params: { id: keyId } },
      '/api/v1/roles/{id}': { params: { id: role.id } },
      '/api/v1/recurring/{id}': { params: { id: subscriptionId } },
      '/api/v1/invoices/{id}': { params: { id: invoiceId } },
      '/api/v1/public/webhooks/{id}': { params: { id: endpointOfKey } },
      '/api/v1/webhooks/{id}': { params: { id: endpointId } },
      '/api/v1/webhooks/endpoints/{id}': { params: { id: endpointId } },
      '/api/v1/merchants/{merchantId}/users/{userId}': { params: { merchantId, userId }, list: '/api/v1/merchants/{merchantId}/users' },
      '/api/v1/merchants/{id}/gateways/{gwId}': { params: { id: merchantId, gwId: gateway?.id }, list: '/api/v1/merchants/{id}/gateways' },
      '/api/v1/settlement/bank-accounts/{bankAccountId}': {
        params: { bankAccountId: account.bankAccountId },
        list: '/api/v1/settlement/bank-accounts',
      },
      '/api/v1/settlement/bank-rules/{ruleId}': { params: { ruleId: rule.ruleId }, list: '/api/v1/settlement/bank-rules' },
    };
  }

  test('every PUT accepts the record as GET returns it, and changes nothing', { timeout: 120_000 }, async () => {
    const { api, credentials } = fixture();
    const { paths } = (await api.bare.get('/openapi.json')).body as unknown as { paths: Paths };
    const made = await records();
    const places = Object.entries(paths).filter(([path, { put }]) => put !== undefined && NO_RECORD[path] === undefined);
    expect(places.length).toBeGreaterThan(20);
    const faults: string[] = [];
    for (const [path, methods] of places) {
      const { params = { id: credentials.merchantId, merchantId: credentials.merchantId }, list } = made[path] ?? {};
      const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
      const [surface, own] = surfaceOf(fill(path));
      const read = async (): Promise<Fields> => {
        if (methods.get !== undefined) {
          const { data, ...bare } = (await surface.get<Fields>(own)).body as unknown as { data?: Fields } & Fields;
          // Branding is returned without an envelope.
          return data ?? bare;
        }
        const rows = await expectData(surface.get<Fields[]>(surfaceOf(fill(list ?? path))[1]));
        const [id = ''] = own.split('/').slice(-1);
        return rows.find((row) => Object.values(row).includes(id)) ?? {};
      };
      const before = await read();
      const fields = methods.put?.requestBody?.content['application/json']?.schema.properties ?? {};
      const confirmation = 'currentPassword' in fields ? { currentPassword: api.adminPassword } : {};
      const answer = await surface.put<Fields>(own, { ...before, ...confirmation });
      if (answer.status !== 200) {
        faults.push(`${path}: ${answer.status} ${JSON.stringify(answer.body.error)}`);
        continue;
      }
      const after = await read();
      const changed = Object.keys(before).filter(
        (name) => !CHANGING.has(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      );
      if (changed.length > 0 || Object.keys(before).length === 0)
        faults.push(
          `${path}: ${changed.map((name) => `${name} ${JSON.stringify(before[name])} → ${JSON.stringify(after[name])}`).join(', ')}`,
        );
    }
    expect(faults).toEqual([]);
  });
});
