import { expect, test } from 'vitest';
import { createOrder, getOrder } from '../../support/orders.ts';
import { CARDS, cardBody, createSale, type TransactionRecord, waitUntilConcluded } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { gatewayMode } from '../../support/unconfirmed-payments.ts';
import { findEvent } from '../../support/webhooks.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);

describeOnBothDatabases('partial approval of cards', (fixture, inFull) => {
  const pay = (amount: number, more: Record<string, unknown> = {}) =>
    fixture().api.admin.post<TransactionRecord & { taxAmount: number; tipAmount: number }>('/transactions', {
      ...cardBody(amount, CARDS.prepaid),
      ...more,
    });

  test('charges the approved part of a keyed card, and leaves the rest of the order', inFull, async () => {
    const { orderId } = await createOrder(fixture(), { amount: 90, taxAmount: 9, discountAmount: 18 });
    const part = await expectData(pay(96, { orderId, tipAmount: 6, allowPartialApproval: true }));
    expect(part).toMatchObject({ status: 'approved', amount: 30, requestedAmount: 96, capturedAmount: 30, tipAmount: 1.87 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({
      status: 'open',
      paidAmount: 28.13,
      reservedAmount: 0,
      remainingAmount: 61.87,
      payments: [{ state: 'paid', amount: 30, shareAmount: 28.13, tipAmount: 1.87 }],
    });
    await expectData(pay(61.87, { orderId, card: cardBody(1).card }));
    const paid = await getOrder(fixture(), orderId);
    expect(paid).toMatchObject({ status: 'paid', paidAmount: 90 });
    const sumOf = (part: 'taxAmount' | 'discountAmount') =>
      paid.payments.reduce((sum, payment) => sum + Math.round(payment[part] * 100), 0);
    expect([sumOf('taxAmount'), sumOf('discountAmount')]).toEqual([900, 1_800]);
    const { data } = await findEvent(
      fixture(),
      'transaction.approved',
      ({ data: { transactionId } }) => transactionId === part.transactionId,
    );
    expect(data).toMatchObject({ amount: 30, requestedAmount: 96 });
  });

  test('gives the part back to the order if the customer declines it', inFull, async () => {
    const { orderId } = await createOrder(fixture(), { amount: 80 });
    const { transactionId } = await expectData(pay(80, { orderId, allowPartialApproval: true }));
    await expectData(fixture().api.admin.post(`/transactions/${transactionId}/void`, { reason: 'The customer declined the part' }));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', paidAmount: 0, remainingAmount: 80 });
    await expectData(fixture().api.admin.post(`/orders/${orderId}/cancel`, {}));
  });

  test('declines such a card without the flag, and approves an amount within its balance in full', inFull, async () => {
    expect((await pay(45)).body).toMatchObject({ data: { status: 'declined', declineCode: 'insufficient_funds', requestedAmount: null } });
    expect(await expectData(pay(30, { allowPartialApproval: true }))).toMatchObject({ amount: 30, requestedAmount: 30 });
    expect(await expectData(pay(30))).toMatchObject({ amount: 30, requestedAmount: null });
  });

  test('charges the approved part of a card on file on every surface', inFull, async () => {
    const { api } = fixture();
    const { token } = await createSale(fixture(), 20, { card: cardBody(1, CARDS.prepaid).card });
    const part = { status: 'approved', amount: 30, requestedAmount: 50 };
    expect(await expectData(api.admin.post('/transactions', { amount: 50, token, allowPartialApproval: true }))).toMatchObject(part);
    expect(await expectData(api.public.post('/token-transaction', { token, amount: 50, allowPartialApproval: true }))).toMatchObject(part);
    const card = { CardNumber: CARDS.prepaid, ExpiryMonth: '12', ExpiryYear: '2030', CVV: '123' };
    expect(await expectData(api.public.post('/transaction', { Amount: 51, ...card, AllowPartialApproval: true }))).toMatchObject({
      ...part,
      requestedAmount: 51,
    });
    const sdk = { Amount: 52, CardNumber: CARDS.prepaid, ExpiryDate: '1230', Cvv: '123', AllowPartialApproval: true };
    expect((await api.sdk.post('/transaction', sdk)).body).toMatchObject({ data: { Amount: '30.00', RequestedAmount: '52.00' } });
  });

  test('finds the approved part of a payment whose answer was lost, once', inFull, async () => {
    const { orderId } = await createOrder(fixture(), { amount: 70, taxAmount: 7 });
    await gatewayMode(fixture(), 'silent');
    const lost = await expectError(pay(70, { orderId, allowPartialApproval: true }), 502, 'GATEWAY_TIMEOUT');
    expect(await getOrder(fixture(), orderId)).toMatchObject({ reservedAmount: 70, remainingAmount: 0 });
    await gatewayMode(fixture(), 'normal');
    const concluded = await waitUntilConcluded(fixture(), String(lost.details?.transactionId));
    expect(concluded).toMatchObject({ status: 'approved', amount: 30, requestedAmount: 70, capturedAmount: 30 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ paidAmount: 30, reservedAmount: 0, remainingAmount: 40 });
  });

  test('lets ten parallel partial approvals of an order never exceed it', async () => {
    const { orderId } = await createOrder(fixture(), { amount: 250, taxAmount: 19.99 });
    const answers = await Promise.all(TEN.map(() => pay(50, { orderId, allowPartialApproval: true })));
    const approved = answers.filter(({ status }) => status === 200);
    const order = await getOrder(fixture(), orderId);
    expect(order).toMatchObject({ reservedAmount: 0, paidAmount: approved.length * 30, remainingAmount: 250 - approved.length * 30 });
    expect(approved.length).toBeGreaterThanOrEqual(5);
    expect(approved.length).toBeLessThanOrEqual(8);
  });

  test('refuses parts of authorizations and bank debits', inFull, async () => {
    await expectError(pay(45, { type: 'auth', allowPartialApproval: true }), 400, 'VALIDATION_ERROR', 'allowPartialApproval');
    const bankAccount = { accountNumber: '123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann Lee' };
    const debit = { amount: 45, bankAccount, allowPartialApproval: true };
    await expectError(fixture().api.admin.post('/transactions', debit), 400, 'VALIDATION_ERROR', 'allowPartialApproval');
  });
});
