import { expect, test } from 'vitest';
import { cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData } from '../../support/server.ts';

interface PrintedSale extends TransactionRecord {
  processorRef: string;
  authCode: string;
}

describeOnBothDatabases('the search for a payment', (fixture) => {
  test('finds it by everything that its receipt and its screen show, in any case', async () => {
    const { api } = fixture();
    const orderId = `Abc-77-${Date.now()}`;
    const sale = await expectData(api.admin.post<PrintedSale>('/transactions', cardBody(71.19, undefined, { orderId })));
    const refund = await expectData(
      api.admin.post<{ refundId: string; processorRef: string }>(`/transactions/${sale.transactionId}/refund`, { amount: 10 }),
    );
    const texts = [orderId, sale.processorRef, sale.authCode, sale.transactionId, refund.refundId, refund.processorRef, '71.19'];
    for (const path of ['/transactions', '/payments']) {
      for (const text of texts.flatMap((each) => [each, each.toLowerCase(), each.toUpperCase()])) {
        const found = await expectData(api.admin.get<TransactionRecord[]>(`${path}?limit=200&q=${encodeURIComponent(` ${text} `)}`));
        expect(JSON.stringify(found), `${path} ${text}`).toContain(sale.transactionId);
      }
      expect(await expectData(api.admin.get<unknown[]>(`${path}?q=${sale.processorRef.slice(0, -1)}`))).toEqual([]);
    }
  });

  test('finds a payment and a tender by the words of the name of its customer', async () => {
    const { api } = fixture();
    const serial = Date.now().toString(36);
    const customer = { firstName: 'Zoë', lastName: `García-Quist${serial} O’Malley` };
    const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', customer), 201);
    const { transactionId } = await expectData(
      api.admin.post<PrintedSale>('/transactions', cardBody(72.31, undefined, { customerId, billing: { ...customer, zip: '04101' } })),
    );
    const { tenderId } = await expectData(
      api.admin.post<{ tenderId: string }>('/tenders', { kind: 'check', amount: 5, checkNumber: '8', customerId }),
      201,
    );
    const idsOf = async (q: string) =>
      JSON.stringify(await expectData(api.admin.get<unknown[]>(`/payments?limit=200&q=${encodeURIComponent(q)}`)));
    for (const q of ['zoe garcia', `Garcia Quist${serial}`, 'omalley', 'OMALL', `zoe`]) expect(await idsOf(q), q).toContain(transactionId);
    for (const q of [`quist${serial}`, `Zoë García-Quist${serial}`]) expect(await idsOf(q), q).toContain(tenderId);
    expect(await idsOf(`x${serial}`)).toBe('[]');
  });

  test('counts a payment once whose first and last name a text finds, also within a period and a status', async () => {
    const { api } = fixture();
    const name = `quin${Date.now().toString(36)}`;
    const billing = { firstName: name, lastName: `${name} Vale ${name}`, zip: '04101' };
    for (const amount of [11, 12]) await expectData(api.admin.post('/transactions', cardBody(amount, undefined, { billing })));
    for (const filter of ['', '&status=approved', '&startDate=2020-01-01', '&limit=1'])
      expect((await api.admin.get(`/transactions?q=${name}${filter}`)).body.pagination, filter).toMatchObject({ total: 2 });
  });

  test('finds a cash payment by its order number in any case', async () => {
    const { api } = fixture();
    const orderId = `Cash-${Date.now()}`;
    const { tenderId } = await expectData(
      api.admin.post<{ tenderId: string }>('/tenders', { kind: 'check', amount: 5, checkNumber: '7', orderId }),
      201,
    );
    expect(JSON.stringify(await expectData(api.admin.get(`/payments?q=${orderId.toUpperCase()}`)))).toContain(tenderId);
  });
});
