import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { CARDS, cardBody, createDeclinedSale, createSale, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData } from '../../support/server.ts';

interface Action {
  readonly allowed: boolean;
  readonly code?: string;
  readonly message?: string;
  readonly maxAmount?: number;
}
type Detail = TransactionRecord & { readonly actions: Readonly<Record<string, Action>> };

/** The operation of each action, with a body that a payment of 30.00 accepts. */
const OPERATIONS: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  refund: { path: 'refund', body: {} },
  capture: { path: 'capture', body: {} },
  void: { path: 'void', body: {} },
  adjust: { path: 'adjust', body: { amount: 31 } },
  tip: { path: 'tip', body: { tipAmount: 2 } },
  cancelCapture: { path: 'cancel-capture', body: {} },
  credit: { path: 'credit', body: { amount: 1 } },
  rerun: { path: 'rerun', body: {} },
};

/** Functions that make a payment in each state. */
const STATES: Readonly<Record<string, (service: ApiFixture) => Promise<string>>> = {
  sale: async (service) => (await createSale(service)).transactionId,
  authorization: async (service) => (await createSale(service, 30, { type: 'auth' })).transactionId,
  'captured authorization': (service) => after(service, { type: 'auth' }, 'capture'),
  'partly refunded sale': (service) => after(service, {}, 'refund', { amount: 10 }),
  'refunded sale': (service) => after(service, {}, 'refund'),
  'voided sale': (service) => after(service, {}, 'void'),
  'declined sale': async (service) => (await createDeclinedSale(service, CARDS.visa, 30)).transactionId,
  'rerun sale': async (service) => {
    const { transactionId } = await createDeclinedSale(service, CARDS.visa, 30);
    await expectData(service.api.admin.post(`/transactions/${transactionId}/rerun`));
    return transactionId;
  },
  credit: async (service) => {
    const { transactionId } = await createSale(service);
    return (await expectData(service.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/credit`, { amount: 5 })))
      .transactionId;
  },
  'bank payment': async ({ api }) => {
    const bankAccount = { routingNumber: '021000021', accountNumber: '1234567890', accountType: 'checking', accountHolderName: 'Ada Hall' };
    const body = { ...cardBody(30), paymentMethod: 'ach', card: undefined, bankAccount };
    return (await expectData(api.admin.post<TransactionRecord>('/transactions', body))).transactionId;
  },
};

async function after(service: ApiFixture, more: object, operation: string, body: object = {}): Promise<string> {
  const { transactionId } = await createSale(service, 30, { ...more });
  await expectData(service.api.admin.post(`/transactions/${transactionId}/${operation}`, body));
  return transactionId;
}

describeOnAnyDatabase('what can be done with a payment', (fixture) => {
  const read = (transactionId: string) => expectData(fixture().api.admin.get<Detail>(`/transactions/${transactionId}`));

  test.each(Object.keys(STATES))('says for a %s exactly what its operations then do', async (state) => {
    const make = STATES[state];
    for (const [name, { path, body }] of Object.entries(OPERATIONS)) {
      const transactionId = (await make?.(fixture())) ?? '';
      const { actions } = await read(transactionId);
      const answer = await fixture().api.admin.post(`/transactions/${transactionId}/${path}`, body);
      const refusal = answer.body.success ? {} : { code: answer.body.error.code, message: answer.body.error.message };
      expect({ name, ...actions[name], maxAmount: undefined }).toEqual({
        name,
        allowed: answer.status === 200,
        ...refusal,
        maxAmount: undefined,
      });
    }
  });

  test('names the largest amount of a refund, a capture and a dispute', async () => {
    const sale = await read(await after(fixture(), {}, 'refund', { amount: 10 }));
    expect(sale.actions).toMatchObject({ refund: { allowed: true, maxAmount: 20 }, dispute: { allowed: true, maxAmount: 30 } });
    const { transactionId } = await createSale(fixture(), 30, { type: 'auth' });
    expect((await read(transactionId)).actions).toMatchObject({ capture: { allowed: true, maxAmount: 30 }, dispute: { allowed: false } });
  });

  test('refuses by the rights of the caller first, on each surface', async () => {
    const { api, baseUrl, credentials } = fixture();
    const { transactionId } = await createSale(fixture());
    const key = await expectData(
      api.admin.post<{ key: string }>('/api-keys', {
        name: 'Reports',
        permissions: ['transactions:read'],
        currentPassword: api.adminPassword,
      }),
      201,
    );
    const asKey = (surface: string) =>
      surfaceOf(baseUrl, `/api/v1/${surface}`, () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key.key }));
    const { actions } = await expectData(asKey('public').get<Detail>(`/transaction/${transactionId}`));
    const refused = { code: 'PERMISSION_DENIED', message: 'This requires the permission `refunds:write`.' };
    expect(actions).toMatchObject({ refund: { allowed: false, ...refused }, dispute: { allowed: false, code: 'PERMISSION_DENIED' } });
    expect((await expectData(api.public.get<Detail>(`/transaction/${transactionId}`))).actions.refund).toEqual({
      allowed: true,
      maxAmount: 30,
    });
  });
});
