import { expect, test } from 'vitest';
import { createCustomer } from '../../support/customers.ts';
import {
  type GiftCardRecord,
  getGiftCard,
  giveGiftCard,
  liabilityOf,
  orderGiftCard,
  redeem,
  sellGiftCard,
} from '../../support/gift-cards.ts';
import { createOrder, getOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';
import { concludeUnconfirmed, gatewayMode } from '../../support/unconfirmed-payments.ts';

const MUG = { lineItems: [{ description: 'Mug', unitPrice: 20 }] };
const TEN = Array.from({ length: 10 }, (_, index) => index);

describeOnBothDatabases('gift cards of a sale whose money leaves', (fixture, inFull) => {
  const post = <T>(path: string, body: Record<string, unknown> = {}) => fixture().api.admin.post<T>(path, body);
  const pay = async (orderId: string, amount: number, card: string = CARDS.visa, more: Record<string, unknown> = {}) =>
    (await expectData(post<TransactionRecord>('/transactions', { ...cardBody(amount, card), orderId, ...more }))).transactionId;
  const refund = (id: string, body: Record<string, unknown> = {}) => post(`/transactions/${id}/refund`, body);
  const balanceOf = async (id: string) => (await getGiftCard(fixture(), id)).balance;
  const cancelQueued = async (transactionId: string) => {
    const entries = await expectData(
      fixture().api.admin.get<{ id: string; transactionId: string }[]>('/refund-decline-queue?status=pending&limit=200'),
    );
    const entry = entries.find((each) => each.transactionId === transactionId);
    await expectData(post(`/refund-decline-queue/${entry?.id}/cancel`));
  };
  const expectBalanced = async () => {
    const { ledger, cards } = await liabilityOf(fixture());
    expect(ledger).toBe(cards);
  };

  test('stay empty while the outcome of a void is unknown, whatever else is refunded', inFull, async () => {
    const { orderId, giftCardId } = await orderGiftCard(fixture(), 100);
    const { tenderId } = await takeTender(fixture(), 40, { orderId });
    const transactionId = await pay(orderId, 60);
    expect(await balanceOf(giftCardId)).toBe(100);
    await gatewayMode(fixture(), 'silent');
    try {
      await expectError(post(`/transactions/${transactionId}/void`), 502, 'GATEWAY_TIMEOUT');
      expect(await balanceOf(giftCardId)).toBe(0);
      await expectData(refundTender(fixture(), tenderId), 201);
      expect(await balanceOf(giftCardId)).toBe(0);
    } finally {
      await concludeUnconfirmed(fixture());
    }
    expect(await balanceOf(giftCardId)).toBe(0);
  });

  test('do not prevent the end of a refund without effect after a check was returned', inFull, async () => {
    const { orderId, code } = await orderGiftCard(fixture(), 60);
    const { tenderId } = await takeTender(fixture(), 30, { kind: 'check', checkNumber: '8', orderId });
    const transactionId = await pay(orderId, 30, CARDS.refundDeclined);
    await refund(transactionId, { amount: 10 });
    await expectData(redeem(fixture(), code, 50), 201);
    await expectData(post(`/tenders/${tenderId}/return`, { reason: 'Insufficient funds' }));
    await cancelQueued(transactionId);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', giftCards: [{ loadedAmount: 50 }] });
  });

  test('keep their amount when a tip is refunded', inFull, async () => {
    const { orderId, giftCardId } = await orderGiftCard(fixture(), 50, MUG);
    const transactionId = await pay(orderId, 80, CARDS.refundDeclined, { tipAmount: 10 });
    await refund(transactionId, { amount: 10, tipAmount: 10 });
    await refund(transactionId, { amount: 20, tipAmount: 0 });
    expect(await balanceOf(giftCardId)).toBe(50);
    await refund(transactionId, { amount: 5, tipAmount: 0 });
    expect(await balanceOf(giftCardId)).toBe(45);
  });

  test('lose what they hold when their payment is charged back, and get it again when the dispute is won', inFull, async () => {
    const { orderId, giftCardId, code } = await orderGiftCard(fixture(), 50);
    const transactionId = await pay(orderId, 50);
    await expectData(redeem(fixture(), code, 20), 201);
    const { disputeId } = await expectData(post<{ disputeId: string }>('/disputes', { transactionId }), 201);
    expect(await balanceOf(giftCardId)).toBe(0);
    await expectError(redeem(fixture(), code, 1), 422, 'INVALID_AMOUNT');
    await expectData(post(`/disputes/${disputeId}/submit`));
    await expectData(post(`/disputes/${disputeId}/conclude`, { outcome: 'won' }));
    expect(await balanceOf(giftCardId)).toBe(30);
    await expectBalanced();
  });

  test('refuse only their own part after the bank returned a check', inFull, async () => {
    const { orderId, code } = await orderGiftCard(fixture(), 50, MUG);
    const { tenderId } = await takeTender(fixture(), 45, { kind: 'check', checkNumber: '9', orderId });
    const transactionId = await pay(orderId, 25);
    await expectData(redeem(fixture(), code, 50), 201);
    await expectData(post(`/tenders/${tenderId}/return`, { reason: 'Insufficient funds' }));
    const refused = await expectError(refund(transactionId, { amount: 20.01 }), 422, 'NOT_REFUNDABLE');
    expect(refused.details).toMatchObject({ reason: 'gift_card_spent' });
    await expectError(post(`/transactions/${transactionId}/void`), 422, 'NOT_REFUNDABLE');
    await expectData(refund(transactionId, { amount: 12 }));
    await expectError(refund(transactionId, { amount: 8.01 }), 422, 'NOT_REFUNDABLE');
    await expectData(refund(transactionId, { amount: 8 }));
    await expectError(refund(transactionId, { amount: 1 }), 422, 'NOT_REFUNDABLE');
    await expectBalanced();
  });

  test('refuse only their own part after a chargeback', inFull, async () => {
    const { orderId, code } = await orderGiftCard(fixture(), 50, MUG);
    const disputed = await pay(orderId, 50);
    const { tenderId } = await takeTender(fixture(), 20, { orderId });
    await expectData(redeem(fixture(), code, 50), 201);
    await expectData(post('/disputes', { transactionId: disputed }), 201);
    await expectData(refundTender(fixture(), tenderId), 201);
    await expectBalanced();
  });

  test('refuse credits to the card of their payment as they refuse refunds', inFull, async () => {
    const { orderId, giftCardId, code } = await orderGiftCard(fixture(), 50, MUG);
    const transactionId = await pay(orderId, 70);
    const credit = (amount: number) => post<TransactionRecord>(`/transactions/${transactionId}/credit`, { amount });
    await expectData(redeem(fixture(), code, 30), 201);
    const refused = await expectError(credit(40.01), 422, 'NOT_REFUNDABLE');
    expect(refused.details).toMatchObject({ reason: 'gift_card_spent', giftCardIds: [giftCardId] });
    const { transactionId: creditId } = await expectData(credit(40));
    expect(await balanceOf(giftCardId)).toBe(0);
    await expectError(refund(transactionId, { amount: 1 }), 422, 'NOT_REFUNDABLE');
    await expectError(post(`/transactions/${creditId}/credit`, { amount: 1 }), 422, 'NOT_REFUNDABLE');
    await expectBalanced();
  });

  test('limit parallel refunds and credits together', async () => {
    const { orderId, giftCardId, code } = await orderGiftCard(fixture(), 50, MUG);
    const transactionId = await pay(orderId, 70);
    await expectData(redeem(fixture(), code, 30), 201);
    const answers = await Promise.all(
      TEN.map((part) =>
        part % 2 === 0 ? post(`/transactions/${transactionId}/credit`, { amount: 15 }) : refund(transactionId, { amount: 15 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(await balanceOf(giftCardId)).toBe(10);
    await expectBalanced();
  });

  test('are loaded again if the credit has no effect', inFull, async () => {
    const { orderId, giftCardId } = await orderGiftCard(fixture(), 50);
    const transactionId = await pay(orderId, 50);
    await gatewayMode(fixture(), 'down');
    try {
      const { status } = await post(`/transactions/${transactionId}/credit`, { amount: 20 });
      expect(status).toBeGreaterThanOrEqual(500);
    } finally {
      await gatewayMode(fixture(), 'normal');
    }
    expect(await balanceOf(giftCardId)).toBe(50);
  });

  test('are taken back before other goods if they are blocked', inFull, async () => {
    const { giftCardId, tenderId } = await sellGiftCard(fixture(), 50, MUG);
    await expectData(post(`/gift-cards/${giftCardId}/block`));
    await expectData(refundTender(fixture(), tenderId, { amount: 50 }), 201);
    expect(await balanceOf(giftCardId)).toBe(0);
    await expectData(post(`/gift-cards/${giftCardId}/unblock`));
    await expectData(refundTender(fixture(), tenderId, { amount: 5 }), 201);
    expect(await balanceOf(giftCardId)).toBe(0);

    const later = await sellGiftCard(fixture(), 50, MUG);
    await expectData(refundTender(fixture(), later.tenderId, { amount: 20 }), 201);
    await expectData(post(`/gift-cards/${later.giftCardId}/block`));
    await expectData(refundTender(fixture(), later.tenderId, { amount: 5 }), 201);
    expect(await balanceOf(later.giftCardId)).toBe(45);
  });

  test('get the amount of a refund without effect again if they are blocked', inFull, async () => {
    const { orderId, giftCardId } = await orderGiftCard(fixture(), 50, MUG);
    const transactionId = await pay(orderId, 70, CARDS.refundDeclined);
    await expectData(post(`/gift-cards/${giftCardId}/block`));
    await refund(transactionId, { amount: 50 });
    expect(await balanceOf(giftCardId)).toBe(0);
    await cancelQueued(transactionId);
    expect(await balanceOf(giftCardId)).toBe(50);
  });

  test('are not paid by gift cards or store credit', inFull, async () => {
    const { giftCardId, code } = await sellGiftCard(fixture(), 100);
    const reload = await createOrder(fixture(), { giftCards: [{ amount: 30, giftCardId }] });
    const refused = await expectError(redeem(fixture(), code, 30, { orderId: reload.orderId }), 422, 'INVALID_AMOUNT');
    expect(refused.details).toMatchObject({ reason: 'gift_card_for_gift_card', payableAmount: 0 });
    const { orderId } = await orderGiftCard(fixture(), 50, MUG);
    await expectError(redeem(fixture(), code, 20.01, { orderId }), 422, 'INVALID_AMOUNT');
    await expectData(redeem(fixture(), code, 15, { orderId }), 201);
    await expectError(redeem(fixture(), code, 5.01, { orderId }), 422, 'INVALID_AMOUNT');
    await expectData(redeem(fixture(), code, 5, { orderId }), 201);
    const { customerId, merchantId } = await createCustomer(fixture());
    const credit = await giveGiftCard(fixture(), 10, { customerId, merchantId });
    const sold = await orderGiftCard(fixture(), 10, { merchantId });
    const byCredit = { kind: 'gift_card', giftCardId: credit.giftCardId, customerId, amount: 10, merchantId, orderId: sold.orderId };
    expect((await expectError(post('/tenders', byCredit), 422, 'INVALID_AMOUNT')).details).toMatchObject({
      reason: 'gift_card_for_gift_card',
    });
  });

  test('are loaded once when they are replaced at the same moment', async () => {
    for (const _ of TEN) {
      const { giftCardId } = await giveGiftCard(fixture(), 10);
      const { orderId } = await createOrder(fixture(), { giftCards: [{ amount: 50, giftCardId }] });
      const [replaced] = await Promise.all([
        expectData(post<GiftCardRecord>(`/gift-cards/${giftCardId}/replace`), 201),
        takeTender(fixture(), 50, { orderId }),
      ]);
      expect([await balanceOf(giftCardId), await balanceOf(replaced.giftCardId)]).toEqual([0, 60]);
      expect(await getOrder(fixture(), orderId)).toMatchObject({
        status: 'paid',
        giftCards: [{ giftCardId: replaced.giftCardId, loadedAmount: 50 }],
      });
    }
    await expectBalanced();
  });

  test('are not reloaded by an order that was created while they were replaced', inFull, async () => {
    for (const _ of TEN) {
      const { giftCardId } = await giveGiftCard(fixture(), 10);
      const [replaced, order] = await Promise.all([
        expectData(post<GiftCardRecord>(`/gift-cards/${giftCardId}/replace`), 201),
        post<{ orderId: string }>('/orders', { giftCards: [{ amount: 50, giftCardId }] }),
      ]);
      if (order.status === 201) await takeTender(fixture(), 50, { orderId: order.body.data.orderId });
      expect([await balanceOf(giftCardId), await balanceOf(replaced.giftCardId)]).toEqual([0, order.status === 201 ? 60 : 10]);
    }
  });
});
