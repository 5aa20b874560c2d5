import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { createCustomer } from '../../support/customers.ts';
import { createOrder, getOrder, type OrderRecord } from '../../support/orders.ts';
import { pairReader, present, startSale } from '../../support/readers.ts';
import { bankBody, CARDS, cardBody, createSale, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { allowSurcharges, createMerchant } from '../../support/settlements.ts';
import { refundTender, type TenderRecord, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
const cents = (amount: number) => Math.round(amount * 100);

describeOnBothDatabases('orders', (fixture, inFull) => {
  const pay = (orderId: string, amount: number | string, more: Record<string, unknown> = {}) =>
    fixture().api.admin.post<TransactionRecord & { taxAmount: number; discountAmount: number }>('/transactions', {
      ...cardBody(amount),
      orderId,
      ...more,
    });

  test('takes a last part below one unit by card', inFull, async () => {
    const { orderId } = await createOrder(fixture(), { amount: 20 });
    await takeTender(fixture(), 19.5, { orderId });
    await expectData(pay(orderId, 0.5));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', remainingAmount: 0 });
  });

  test('pays an order by card, card on file, bank account and cash, with its tax and discount to the cent', inFull, async () => {
    const { api } = fixture();
    const lineItems = [
      { description: 'Repair of orders', unitPrice: 80.01, taxRate: 8.25, discountAmount: 5 },
      { description: 'Cable of orders', quantity: 3, unitPrice: 3.33, taxRate: 8.25 },
    ];
    const order = await createOrder(fixture(), { lineItems, name: 'Table 4', reference: 'shop-7' });
    expect(order).toMatchObject({ status: 'open', amount: 92.01, taxAmount: 7.01, remainingAmount: 92.01, name: 'Table 4' });
    const { orderId } = order;
    const { token } = await createSale(fixture(), 5);
    const debited = await expectData(api.admin.post<TransactionRecord>('/transactions', bankBody(20.67, { orderId, tipAmount: 0 })));
    expect(debited).toMatchObject({ status: 'approved', paymentMethod: 'ach', orderId });
    const onFile = await expectData(api.admin.post<TransactionRecord>('/transactions', { amount: 10, token, orderId }));
    expect(onFile).toMatchObject({ status: 'approved', token, orderId });
    const tipped = await expectData(pay(orderId, 35, { tipAmount: 4.33 }));
    const cash = await takeTender(fixture(), 30.67, { orderId, amountGiven: 40 });
    const paid = await getOrder(fixture(), orderId);
    expect(paid).toMatchObject({ status: 'paid', paidAmount: 92.01, remainingAmount: 0, tipAmount: 4.33 });
    expect(paid.payments.map(({ kind, shareAmount }) => [kind, shareAmount])).toEqual([
      ['ach', 20.67],
      ['card', 10],
      ['card', 30.67],
      ['cash', 30.67],
    ]);
    const taxes = paid.payments.map(({ taxAmount }) => cents(taxAmount));
    expect(taxes.reduce((sum, tax) => sum + tax, 0)).toBe(701);
    expect(paid.payments.reduce((sum, { discountAmount }) => sum + cents(discountAmount), 0)).toBe(500);
    const shown = await expectData(api.admin.get<{ taxAmount: number }>(`/transactions/${tipped.transactionId}`));
    expect(cents(shown.taxAmount)).toBe(taxes[2]);
    const tender = await expectData(api.admin.get<{ taxAmount: number; discountAmount: number }>(`/tenders/${cash.tenderId}`));
    expect([cents(tender.taxAmount), cents(tender.discountAmount)]).toEqual([taxes[3], cents(paid.payments[3]?.discountAmount ?? 0)]);
    expect(await findEvent(fixture(), 'order.paid', ({ data }) => data.orderId === orderId)).toMatchObject({
      data: { number: order.number, paidAmount: 92.01 },
    });
    await expectError(pay(orderId, 1), 409, 'RESOURCE_CONFLICT');
    const report = await expectData(api.admin.get<{ items: { name: string; count: number; sales: number }[] }>('/reporting/items'));
    const sold = report.items.filter(({ name }) => name.endsWith('of orders'));
    expect(sold.map(({ name, count, sales }) => [name, count, sales])).toEqual([
      ['Repair of orders', 1, 81.2],
      ['Cable of orders', 1, 10.81],
    ]);
  });

  test('lets ten parallel payments of an order never exceed it', async () => {
    const { orderId } = await createOrder(fixture(), { amount: 50 });
    const answers = await Promise.all(
      TEN.map((n) =>
        n % 2 === 0 ? pay(orderId, 10) : fixture().api.admin.post<TenderRecord>('/tenders', { kind: 'cash', amount: 10, orderId }),
      ),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(5);
    for (const answer of answers.filter(({ status }) => status >= 300))
      expect(['INVALID_AMOUNT', 'RESOURCE_CONFLICT']).toContain((answer.body as { error?: { code: string } }).error?.code);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', paidAmount: 50, reservedAmount: 0 });
  });

  test('gives the share of a declined payment back, and keeps that of an unconfirmed one reserved', inFull, async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 40, taxAmount: 3 });
    expect((await pay(orderId, 40, { card: cardBody(1, CARDS.declined).card })).body).toMatchObject({ data: { status: 'declined' } });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ remainingAmount: 40, payments: [{ state: 'released' }] });
    const lost = await expectError(pay(orderId, 30, { card: cardBody(1, CARDS.answerLost).card }), 502, 'GATEWAY_TIMEOUT');
    expect(await getOrder(fixture(), orderId)).toMatchObject({ remainingAmount: 10, status: 'open' });
    const error = await expectError(pay(orderId, 10.01), 422, 'INVALID_AMOUNT');
    expect(error.details).toMatchObject({ remainingAmount: 10 });
    await expectError(api.admin.post(`/orders/${orderId}/cancel`, {}), 409, 'RESOURCE_CONFLICT');
    await waitUntilConcluded(fixture(), String(lost.details?.transactionId));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ paidAmount: 30, reservedAmount: 0 });
  });

  test('adds the surcharge of a credit card to its own payment only, and divides tax and discount to the cent', inFull, async () => {
    const merchantId = await createMerchant(fixture());
    await allowSurcharges(fixture(), merchantId);
    const { orderId } = await createOrder(fixture(), { merchantId, amount: 100, taxAmount: 8.33, discountAmount: 10.01 });
    const first = await expectData(pay(orderId, 36.29, { merchantId, surchargeAmount: 0.96, tipAmount: 2 }));
    expect(first).toMatchObject({ status: 'approved', surchargeAmount: 0.96 });
    await takeTender(fixture(), 33.33, { merchantId, orderId });
    await expectData(pay(orderId, 34.3, { merchantId, surchargeAmount: 0.96 }));
    const paid = await getOrder(fixture(), orderId);
    expect(paid).toMatchObject({ status: 'paid', paidAmount: 100, tipAmount: 2, surchargeAmount: 1.92 });
    expect(paid.payments.map(({ shareAmount }) => shareAmount)).toEqual([33.33, 33.33, 33.34]);
    const sumOf = (part: 'taxAmount' | 'discountAmount') => paid.payments.reduce((sum, payment) => sum + cents(payment[part]), 0);
    expect([sumOf('taxAmount'), sumOf('discountAmount')]).toEqual([833, 1_001]);
  });

  test('takes back what a void and a refund return, and leaves a paid order paid after a refund', inFull, async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 60, taxAmount: 5 });
    const { transactionId } = await expectData(pay(orderId, 20));
    const { tenderId } = await takeTender(fixture(), 20, { orderId });
    await expectError(api.admin.post(`/orders/${orderId}/cancel`, {}), 409, 'RESOURCE_CONFLICT');
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, {}));
    await expectData(refundTender(fixture(), tenderId, { amount: 5 }), 201);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', paidAmount: 15, remainingAmount: 45, refundedAmount: 0 });
    const last = await expectData(pay(orderId, 45));
    await expectData(api.admin.post(`/transactions/${last.transactionId}/refund/partial`, { amount: 9 }));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', paidAmount: 60, refundedAmount: 9 });
    const proposal = await expectData(
      api.admin.get<{ refundableAmount: number; refunds: { amount: number }[] }>(`/orders/${orderId}/refund-proposal?amount=17`),
    );
    expect(proposal).toMatchObject({ refundableAmount: 51, refunds: [{ amount: 5 }, { amount: 12 }] });
    await expectError(api.admin.get(`/orders/${orderId}/refund-proposal?amount=51.01`), 422, 'INVALID_AMOUNT');
  });

  test('reopens a paid order whose payment is voided, and cancels it after everything was returned', inFull, async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 25 });
    const { transactionId } = await expectData(pay(orderId, 25));
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, {}));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', remainingAmount: 25 });
    await findEvent(fixture(), 'order.reopened', ({ data }) => data.orderId === orderId);
    await expectData(api.admin.post(`/orders/${orderId}/cancel`, { reason: 'Changed their mind' }));
    await expectError(pay(orderId, 25), 409, 'RESOURCE_CONFLICT');
    expect(await getOrder(fixture(), orderId)).toMatchObject({
      status: 'canceled',
      remainingAmount: 0,
      actions: { cancel: { allowed: false } },
    });
  });

  test('lets one of ten people resume a parked order, which takes no payment before', async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 12 });
    await expectData(api.admin.post(`/orders/${orderId}/park`, { name: 'Ann' }));
    await expectError(pay(orderId, 12), 409, 'RESOURCE_CONFLICT');
    const { items } = await expectList(fixture().api.admin.get(`/orders?status=parked&q=Ann`));
    expect(items.map((order) => order.orderId)).toEqual([orderId]);
    const answers = await Promise.all(TEN.map(() => api.admin.post<OrderRecord>(`/orders/${orderId}/resume`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    await expectData(pay(orderId, 6));
    await expectError(api.admin.post(`/orders/${orderId}/park`, {}), 409, 'RESOURCE_CONFLICT');
  });

  test('names a customer, by whom it is found, and whose deletion removes the name', inFull, async () => {
    const { api } = fixture();
    const { customerId } = await createCustomer(fixture(), { firstName: 'Odile', lastName: 'Ordermark' });
    const { orderId } = await createOrder(fixture(), { amount: 12, customerId });
    const { orderId: otherId } = await createOrder(fixture(), { amount: 12 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ customerId, customerName: 'Odile Ordermark' });
    expect(await getOrder(fixture(), otherId)).toMatchObject({ customerId: null, customerName: null });
    const idsOf = async (query: string) =>
      (await expectData(api.admin.get<OrderRecord[]>(`/orders?${query}`))).map((order) => order.orderId);
    expect(await idsOf(`customerId=${customerId}`)).toEqual([orderId]);
    expect(await idsOf('q=ordermark')).toEqual([orderId]);
    expect(await findEvent(fixture(), 'order.created', ({ data }) => data.orderId === orderId)).toMatchObject({ data: { customerId } });
    const entries = await expectData(api.admin.get<{ after: { customerId: string } }[]>(`/audit-logs?resource=orders/${orderId}`));
    expect(entries).toMatchObject([{ after: { customerId } }]);
    await takeTender(fixture(), 12, { orderId });
    const print = () => api.admin.post<{ content: string }>('/notifications/receipt/print', { orderId, format: 'text', width: '80mm' });
    expect((await expectData(print())).content).toContain('Odile Ordermark');
    await expectData(api.admin.delete(`/customers/${customerId}`));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ customerId, customerName: null });
    await expectError(api.admin.post('/orders', { amount: 1, customerId }), 404, 'CUSTOMER_NOT_FOUND');
    const merchantId = await createMerchant(fixture());
    const stranger = await createCustomer(fixture(), { merchantId });
    await expectError(api.admin.post('/orders', { amount: 1, customerId: stranger.customerId }), 400, 'VALIDATION_ERROR');
  });

  test('counts the approved part of a card on a reader, and the tip on top of its share', inFull, async () => {
    const service = fixture();
    const { terminalId } = await pairReader(service);
    const { orderId } = await createOrder(service, { amount: 60, taxAmount: 6, discountAmount: 10 });
    await startSale(service, terminalId, 60, { orderId, allowPartialApproval: true });
    expect(await getOrder(service, orderId)).toMatchObject({ reservedAmount: 60, remainingAmount: 0 });
    await present(service, terminalId, 'part');
    expect(await getOrder(service, orderId)).toMatchObject({
      paidAmount: 30,
      reservedAmount: 0,
      remainingAmount: 30,
      payments: [{ state: 'paid', shareAmount: 30, taxAmount: 3, discountAmount: 5 }],
    });
    await startSale(service, terminalId, 30, { orderId, askTip: true });
    await present(service, terminalId, 'tip', { tipAmount: 4 });
    await present(service, terminalId, 'chip');
    expect(await getOrder(service, orderId)).toMatchObject({ status: 'paid', paidAmount: 60, tipAmount: 4 });
  });

  test('refuses fields of the order on its payments, unknown orders and orders of another currency', inFull, async () => {
    const { orderId } = await createOrder(fixture(), { amount: 20 });
    await expectError(pay(orderId, 20, { taxAmount: 1 }), 400, 'VALIDATION_ERROR', 'taxAmount');
    await expectError(pay(orderId, 20, { type: 'auth' }), 400, 'VALIDATION_ERROR', 'type');
    await expectError(pay(orderId, 20, { tipAmount: 20 }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(pay('ord_00000000000000000000000000', 20), 404, 'NOT_FOUND', 'orderId');
    expect(await expectData(pay('order-1001', 20))).toMatchObject({ status: 'approved', orderId: 'order-1001' });
    await expectError(fixture().api.admin.post('/orders', {}), 400, 'REQUIRED_FIELD_MISSING', 'amount');
  });

  test('keeps orders from other merchants, from readers and from keys without the permission', inFull, async () => {
    const { api, baseUrl, credentials } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 20 });
    const other = await createMerchant(fixture());
    const manager = await createUser(fixture(), 'manager', {}, other);
    await expectError(api.bare.get(`/api/v1/orders/${orderId}`, manager.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    for (const operation of ['park', 'cancel'])
      await expectError(api.bare.post(`/api/v1/orders/${orderId}/${operation}`, {}, manager.headers), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(api.bare.post('/api/v1/transactions', { ...cardBody(20), orderId }, manager.headers), 404, 'NOT_FOUND', 'orderId');
    await expectError(
      api.bare.post('/api/v1/tenders', { kind: 'cash', amount: 20, orderId }, manager.headers),
      404,
      'NOT_FOUND',
      'orderId',
    );
    const viewer = await createUser(fixture(), 'viewer');
    await expectError(api.bare.post('/api/v1/orders', { amount: 5 }, viewer.headers), 403, 'PERMISSION_DENIED');
    const body = { name: 'tenders only', scope: 'merchant', merchantId: credentials.merchantId, permissions: ['tenders:write'] };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', { ...body, currentPassword: api.adminPassword }), 201);
    const leaked = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
    await expectError(leaked.get(`/orders/${orderId}`), 403, 'PERMISSION_DENIED');
    await expectError(leaked.post(`/orders/${orderId}/cancel`, {}), 403, 'PERMISSION_DENIED');
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', paidAmount: 0 });
  });
});

async function expectList(answer: Promise<{ body: unknown }>): Promise<{ items: OrderRecord[] }> {
  return { items: ((await answer).body as { data: OrderRecord[] }).data };
}
