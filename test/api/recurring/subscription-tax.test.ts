import { expect, test } from 'vitest';
import { createCustomerWithCard, type SubscriptionRecord, subscribe } from '../../support/customers.ts';
import type { TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { advanceClock } from '../../support/webhooks.ts';

const DAY_SECONDS = 86_400;

type TaxedSubscription = SubscriptionRecord & { taxAmount: number; purchaseOrderNumber: string | null };
type TaxedPayment = TransactionRecord & { taxAmount: number; purchaseOrderNumber: string | null };

/** Returns amount, tax and purchase order number of the payments of a customer, the newest first. */
const chargesOf = async ({ api }: ApiFixture, customerId: string) =>
  (await expectData(api.admin.get<TaxedPayment[]>(`/customers/${customerId}/transactions`))).map(
    ({ amount, taxAmount, purchaseOrderNumber }) => [amount, taxAmount, purchaseOrderNumber],
  );

describeOnAnyDatabase('tax of subscriptions', (fixture) => {
  test('is a part of each renewal, with its purchase order number, until both are changed', async () => {
    const service = fixture();
    const { api } = service;
    const { customerId } = await createCustomerWithCard(service);
    const more = { frequency: 'weekly', amount: '108.25', taxAmount: '8.25', purchaseOrderNumber: ' PO-7 ' };
    const created = (await subscribe(service, customerId, more)) as TaxedSubscription;
    expect(created).toMatchObject({ amount: 108.25, taxAmount: 8.25, purchaseOrderNumber: 'PO-7', paymentsMade: 1 });
    await advanceClock(service, 7 * DAY_SECONDS);
    const put = (body: object) => api.admin.put<TaxedSubscription>(`/recurring/${created.subscriptionId}`, body);
    for (const [wrong, requirement] of [
      [true, 'be a number or text, not true or false.'],
      ['-1', 'be 0 or more, with at most the decimals of the currency.'],
      ['1.234', 'have at most 2 decimals in USD. Round it,'],
    ] as const) {
      const refusal = await expectError(put({ taxAmount: wrong }), 400, 'INVALID_AMOUNT', 'taxAmount');
      expect(refusal.message).toContain(`\`taxAmount\` must ${requirement}`);
    }
    expect(await expectData(put({ amount: 50 }))).toMatchObject({ amount: 50, taxAmount: 8.25, purchaseOrderNumber: 'PO-7' });
    await advanceClock(service, 7 * DAY_SECONDS);
    expect(await expectData(put({ taxAmount: 0, purchaseOrderNumber: null }))).toMatchObject({ taxAmount: 0, purchaseOrderNumber: null });
    await advanceClock(service, 7 * DAY_SECONDS);
    expect(await chargesOf(service, customerId)).toEqual([
      [50, 0, null],
      [50, 8.25, 'PO-7'],
      [108.25, 8.25, 'PO-7'],
      [108.25, 8.25, 'PO-7'],
    ]);

    const [, newest] = await expectData(api.admin.get<TaxedPayment[]>(`/customers/${customerId}/transactions`));
    const transactionId = newest?.transactionId ?? '';
    const receipt = await expectData(
      api.admin.post<{ content: string }>('/notifications/receipt/print', { transactionId, format: 'text', width: '80mm' }),
    );
    expect(receipt.content).toMatch(/8\.25/);
    expect(receipt.content).toContain('PO-7');
    const { text } = await api.admin.get(`/transactions/export?customerId=${customerId}`);
    const [names = [], , line = []] = text.split('\r\n').map((row) => row.split(','));
    expect([line[names.indexOf('taxAmount')], line[names.indexOf('purchaseOrderNumber')]]).toEqual(['8.25', 'PO-7']);
    const refunds = [];
    for (const amount of [0.01, 16.66, 33.33])
      refunds.push(await expectData(api.admin.post<{ taxAmount: number }>(`/transactions/${transactionId}/refund`, { amount })));
    expect(refunds.reduce((sum, { taxAmount }) => sum + Math.round(taxAmount * 100), 0)).toBe(825);
  });

  test('is refused if it exceeds the amount, also after the amount was lowered, and nothing changes', async () => {
    const service = fixture();
    const { api } = service;
    const { customerId } = await createCustomerWithCard(service);
    const post = (more: object) => api.admin.post('/recurring', { customerId, amount: 10, frequency: 'monthly', ...more });
    const exceeding = await expectError(post({ taxAmount: 10.01 }), 400, 'INVALID_AMOUNT', 'taxAmount');
    expect(exceeding.message).toBe('`taxAmount` exceeds `amount`, of which it is a part.');
    await expectError(post({ taxAmount: -1 }), 400, 'INVALID_AMOUNT', 'taxAmount');
    await expectError(post({ taxAmount: '1.005' }), 400, 'INVALID_AMOUNT', 'taxAmount');
    await expectError(post({ taxAmount: true }), 400, 'INVALID_AMOUNT', 'taxAmount');
    await expectError(post({ purchaseOrderNumber: 'P'.repeat(26) }), 400, 'VALIDATION_ERROR', 'purchaseOrderNumber');
    await expectError(post({ purchaseOrderNumber: '4111 1111 1111 1111' }), 400, 'VALIDATION_ERROR', 'purchaseOrderNumber');
    expect(await chargesOf(service, customerId)).toEqual([]);

    const { subscriptionId } = await subscribe(service, customerId, { amount: 10, taxAmount: 10 });
    const put = (body: object) => api.admin.put<TaxedSubscription>(`/recurring/${subscriptionId}`, body);
    const lowered = await expectError(put({ amount: 9, planId: 'silver' }), 400, 'INVALID_AMOUNT', 'taxAmount');
    expect(lowered.message).toBe(exceeding.message);
    await expectError(put({ taxAmount: 10.01, planId: 'silver' }), 400, 'INVALID_AMOUNT', 'taxAmount');
    expect(await expectData(api.admin.get<TaxedSubscription>(`/recurring/${subscriptionId}`))).toMatchObject({
      amount: 10,
      taxAmount: 10,
      planId: null,
    });
    expect(await expectData(put({ amount: 9, taxAmount: 9 }))).toMatchObject({ amount: 9, taxAmount: 9 });
  });

  test('never exceeds the amount after changes in parallel', async () => {
    const service = fixture();
    const { api } = service;
    const { customerId } = await createCustomerWithCard(service);
    const { subscriptionId } = await subscribe(service, customerId, { amount: 20, taxAmount: 5 });
    const changes = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? { amount: 6 } : { taxAmount: 7 }));
    const answers = await Promise.all(changes.map((change) => api.admin.put(`/recurring/${subscriptionId}`, change)));
    for (const { status } of answers) expect([200, 400]).toContain(status);
    const { amount, taxAmount } = await expectData(api.admin.get<TaxedSubscription>(`/recurring/${subscriptionId}`));
    expect([
      [6, 5],
      [20, 7],
    ]).toContainEqual([amount, taxAmount]);
  });

  test('is taken on the Public surface', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const body = { customerId, amount: 12.5, taxAmount: 1.5, purchaseOrderNumber: 'PO-8', period: 'weekly' };
    const created = await expectData(service.api.public.post<TaxedSubscription>('/recurring', body), 201);
    expect(created).toMatchObject({ amount: 12.5, taxAmount: 1.5, purchaseOrderNumber: 'PO-8' });
    expect(await chargesOf(service, customerId)).toEqual([[12.5, 1.5, 'PO-8']]);
  });
});
