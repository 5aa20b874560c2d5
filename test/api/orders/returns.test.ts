import { expect, test } from 'vitest';
import { getGiftCard, giveGiftCard, redeem } from '../../support/gift-cards.ts';
import { createOrder, getOrder } from '../../support/orders.ts';
import { pairReader, present, startSale, untilState } from '../../support/readers.ts';
import { CARDS, cardBody, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { describeOnAnyDatabase, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { refundTender, takeTender } from '../../support/tenders.ts';
import { until } from '../../support/until.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);

describeOnAnyDatabase('returned payments of orders', (fixture) => {
  const pay = async (orderId: string, amount: number, more: Record<string, unknown> = {}, card: string = CARDS.visa) =>
    (await expectData(fixture().api.admin.post<TransactionRecord>('/transactions', { ...cardBody(amount, card), orderId, ...more })))
      .transactionId;
  const post = (path: string, body: Record<string, unknown> = {}) => fixture().api.admin.post<RefundRecord>(path, body);
  const refund = (id: string, body: Record<string, unknown> = {}) => expectData(post(`/transactions/${id}/refund`, body));

  test('returns nothing of a share for a refunded tip, and all of it for a refund without the tip', async () => {
    const { orderId } = await createOrder(fixture(), { amount: 100 });
    const transactionId = await pay(orderId, 60, { tipAmount: 10 });
    await refund(transactionId, { amount: 10, tipAmount: 10 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ paidAmount: 50, remainingAmount: 50 });
    await refund(transactionId, { amount: 20.01, tipAmount: 0 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ paidAmount: 29.99, remainingAmount: 70.01 });
    await refund(transactionId);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ paidAmount: 0, remainingAmount: 100 });

    const other = await createOrder(fixture(), { amount: 100 });
    await refund(await pay(other.orderId, 60, { tipAmount: 10 }), { amount: 50, tipAmount: 0 });
    expect(await getOrder(fixture(), other.orderId)).toMatchObject({ paidAmount: 0, remainingAmount: 100 });
  });

  test('counts refunds of a paid order without their tips', async () => {
    const { orderId } = await createOrder(fixture(), { amount: 50 });
    const transactionId = await pay(orderId, 60, { tipAmount: 10 });
    await refund(transactionId, { amount: 10, tipAmount: 10 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', refundedAmount: 0 });
    await refund(transactionId, { amount: 20 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', refundedAmount: 20 });
    await refund(transactionId);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', refundedAmount: 50 });
  });

  test('returns the share of a queued refund that a person resolves, once', async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 100 });
    const transactionId = await pay(orderId, 60, { tipAmount: 10 }, CARDS.refundDeclined);
    await post(`/transactions/${transactionId}/refund`, { amount: 40, tipAmount: 5 });
    expect(await getOrder(fixture(), orderId)).toMatchObject({ remainingAmount: 50 });
    const entries = await expectData(api.admin.get<{ id: string; transactionId: string }[]>('/refund-decline-queue?limit=200'));
    const entry = entries.find((each) => each.transactionId === transactionId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(`/refund-decline-queue/${entry?.id}/resolve`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ remainingAmount: 85, payments: [{ returnedAmount: 35 }] });
  });

  test('refuses the last payment while a refund waits, and pays the order when the refund has no effect', async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 100 });
    const transactionId = await pay(orderId, 60, {}, CARDS.refundDeclined);
    const credit = await expectError(post(`/transactions/${transactionId}/credit`, { amount: 5 }), 422, 'NOT_REFUNDABLE');
    expect(credit.details).toMatchObject({ reason: 'order_open' });
    await post(`/transactions/${transactionId}/refund`, { amount: 20 });
    const last = { ...cardBody(40), orderId };
    const refused = await expectError(api.admin.post('/transactions', last), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'refund_pending', pendingRefunds: 20 });
    await pay(orderId, 30);
    const entries = await expectData(api.admin.get<{ id: string; transactionId: string }[]>('/refund-decline-queue?limit=200'));
    const entry = entries.find((each) => each.transactionId === transactionId);
    await expectData(post(`/refund-decline-queue/${entry?.id}/cancel`));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'open', remainingAmount: 10 });
    await pay(orderId, 10);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid' });
  });

  test('decides about an order by the outcome of a refund that began while the last payment was under way', async () => {
    const { api } = fixture();
    const { terminalId } = await pairReader(fixture());
    /** Refunds 20 of the first payment while the card reader waits for the card that pays the rest. */
    const refundWhilePaying = async (card: string) => {
      const order = await createOrder(fixture(), { lineItems: [{ description: 'Lamp', unitPrice: 70 }], giftCards: [{ amount: 30 }] });
      const [giftCard] = (order as unknown as { giftCards: { giftCardId: string }[] }).giftCards;
      const first = await pay(order.orderId, 60, {}, card);
      const { transactionId } = await startSale(fixture(), terminalId, 40, { orderId: order.orderId });
      await post(`/transactions/${first}/refund`, { amount: 20 });
      await present(fixture(), terminalId, 'chip');
      await untilState(fixture(), transactionId, 'approved');
      const entries = await expectData(api.admin.get<{ id: string; transactionId: string }[]>('/refund-decline-queue?limit=200'));
      const entry = entries.find((each) => each.transactionId === first)?.id;
      const read = async () => ({
        ...(await getOrder(fixture(), order.orderId)),
        giftCard: (await getGiftCard(fixture(), giftCard?.giftCardId ?? '')).status,
      });
      return { orderId: order.orderId, entry, read };
    };
    const waiting = { status: 'open', paidAmount: 100, reservedAmount: 0, remainingAmount: 0, giftCard: 'pending' };
    const refunded = { status: 'open', paidAmount: 80, remainingAmount: 20, refundedAmount: 0, giftCard: 'pending' };

    const approved = await refundWhilePaying(CARDS.visa);
    expect(await approved.read()).toMatchObject(refunded);
    await pay(approved.orderId, 20);
    expect(await approved.read()).toMatchObject({ status: 'paid', paidAmount: 100, giftCard: 'active' });

    const canceled = await refundWhilePaying(CARDS.refundDeclined);
    expect(await canceled.read()).toMatchObject(waiting);
    await expectData(post(`/refund-decline-queue/${canceled.entry}/cancel`));
    expect(await canceled.read()).toMatchObject({ status: 'paid', paidAmount: 100, refundedAmount: 0, giftCard: 'active' });

    const retried = await refundWhilePaying(CARDS.refundDeclinedOnce);
    expect(await retried.read()).toMatchObject(waiting);
    await expectData(post(`/refund-decline-queue/${retried.entry}/retry`));
    await until('the refund is approved', async () => (await retried.read()).remainingAmount > 0);
    expect(await retried.read()).toMatchObject(refunded);
  });

  test('counts the refund and the last payment of an order that begin in parallel, whichever is first', async () => {
    const orders = await Promise.all(TEN.map(() => createOrder(fixture(), { amount: 100 })));
    const firsts = await Promise.all(orders.map(({ orderId }) => pay(orderId, 60)));
    const answers = await Promise.all(
      orders.map(({ orderId }, index) =>
        Promise.all([post(`/transactions/${firsts[index]}/refund`, { amount: 20 }), post('/transactions', { ...cardBody(40), orderId })]),
      ),
    );
    for (const [index, [refunded, last]] of answers.entries()) {
      expect(refunded.status, refunded.text).toBe(200);
      expect([200, 409], last.text).toContain(last.status);
      const paidAmount = last.status === 200 ? 100 : 60;
      const order = await getOrder(fixture(), orders[index]?.orderId ?? '');
      if (order.status === 'paid') expect(order).toMatchObject({ paidAmount, refundedAmount: 20, remainingAmount: 0 });
      else
        expect(order).toMatchObject({ status: 'open', paidAmount: paidAmount - 20, refundedAmount: 0, remainingAmount: 120 - paidAmount });
    }
  });

  test('cancels a reopened order whose other payments were refunded, and leaves their shares paid', async () => {
    const { orderId } = await createOrder(fixture(), { amount: 100 });
    const first = await pay(orderId, 50);
    const { tenderId } = await takeTender(fixture(), 20, { orderId });
    const last = await pay(orderId, 30);
    await refund(first, { amount: 20 });
    await expectData(refundTender(fixture(), tenderId), 201);
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'paid', refundedAmount: 40 });
    await expectData(post(`/transactions/${last}/void`));
    const reopened = { status: 'open', paidAmount: 70, remainingAmount: 30, refundedAmount: 40 };
    expect(await getOrder(fixture(), orderId)).toMatchObject({ ...reopened, actions: { cancel: { allowed: false } } });
    for (const operation of ['cancel', 'park']) await expectError(post(`/orders/${orderId}/${operation}`), 409, 'RESOURCE_CONFLICT');
    await refund(first);
    expect(await getOrder(fixture(), orderId)).toMatchObject({
      ...reopened,
      paidAmount: 40,
      remainingAmount: 60,
      actions: { cancel: { allowed: true }, park: { allowed: true } },
    });
    await expectData(post(`/orders/${orderId}/cancel`));
    expect(await getOrder(fixture(), orderId)).toMatchObject({ status: 'canceled', remainingAmount: 0 });
  });

  test('proposes no refund of money that was charged back', async () => {
    const { api } = fixture();
    const { orderId } = await createOrder(fixture(), { amount: 100 });
    const disputed = await pay(orderId, 60);
    const other = await pay(orderId, 40);
    await expectData(post('/disputes', { transactionId: disputed, amount: 45 }), 201);
    const propose = () => api.admin.get(`/orders/${orderId}/refund-proposal`);
    expect(await expectData(propose())).toMatchObject({
      refundableAmount: 55,
      refunds: [
        { paymentId: disputed, amount: 15 },
        { paymentId: other, amount: 40 },
      ],
    });
    await refund(other);
    await expectError(post(`/transactions/${disputed}/refund`, { amount: 15.01 }), 422, 'INVALID_AMOUNT');
    expect(await refund(disputed, { amount: 5 })).toMatchObject({ amount: 5, remainingAmount: 10 });
    await refund(disputed);
    await expectError(propose(), 409, 'ALREADY_REFUNDED');
  });

  test('proposes refunds to gift cards in proportion, first or last, as the merchant has set', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const { code } = await giveGiftCard(fixture(), 30, { merchantId });
    const { orderId } = await createOrder(fixture(), { amount: 50, merchantId });
    await takeTender(fixture(), 20, { orderId, merchantId });
    await expectData(redeem(fixture(), code ?? '', 30, { orderId, merchantId }), 201);
    const propose = async (amount: number) => {
      const { refunds } = await expectData(
        api.admin.get<{ refunds: { kind: string; amount: number }[] }>(`/orders/${orderId}/refund-proposal?amount=${amount}`),
      );
      return Object.fromEntries(refunds.map((each) => [each.kind, each.amount]));
    };
    const choose = (giftCardRefunds: string) => api.admin.put(`/merchants/${merchantId}/vt-settings`, { giftCardRefunds });
    expect(await propose(25)).toEqual({ cash: 10, gift_card: 15 });
    await expectData(choose('first'));
    expect(await propose(25)).toEqual({ gift_card: 25 });
    expect(await propose(40)).toEqual({ cash: 10, gift_card: 30 });
    await expectData(choose('last'));
    expect(await propose(15)).toEqual({ cash: 15 });
    expect(await propose(25.01)).toEqual({ cash: 20, gift_card: 5.01 });
    expect(await propose(50)).toEqual({ cash: 20, gift_card: 30 });
    await expectError(choose('never'), 400, 'VALIDATION_ERROR');
  });
});
