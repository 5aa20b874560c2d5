import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApprovalRecord, createPerson, setRules } from '../../support/approvals.ts';
import { createCustomer } from '../../support/customers.ts';
import { type GiftCardRecord, getGiftCard, giveGiftCard, orderGiftCard, redeem } from '../../support/gift-cards.ts';
import { createOrder, getOrder } from '../../support/orders.ts';
import { bankBody, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError } from '../../support/server.ts';
import { createMerchant, listLines, settle, settleOnRequest, zoneAtNoon } from '../../support/settlements.ts';
import { closeShift, getTender, openShift, reportOfShift, takeTender } from '../../support/tenders.ts';
import { findEvent } from '../../support/webhooks.ts';
import { describeWithLedger } from '../reporting/ledger-server.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);

interface StoreCreditRefund {
  readonly amount: number;
  readonly refunds: readonly { readonly refundId: string; readonly paymentId: string; readonly amount: number }[];
  readonly giftCard: GiftCardRecord;
}

const refundToCard = ({ api }: Pick<ApiFixture, 'api'>, body: object) => api.admin.post<StoreCreditRefund>('/gift-cards/refund', body);

async function shop(fixture: ApiFixture): Promise<string> {
  const merchantId = await createMerchant(fixture, { timezone: await zoneAtNoon(fixture) });
  await expectData(fixture.api.admin.put(`/merchants/${merchantId}/vt-settings`, { storeCreditForCards: true }));
  return merchantId;
}

const charge = async ({ api }: ApiFixture, amount: number, more: object) =>
  (await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount), ...more }))).transactionId;

