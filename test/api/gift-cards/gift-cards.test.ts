import { describe, expect, test } from 'vitest';
import { type Answer, surfaceOf } from '../../support/api-client.ts';
import { createCustomer } from '../../support/customers.ts';
import {
  type GiftCardRecord,
  getGiftCard,
  giveGiftCard,
  inOneHour,
  liabilityOf,
  orderGiftCard,
  redeem,
  sellGiftCard,
} from '../../support/gift-cards.ts';
import { createOrder, getOrder } from '../../support/orders.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import { describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
const UNKNOWN = 'X4TN-81QB-0KDW-7K2M';

describeOnBothDatabases('gift cards', (fixture, inFull) => {
  const balance = (code: string) => fixture().api.admin.post<GiftCardRecord>('/gift-cards/balance', { code });

  test('sells a card by an order, and redeems it in parts, with the ledger', inFull, async () => {
    const { orderId, giftCardId, code, amount } = await orderGiftCard(fixture(), 50, {
      lineItems: [{ description: 'Mug', unitPrice: 10, taxRate: 10 }],
    });
    expect(amount).toBe(61);
    expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){3}[0-9A-HJKMNP-TV-Z]{4}$/);
    await expectError(balance(code), 404, 'NOT_FOUND');
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'pending', balance: 0 });
    await takeTender(fixture(), 30, { orderId });
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ status: 'pending', balance: 0 });
    await takeTender(fixture(), 31, { orderId });
    expect(await expectData(balance(code.toLowerCase().replaceAll('-', ' ')))).toMatchObject({ balance: 50, giftCardId, status: 'active' });
    expect(await findEvent(fixture(), 'gift_card.issued', ({ data }) => data.giftCardId === giftCardId)).toMatchObject({
      data: { changeAmount: 50, balance: 50 },
    });
    const { tenderId } = await expectData(redeem(fixture(), code, 20.5), 201);
    const other = await createOrder(fixture(), { amount: 40 });
    await expectData(redeem(fixture(), code, 29.5, { orderId: other.orderId }), 201);
    expect(await getOrder(fixture(), other.orderId)).toMatchObject({
      remainingAmount: 10.5,
      payments: [{ kind: 'gift_card', amount: 29.5 }],
    });
    await expectError(redeem(fixture(), code, 0.01), 422, 'INVALID_AMOUNT');
    await expectData(refundTender(fixture(), tenderId, { amount: 5 }), 201);
    const card = await getGiftCard(fixture(), giftCardId);
    expect(card).toMatchObject({ balance: 5 });
    expect(card.entries?.map(({ kind, amount: change }) => [kind, change])).toEqual([
      ['sold', 50],
      ['redeemed', -20.5],
      ['redeemed', -29.5],
      ['refunded', 5],
    ]);
    const { ledger, cards } = await liabilityOf(fixture());
    expect(ledger).toBe(cards);
  });

  test('reads the code of a magnetic stripe, and takes printed codes only if they cannot be guessed', inFull, async () => {
    const { api } = fixture();
    const give = (more: object) => api.admin.post<GiftCardRecord>('/gift-cards', { amount: 5, reason: 'Opening', ...more });
    await expectError(give({ code: '1234567890123456' }), 400, 'VALIDATION_ERROR');
    const card = await expectData(give({ code: '9876 5432 10', pin: '4821' }), 201);
    expect(card).toMatchObject({ code: null, lastCharacters: '3210' });
    await expectError(give({ code: '9876543210', pin: '4821' }), 409, 'RESOURCE_CONFLICT');
    const read = (pin?: string) =>
      api.admin.post<GiftCardRecord>('/gift-cards/balance', { code: ';9876543210=99120000?', ...(pin && { pin }) });
    expect(await expectData(read('4821'))).toMatchObject({ balance: 5 });
    const [wrong, none] = [await expectError(read('4822'), 404, 'NOT_FOUND'), await expectError(read(), 404, 'NOT_FOUND')];
    expect(none.message).toBe(wrong.message);
  });

  test('gives store credit, which pays for its customer only', inFull, async () => {
    const { api } = fixture();
    const { customerId, merchantId } = await createCustomer(fixture());
    const other = await createCustomer(fixture());
    const give = () => giveGiftCard(fixture(), 10, { customerId, merchantId });
    const [first, second] = [await give(), await give()];
    expect(second).toMatchObject({ giftCardId: first.giftCardId, kind: 'store_credit', balance: 20, code: null });
    const pay = (more: object) =>
      api.admin.post('/tenders', { kind: 'gift_card', giftCardId: first.giftCardId, amount: 15, merchantId, ...more });
    await expectError(pay({ customerId: other.customerId }), 400, 'VALIDATION_ERROR');
    await expectError(pay({}), 400, 'VALIDATION_ERROR');
    await expectData(pay({ customerId }), 201);
    expect(await getGiftCard(fixture(), first.giftCardId)).toMatchObject({ balance: 5 });
  });

  test('never goes below zero in 64 parallel redemptions', async () => {
    const { code, giftCardId } = await sellGiftCard(fixture(), 10);
    const answers = await Promise.all(Array.from({ length: 64 }, () => redeem(fixture(), code, 3)));
    expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(3);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 422]));
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 1 });
  });

  test('runs ten parallel gifts, reloads and refunds with one key once', async () => {
    const { api } = fixture();
    const { code, giftCardId } = await sellGiftCard(fixture(), 20);
    const { tenderId } = await expectData(redeem(fixture(), code, 15), 201);
    const repeated = async (path: string, body: object) => {
      const key = { 'Idempotency-Key': crypto.randomUUID() };
      const answers = await Promise.all(TEN.map(() => api.admin.post(path, body, key)));
      expect(answers.every(({ status }) => status === 201 || status === 200 || status === 409)).toBe(true);
      return answers;
    };
    await repeated(`/tenders/${tenderId}/refund`, { amount: 5 });
    await repeated(`/gift-cards/${giftCardId}/reload`, { amount: 3, reason: 'Late delivery' });
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 13 });
    const replaced = await repeated(`/gift-cards/${giftCardId}/replace`, {});
    expect(new Set(replaced.map(({ text }) => text)).size).toBeLessThanOrEqual(2);
    const { ledger, cards } = await liabilityOf(fixture());
    expect(ledger).toBe(cards);
  });

  test('blocks, unblocks and replaces a card', inFull, async () => {
    const { api } = fixture();
    const { code, giftCardId } = await sellGiftCard(fixture(), 25);
    const { tenderId } = await expectData(redeem(fixture(), code, 5), 201);
    await expectData(api.admin.post(`/gift-cards/${giftCardId}/block`, { reason: 'Lost' }));
    const refused = await expectError(redeem(fixture(), code, 5), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'gift_card_blocked' });
    await expectError(api.admin.post(`/gift-cards/${giftCardId}/block`, {}), 409, 'RESOURCE_CONFLICT');
    await expectData(api.admin.post(`/gift-cards/${giftCardId}/unblock`));
    const next = await expectData(api.admin.post<GiftCardRecord>(`/gift-cards/${giftCardId}/replace`, { reason: 'Lost' }), 201);
    expect(next).toMatchObject({ balance: 20, status: 'active' });
    await expectError(redeem(fixture(), code, 5), 404, 'NOT_FOUND');
    await expectData(refundTender(fixture(), tenderId), 201);
    expect(await getGiftCard(fixture(), next.giftCardId)).toMatchObject({ balance: 25 });
    expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 0, status: 'replaced', replacedBy: next.giftCardId });
  });

  test('reloads a card by an order, and cancels new cards with their order', inFull, async () => {
    const { api } = fixture();
    const { code, giftCardId } = await sellGiftCard(fixture(), 10);
    const { orderId } = await createOrder(fixture(), { giftCards: [{ amount: 15, giftCardId }] });
    await expectData(api.admin.post('/transactions', { ...cardBody(15), orderId }));
    expect(await expectData(balance(code))).toMatchObject({ balance: 25 });
    const pending = await orderGiftCard(fixture(), 40);
    await expectData(api.admin.post(`/orders/${pending.orderId}/cancel`, {}));
    expect(await getGiftCard(fixture(), pending.giftCardId)).toMatchObject({ status: 'canceled', balance: 0 });
  });

  describe('returns of a sale with a gift card', () => {
    test('takes the card back with the money, other goods first', inFull, async () => {
      const { orderId, giftCardId, tenderId } = await sellGiftCard(fixture(), 50, { lineItems: [{ description: 'Mug', unitPrice: 20 }] });
      await expectData(refundTender(fixture(), tenderId, { amount: 20 }), 201);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 50 });
      await expectData(refundTender(fixture(), tenderId, { amount: 30 }), 201);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 20 });
      expect(await getOrder(fixture(), orderId)).toMatchObject({ giftCards: [{ giftCardId, amount: 50, loadedAmount: 20 }] });
    });

    test('refuses the refund and the void of a card that was spent', inFull, async () => {
      const { api } = fixture();
      const { orderId, giftCardId, code } = await orderGiftCard(fixture(), 50);
      const { transactionId } = await expectData(api.admin.post<TransactionRecord>('/transactions', { ...cardBody(50), orderId }));
      await expectData(redeem(fixture(), code, 30), 201);
      const refused = await expectError(api.admin.post(`/transactions/${transactionId}/void`, {}), 422, 'NOT_REFUNDABLE');
      expect(refused.details).toMatchObject({ reason: 'gift_card_spent', giftCardIds: [giftCardId] });
      await expectError(api.admin.post(`/transactions/${transactionId}/refund`, {}), 422, 'NOT_REFUNDABLE');
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 20 });
      const refunds = await Promise.all(TEN.map(() => api.admin.post(`/transactions/${transactionId}/refund`, { amount: 15 })));
      expect(refunds.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 5 });
    });

    test('loads the card again if the refund is canceled', inFull, async () => {
      const { api } = fixture();
      const { orderId, giftCardId } = await orderGiftCard(fixture(), 50);
      const { transactionId } = await expectData(
        api.admin.post<TransactionRecord>('/transactions', { ...cardBody(50, CARDS.refundDeclined), orderId }),
      );
      await api.admin.post(`/transactions/${transactionId}/refund`, {});
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 0 });
      const queue = await expectData(api.admin.get<{ id: string; transactionId: string }[]>('/refund-decline-queue'));
      const entry = queue.find((each) => each.transactionId === transactionId);
      await expectData(api.admin.post(`/refund-decline-queue/${entry?.id}/cancel`, {}));
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 50 });
    });
  });

  describe('attacks', () => {
    test('answers every unknown code alike, and stops guessing', inFull, async () => {
      const { baseUrl } = fixture();
      const merchantId = await createMerchant(fixture());
      const { code: foreign } = await giveGiftCard(fixture(), 5, { merchantId });
      const { unknown, further, refused } = await inOneHour(async () => {
        const { headers } = await createUser(fixture(), 'cashier');
        const as = surfaceOf(baseUrl, '/api/v1', () => headers);
        const look = (code: unknown) => as.post('/gift-cards/balance', { code });
        const pay = (giftCardCode: string) => as.post('/tenders', { kind: 'gift_card', amount: 1, giftCardCode });
        const unknown = [await look(UNKNOWN), await look(foreign)];
        const further: Answer[] = [];
        for (const index of TEN.slice(0, 9)) further.push(await look(`${UNKNOWN}${index}`), await pay(`${UNKNOWN}A${index}`));
        return { unknown, further, refused: [await look(UNKNOWN), await pay(UNKNOWN)] };
      });
      const [first, second] = await Promise.all(unknown.map((answer) => expectError(answer, 404, 'NOT_FOUND')));
      expect(second?.message).toBe(first?.message);
      for (const answer of further) await expectError(answer, 404, 'NOT_FOUND');
      for (const answer of refused) await expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    });

    test('lets a cashier sell and redeem, but give only with an approval', inFull, async () => {
      const { api, baseUrl } = fixture();
      const cashier = await createUser(fixture(), 'cashier');
      const as = surfaceOf(baseUrl, '/api/v1', () => cashier.headers);
      const order = await expectData(
        as.post<{ orderId: string; giftCards: { code: string; giftCardId: string }[] }>('/orders', { giftCards: [{ amount: 5 }] }),
        201,
      );
      const [card] = order.giftCards;
      const { approvalId } = await expectData(as.post<{ approvalId: string }>('/gift-cards', { amount: 5, reason: 'Me' }), 202);
      await expectError(as.post(`/approvals/${approvalId}/approve`, {}), 403, 'PERMISSION_DENIED');
      await expectData(as.post('/tenders', { kind: 'check', checkNumber: '9', amount: 5, orderId: order.orderId }), 201);
      await expectData(as.post(`/gift-cards/${card?.giftCardId}/reload`, { amount: 500, reason: 'Me' }), 202);
      await expectError(as.post(`/gift-cards/${card?.giftCardId}/replace`, {}), 403, 'PERMISSION_DENIED');
      await expectData(as.post('/tenders', { kind: 'gift_card', amount: 5, giftCardCode: card?.code }), 201);
      await expectData(api.admin.post(`/approvals/${approvalId}/approve`, {}));
      const { result } = await expectData(
        as.get<{ result: { body: { data?: GiftCardRecord } & GiftCardRecord } }>(`/approvals/${approvalId}`),
      );
      expect(JSON.stringify(result)).toContain('"balance":5');
    });

    test('returns a redemption once, however often its refund is sent', inFull, async () => {
      const { code, giftCardId } = await sellGiftCard(fixture(), 10);
      const { tenderId } = await expectData(redeem(fixture(), code, 10), 201);
      const answers = await Promise.all(TEN.map(() => refundTender(fixture(), tenderId)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(await getGiftCard(fixture(), giftCardId)).toMatchObject({ balance: 10 });
    });
  });
});