describeWithLedger('refunds to gift cards and store credit', (server, inFull) => {
  const fixture = () => server().service;
  const expectBalanced = async () => expect(await server().differences()).toEqual([]);

  test('gives a new card no last day, and keeps the terms of a card that exists', async () => {
    const merchantId = await shop(fixture());
    await expectData(fixture().api.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardExpiryMonths: 12 }));
    const { giftCardId, expiresOn } = await giveGiftCard(fixture(), 5, { merchantId });
    expect(expiresOn).not.toBeNull();
    const { tenderId } = await takeTender(fixture(), 30, { merchantId });
    const toNew = await expectData(refundToCard(fixture(), { paymentId: tenderId, amount: 20 }), 201);
    expect(toNew.giftCard).toMatchObject({ balance: 20, expiresOn: null });
    const replaced = await expectData(
      fixture().api.admin.post<GiftCardRecord>(`/gift-cards/${toNew.giftCard.giftCardId}/replace`, { reason: 'Lost' }),
      201,
    );
    expect(replaced).toMatchObject({ balance: 20, expiresOn: null });
    const toCard = await expectData(refundToCard(fixture(), { paymentId: tenderId, giftCardId }), 201);
    expect(toCard.giftCard).toMatchObject({ balance: 15, expiresOn });
  });

  test('refund a card payment in parts, to a new card and to the store credit of its customer', async () => {
    const { api } = fixture();
    const merchantId = await shop(fixture());
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const transactionId = await charge(fixture(), 50, { merchantId, taxAmount: 4 });
    const first = await expectData(refundToCard(fixture(), { paymentId: transactionId, amount: 20, reason: 'Too small' }), 201);
    expect(first).toMatchObject({ amount: 20, giftCard: { balance: 20, kind: 'gift_card', status: 'active' } });
    await expectData(redeem(fixture(), String(first.giftCard.code), 5, { merchantId }), 201);
    const second = await expectData(refundToCard(fixture(), { paymentId: transactionId, amount: 10, customerId }), 201);
    expect(second).toMatchObject({ giftCard: { kind: 'store_credit', balance: 10, code: null } });
    const third = await expectData(refundToCard(fixture(), { paymentId: transactionId, customerId }), 201);
    expect(third).toMatchObject({ amount: 20, giftCard: { giftCardId: second.giftCard.giftCardId, balance: 30 } });
    await expectError(refundToCard(fixture(), { paymentId: transactionId }), 409, 'ALREADY_REFUNDED');
    await expectError(api.admin.post(`/transactions/${transactionId}/refund`, {}), 409, 'ALREADY_REFUNDED');
    const refundId = String(first.refunds[0]?.refundId);
    expect(await expectData(api.admin.get(`/refunds/${refundId}`))).toMatchObject({
      sentAs: 'store_credit',
      giftCardId: first.giftCard.giftCardId,
      settledAt: null,
    });
    expect(await findEvent(fixture(), 'refund.processed', ({ data }) => data.refundId === refundId)).toMatchObject({
      data: { amount: 20 },
    });
    expect(await findEvent(fixture(), 'gift_card.issued', ({ data }) => data.giftCardId === first.giftCard.giftCardId)).toMatchObject({
      data: { changeAmount: 20 },
    });
    const receipt = await expectData(
      api.admin.post<{ content: string }>('/notifications/receipt/print', { transactionId, refundId, format: 'text', preview: true }),
    );
    expect(receipt.content).toMatch(/Gift card +20\.00 USD/);
    await expectBalanced();
  });

  test('are not settled, and are counted in the shift, the day and the journal', inFull, async () => {
    const { api } = fixture();
    const merchantId = await shop(fixture());
    const drawer = { 'Paydesk-Drawer': 'Bar' };
    const { shiftId } = await openShift(fixture(), { merchantId, drawer: 'Bar', amount: 0 });
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(40), merchantId }, drawer));
    const { tenderId } = await takeTender(fixture(), 10, { merchantId, drawer: 'Bar' });
    await expectData(api.admin.post('/gift-cards/refund', { paymentId: transactionId, amount: 15 }, drawer), 201);
    await expectData(api.admin.post('/gift-cards/refund', { paymentId: tenderId }, drawer), 201);
    const figures = { netSalesAmount: 25, giftCardRefunds: { count: 2, amount: 25 }, cards: { totalAmount: 40 }, expectedAmount: 10 };
    expect(await reportOfShift(fixture(), shiftId)).toMatchObject(figures);
    interface Day {
      readonly date: string;
      readonly refundsAmount: number;
      readonly netAmount: number;
      readonly shifts: { readonly payments: object };
    }
    const day = await expectData(api.admin.get<Day>(`/reporting/daily-summary?merchantId=${merchantId}`));
    expect(day).toMatchObject({
      refundsAmount: 25,
      shifts: { payments: { openShiftsAmount: 25, withoutShiftAmount: 0, totalAmount: 25 } },
    });
    const journal = (
      await api.admin.get(`/reporting/journal?merchantId=${merchantId}&startDate=${day.date}&endDate=${day.date}&format=hledger`)
    ).text;
    expect(journal).toMatch(/Refunds to store credit/);
    await expectData(closeShift(fixture(), shiftId, { amount: 10 }));
    expect(await reportOfShift(fixture(), shiftId)).toMatchObject(figures);
    await expectBalanced();
  });

  test('leave the payment in its settlement in full, before and after it, and never become a line of one', inFull, async () => {
    const merchantId = await shop(fixture());
    await settleOnRequest(fixture(), merchantId);
    const early = await charge(fixture(), 50, { merchantId });
    const toProcessor = await charge(fixture(), 30, { merchantId });
    await expectData(refundToCard(fixture(), { paymentId: early, amount: 20 }), 201);
    await expectData(fixture().api.admin.post(`/transactions/${toProcessor}/refund`, { amount: 5 }));
    const [first] = await settle(fixture(), merchantId);
    expect(first).toMatchObject({ captures: 80, refunds: 5, amount: 75, transactionCount: 2, refundCount: 1 });
    const lines = await listLines(fixture(), String(first?.settlementId));
    expect(lines.map(({ kind, amount, transactionId }) => [kind, Math.abs(amount), transactionId]).toSorted()).toEqual(
      [
        ['capture', 50, early],
        ['capture', 30, toProcessor],
        ['refund', 5, toProcessor],
      ].toSorted(),
    );
    await expectData(refundToCard(fixture(), { paymentId: early, amount: 30 }), 201);
    await charge(fixture(), 7, { merchantId });
    const [second] = await settle(fixture(), merchantId);
    expect(second).toMatchObject({ captures: 7, refunds: 0, amount: 7, refundCount: 0 });
    await expectBalanced();
  });

  test('refund an order by its payments at once, except for what a gift card paid', inFull, async () => {
    const merchantId = await shop(fixture());
    const { code } = await giveGiftCard(fixture(), 10, { merchantId });
    const { orderId } = await createOrder(fixture(), { amount: 60, merchantId });
    await expectData(redeem(fixture(), code ?? '', 10, { orderId, merchantId }), 201);
    await takeTender(fixture(), 20, { orderId, merchantId });
    await charge(fixture(), 30, { orderId, merchantId });
    const refunded = await expectData(refundToCard(fixture(), { orderId, amount: 25 }), 201);
    expect(refunded.refunds.map(({ amount }) => amount)).toEqual([15, 10]);
    expect(refunded.giftCard).toMatchObject({ balance: 25 });
    await expectError(refundToCard(fixture(), { orderId, amount: 25.01 }), 422, 'INVALID_AMOUNT');
    await expectData(refundToCard(fixture(), { orderId, giftCardId: refunded.giftCard.giftCardId }), 201);
    expect(await getGiftCard(fixture(), refunded.giftCard.giftCardId)).toMatchObject({ balance: 50 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', refundedAmount: 50 });
    const [byCard] = (await getOrder(fixture(), orderId)).payments;
    await expectError(refundToCard(fixture(), { paymentId: byCard?.paymentId }), 422, 'NOT_REFUNDABLE');
    await expectError(refundToCard(fixture(), {}), 400, 'VALIDATION_ERROR');
    await expectBalanced();
  });

  test('happen once in parallel, with refunds to the card among them', async () => {
    const { api } = fixture();
    const merchantId = await shop(fixture());
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const transactionId = await charge(fixture(), 30, { merchantId });
    const answers = await Promise.all(
      TEN.map((index) =>
        index % 5 === 4
          ? api.admin.post(`/transactions/${transactionId}/refund`, { amount: 10 })
          : refundToCard(fixture(), { paymentId: transactionId, amount: 10, ...(index % 2 === 0 && { customerId }) }),
      ),
    );
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(3);
    const { tenderId } = await takeTender(fixture(), 30, { merchantId });
    const tenders = await Promise.all(TEN.map(() => refundToCard(fixture(), { paymentId: tenderId, amount: 10, customerId })));
    expect(tenders.filter(({ status }) => status === 201)).toHaveLength(3);
    const { tenderId: other } = await takeTender(fixture(), 30, { merchantId });
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const repeated = await Promise.all(TEN.map(() => api.admin.post('/gift-cards/refund', { paymentId: other, amount: 10 }, key)));
    expect(new Set(repeated.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1);
    await expectBalanced();
  });

  test('take a sold gift card back as other refunds do', inFull, async () => {
    const merchantId = await shop(fixture());
    const mug = { description: 'Mug', unitPrice: 20 };
    const { orderId, giftCardId, code } = await orderGiftCard(fixture(), 50, { merchantId, lineItems: [mug] });
    const { tenderId } = await takeTender(fixture(), 70, { merchantId, orderId });
    await expectData(redeem(fixture(), code, 30, { merchantId }), 201);
    await expectError(refundToCard(fixture(), { paymentId: tenderId, amount: 40.01 }), 422, 'NOT_REFUNDABLE');
    await expectData(refundToCard(fixture(), { paymentId: tenderId, amount: 40 }), 201);
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 0 });
    await expectBalanced();
  });

  test('refuse card payments unless the merchant allows them', inFull, async () => {
    const merchantId = await createMerchant(fixture());
    const transactionId = await charge(fixture(), 30, { merchantId });
    const { details } = await expectError(refundToCard(fixture(), { paymentId: transactionId }), 422, 'NOT_REFUNDABLE');
    expect(details).toMatchObject({ reason: 'store_credit_for_cards' });
    const { tenderId } = await takeTender(fixture(), 30, { merchantId });
    await expectData(refundToCard(fixture(), { paymentId: tenderId }), 201);
  });

  test('refuse bank payments and checks, which the bank can return after the credit is spent', inFull, async () => {
    const { api } = fixture();
    const merchantId = await shop(fixture());
    const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', bankBody(45, { merchantId })));
    const ofTransaction = await expectError(refundToCard(fixture(), { paymentId: transactionId }), 422, 'NOT_REFUNDABLE');
    expect(ofTransaction.details).toMatchObject({ reason: 'bank_payment', transactionId });
    const { tenderId } = await takeTender(fixture(), 60, { merchantId, kind: 'check', checkNumber: '7' });
    const ofTender = await expectError(refundToCard(fixture(), { paymentId: tenderId }), 422, 'NOT_REFUNDABLE');
    expect(ofTender.details).toMatchObject({ reason: 'check', tenderId });
    // The return of the check takes the whole amount off the books.
    await expectData(api.admin.post(`/tenders/${tenderId}/return`, {}));
    expect(await getTender(fixture(), tenderId)).toMatchObject({ status: 'returned', refundedAmount: 60 });
    const { orderId } = await createOrder(fixture(), { amount: 40, merchantId });
    await takeTender(fixture(), 15, { orderId, merchantId, kind: 'check', checkNumber: '8' });
    await takeTender(fixture(), 5, { orderId, merchantId });
    await expectData(api.admin.post('/transactions', bankBody(20, { merchantId, orderId })));
    const refunded = await expectData(refundToCard(fixture(), { orderId }), 201);
    expect(refunded).toMatchObject({ amount: 5, giftCard: { balance: 5 } });
    const ofOrder = await expectError(refundToCard(fixture(), { orderId }), 422, 'NOT_REFUNDABLE');
    expect(ofOrder.details).toMatchObject({ reason: 'payment_kinds', orderId });
    await expectBalanced();
  });

  test('need a second person for a cashier, a key without gift-cards:manage, and above refundAbove', inFull, async () => {
    const { api, baseUrl, credentials } = fixture();
    const merchantId = await shop(fixture());
    const transactionId = await charge(fixture(), 80, { merchantId });
    const cashier = await createPerson(fixture(), 'cashier', merchantId);
    const asked = await expectData(
      cashier.as.post<{ approvalId: string }>('/gift-cards/refund', { paymentId: transactionId, amount: 5 }),
      202,
    );
    const body = {
      name: 'till',
      scope: 'merchant',
      merchantId,
      permissions: ['refunds', 'gift-cards:write'],
      currentPassword: api.adminPassword,
    };
    const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
    const leaked = surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
    await expectData(leaked.post('/gift-cards/refund', { paymentId: transactionId, amount: 5 }), 202);
    const { tenderId } = await takeTender(fixture(), 30, { merchantId });
    await expectError(leaked.post('/gift-cards/refund', { paymentId: tenderId }), 403, 'PERMISSION_DENIED');
    await setRules(fixture(), { refundAbove: 50, currency: 'USD', approversExempt: false }, merchantId);
    await expectData(refundToCard(fixture(), { paymentId: transactionId, amount: 40 }), 201);
    const above = await expectData(
      api.admin.post<{ approvalId: string }>('/gift-cards/refund', { paymentId: transactionId, amount: 20 }),
      202,
    );
    expect(await expectData(api.admin.get(`/approvals/${above.approvalId}`))).toMatchObject({ kind: 'refund', amount: 20 });
    await expectData(api.admin.post(`/approvals/${asked.approvalId}/approve`, {}));
    expect(await expectData(cashier.as.get(`/approvals/${asked.approvalId}`))).toMatchObject({ status: 'approved', resultStatus: 201 });
    await expectBalanced();
  });

  test('show the approver the payments, the target and the reason', inFull, async () => {
    const { api } = fixture();
    const merchantId = await shop(fixture());
    const cashier = await createPerson(fixture(), 'cashier', merchantId);
    const { customerId } = await createCustomer(fixture(), { merchantId });
    const ask = async (body: object) => {
      const { approvalId } = await expectData(cashier.as.post<{ approvalId: string }>('/gift-cards/refund', body), 202);
      return expectData(api.admin.get<ApprovalRecord>(`/approvals/${approvalId}`));
    };
    const transactionId = await charge(fixture(), 55, { merchantId });
    expect(await ask({ paymentId: transactionId, customerId, reason: 'Torn' })).toMatchObject({
      kind: 'gift_card',
      amount: 55,
      resource: `transactions/${transactionId}`,
      reason: 'Refunds to store credit need two people.',
      details: { transactionId, cardBrand: 'visa', last4: '1111', customerId, reason: 'Torn' },
    });
    const { giftCardId } = await giveGiftCard(fixture(), 5, { merchantId });
    const { orderId } = await createOrder(fixture(), { amount: 30, merchantId });
    const { tenderId } = await takeTender(fixture(), 10, { orderId, merchantId });
    await charge(fixture(), 20, { orderId, merchantId });
    const ofOrder = await ask({ orderId, giftCardId });
    expect(ofOrder).toMatchObject({
      amount: 30,
      resource: `orders/${orderId}`,
      details: {
        orderId,
        giftCardId,
        payments: [
          { amount: 20, last4: '1111' },
          { amount: 10, tenderId, kind: 'cash' },
        ],
      },
    });
    await expectData(api.admin.post(`/approvals/${ofOrder.approvalId}/approve`, {}));
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 35 });
    await expectBalanced();
  });

  test('count all payments of an order for refundAbove, of managers too and in parallel', async () => {
    const { api } = fixture();
    const merchantId = await shop(fixture());
    await setRules(fixture(), { refundAbove: 100, currency: 'USD', approversExempt: false }, merchantId);
    const manager = await createPerson(fixture(), 'manager', merchantId);
    const { orderId } = await createOrder(fixture(), { amount: 900, merchantId });
    const tenderIds: string[] = [];
    for (let n = 0; n < 10; n += 1) tenderIds.push((await takeTender(fixture(), 90, { orderId, merchantId })).tenderId);
    const { approvalId } = await expectData(manager.as.post<{ approvalId: string }>('/gift-cards/refund', { orderId }), 202);
    const asked = await expectData(api.admin.get<ApprovalRecord>(`/approvals/${approvalId}`));
    expect(asked).toMatchObject({ kind: 'refund', amount: 900, resource: `orders/${orderId}`, details: { orderId } });
    const answers = await Promise.all(tenderIds.map((paymentId) => manager.as.post('/gift-cards/refund', { paymentId })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(9);
    await expectBalanced();
  });

  test('stay within the merchant of the caller and of the payment', inFull, async () => {
    const [merchantId, other] = [await shop(fixture()), await shop(fixture())];
    const { tenderId } = await takeTender(fixture(), 30, { merchantId });
    const stranger = await createPerson(fixture(), 'manager', other);
    await expectError(stranger.as.post('/gift-cards/refund', { paymentId: tenderId }), 403, 'MERCHANT_NOT_AUTHORIZED');
    const foreign = await giveGiftCard(fixture(), 5, { merchantId: other });
    await expectError(refundToCard(fixture(), { paymentId: tenderId, giftCardId: foreign.giftCardId }), 400, 'VALIDATION_ERROR');
    const { customerId } = await createCustomer(fixture(), { merchantId: other });
    await expectError(refundToCard(fixture(), { paymentId: tenderId, customerId }), 400, 'VALIDATION_ERROR');
    const pending = await orderGiftCard(fixture(), 5, { merchantId });
    await expectError(refundToCard(fixture(), { paymentId: tenderId, giftCardId: pending.giftCardId }), 409, 'RESOURCE_CONFLICT');
    await expectData(refundToCard(fixture(), { paymentId: tenderId }), 201);
  });
});
