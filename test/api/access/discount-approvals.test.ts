import { expect, test } from 'vitest';
import { surfaceOf } from '../../support/api-client.ts';
import { type ApprovalRecord, createPerson, createShop, type Person, setRules, type Waiting } from '../../support/approvals.ts';
import { CARDS, cardBody, type TransactionRecord } from '../../support/sales.ts';
import {
  type Answer,
  describeOnAnyDatabase,
  describeOnBothDatabases,
  expectData,
  expectError,
  type Surface,
} from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { concludeUnconfirmed } from '../../support/unconfirmed-payments.ts';
import { advanceClock } from '../../support/webhooks.ts';

const PARALLEL = 10;
/** A little more than the 15 minutes for which a granted discount is valid. */
const EXPIRED_S = 901;
const RULE = { discountAbovePercent: 10 };

interface Discounted extends TransactionRecord {
  tenderId: string;
  queuedPaymentId: string;
  discountAmount: number;
  discountApprovedBy: string | null;
}

interface Grant {
  discountId: string;
  status: string;
  approvedBy: string | null;
  expiresAt: string;
}

interface Shop {
  readonly merchantId: string;
  readonly cashier: Person;
  readonly manager: Person;
}

const request = (as: Surface, body: object, headers = {}) => as.post<Waiting & Grant>('/discounts', body, headers);

/** Requests a discount as the cashier, and approves it as the manager. */
async function approvedDiscount({ merchantId, cashier, manager }: Shop, price: number, discountAmount: number): Promise<string> {
  const { approvalId } = await expectData(request(cashier.as, { merchantId, price, discountAmount, reason: 'Scratched' }), 202);
  await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
  const { result } = await expectData(cashier.as.get<ApprovalRecord>(`/approvals/${approvalId}`));
  return String(result?.data.discountId);
}

const sell = (as: Surface, amount: number, more: Record<string, unknown>, number: string = CARDS.visa) =>
  as.post<Discounted>('/transactions', cardBody(amount, number, more));

async function expectReason(answer: Promise<Answer<unknown>>, reason: 'discount_approval' | 'discount_used' | 'discount_expired') {
  const [status, code] = reason === 'discount_approval' ? [403, 'PERMISSION_DENIED'] : [409, 'RESOURCE_CONFLICT'];
  const { details } = await expectError(answer, status as number, code as string, 'discountId');
  expect(details).toMatchObject({ reason });
  return details;
}

describeOnAnyDatabase('approvals of discounts', (fixture) => {
  test('can be used again after the order that used it was canceled', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier } = shop;
    const discounted = { merchantId, discountAmount: 10, discountId: await approvedDiscount(shop, 50, 10) };
    const { orderId } = await expectData(cashier.as.post<{ orderId: string }>('/orders', { amount: 40, ...discounted }), 201);
    await expectReason(sell(cashier.as, 40, discounted), 'discount_used');
    await expectData(cashier.as.post(`/orders/${orderId}/cancel`, {}));
    expect(await expectData(sell(cashier.as, 40, discounted))).toMatchObject({ status: 'approved', discountAmount: 10 });
  });

  test('let a cashier sell with a discount above the rule after a manager approved it, once and under both names', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier, manager } = shop;
    const discounted = { merchantId, discountAmount: 10 };
    const details = await expectReason(sell(cashier.as, 40, discounted), 'discount_approval');
    expect(details).toMatchObject({ price: 50, discountAmount: 10, currency: 'USD' });

    const discountId = await approvedDiscount(shop, 50, 10);
    const sale = await expectData(sell(cashier.as, 40, { ...discounted, discountId }));
    expect(sale).toMatchObject({ status: 'approved', amount: 40, discountAmount: 10, discountApprovedBy: manager.email, approvedBy: null });
    const shown = await expectData(cashier.as.get<Discounted>(`/transactions/${sale.transactionId}`));
    expect(shown).toMatchObject({ createdBy: cashier.email, discountApprovedBy: manager.email });
    const entries = (path: string) => expectData(fixture().api.admin.get<{ actor: string; after: object }[]>(`/audit-logs?${path}`));
    const [entry] = await entries(`resource=transactions/${sale.transactionId}`);
    expect(entry).toMatchObject({ actor: cashier.email, after: { discountAmount: '10.00', discountApprovedBy: manager.email } });
    const [granted] = await entries(`resource=discounts/${discountId}`);
    expect(granted).toMatchObject({ actor: cashier.email, after: { price: '50.00', reason: 'Scratched', approvedBy: manager.email } });

    const used = await expectReason(sell(cashier.as, 40, { ...discounted, discountId }), 'discount_used');
    expect(used).toMatchObject({ paymentId: sale.transactionId });
  });

  test('are needed above the percentage only, by cashiers and API keys but not by people who may approve', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), RULE);
    expect(await expectData(sell(cashier.as, 45, { merchantId, discountAmount: 5 }))).toMatchObject({ discountApprovedBy: null });
    await expectReason(sell(cashier.as, 44.99, { merchantId, discountAmount: 5.01 }), 'discount_approval');
    // Tip and surcharge are no part of the price.
    await expectReason(sell(cashier.as, 54, { merchantId, discountAmount: 5, tipAmount: 10 }), 'discount_approval');
    await expectData(sell(manager.as, 25, { merchantId, discountAmount: 25 }));
    await setRules(fixture(), { approversExempt: false }, merchantId);
    await expectReason(sell(manager.as, 25, { merchantId, discountAmount: 25 }), 'discount_approval');
    await setRules(fixture(), { discountAbovePercent: 0 }, merchantId);
    await expectReason(sell(cashier.as, 49.99, { merchantId, discountAmount: 0.01 }), 'discount_approval');
    await setRules(fixture(), { discountAbovePercent: null }, merchantId);
    const { discountId, ...grant } = await expectData(request(cashier.as, { merchantId, price: 50, discountAmount: 50 }), 201);
    expect(grant).toMatchObject({ status: 'open', approvedBy: null });
    // A payment uses up its discount even if no rule requires one.
    await expectData(sell(cashier.as, 30, { merchantId, discountAmount: 20, discountId }));
    await expectReason(sell(cashier.as, 30, { merchantId, discountAmount: 20, discountId }), 'discount_used');
  });

  test('count a price below that of the item as a discount, only in the currency of the item', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier, manager } = shop;
    const { api } = fixture();
    const { itemId } = await expectData(api.admin.post<{ itemId: string }>('/items', { merchantId, name: 'Chain', price: 20 }), 201);
    const lineItems = [
      { itemId, quantity: 2, unitPrice: 12.5 },
      { description: 'Bell', unitPrice: 10 },
    ];
    const details = await expectReason(sell(cashier.as, 35, { merchantId, lineItems }), 'discount_approval');
    expect(details).toMatchObject({ price: 50, discountAmount: 15 });
    await expectReason(cashier.as.post('/tenders', { merchantId, kind: 'cash', amount: 35, lineItems }), 'discount_approval');
    // A higher price and a part below the percentage need none.
    await expectData(sell(cashier.as, 45, { merchantId, lineItems: [{ itemId, unitPrice: 25 }, { itemId }] }));
    await expectData(sell(cashier.as, 38, { merchantId, lineItems: [{ itemId, unitPrice: 18 }, { itemId }] }));
    await expectData(sell(cashier.as, 12.5, { merchantId, currency: 'EUR', lineItems: [{ itemId, unitPrice: 12.5 }] }));
    const discountId = await approvedDiscount(shop, 50, 15);
    const tender = cashier.as.post<Discounted>('/tenders', { merchantId, kind: 'cash', amount: 35, lineItems, discountId });
    expect(await expectData(tender, 201)).toMatchObject({ discountAmount: 0, discountApprovedBy: manager.email });
  });

  test('cover one payment of the same requester, merchant and currency, up to their discount and from their price', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier, manager } = shop;
    const otherMerchantId = await createMerchant(fixture());
    await setRules(fixture(), RULE, otherMerchantId);
    const colleague = await createPerson(fixture(), 'cashier');
    const discountId = await approvedDiscount(shop, 50, 10);
    const body = { merchantId, discountAmount: 10, discountId };
    for (const [as, amount, more] of [
      [cashier.as, 39, { discountAmount: 11 }],
      [cashier.as, 39, {}],
      [cashier.as, 40, { merchantId: otherMerchantId }],
      [cashier.as, 40, { currency: 'EUR' }],
      [colleague.as, 40, {}],
      [manager.as, 40, {}],
      [cashier.as, 40, { discountId: 'dct_0' }],
    ] as const)
      await expectReason(sell(as, amount, { ...body, ...more }), 'discount_approval');
    // A smaller discount of a higher price is covered.
    await expectData(sell(cashier.as, 51, { ...body, discountAmount: 9 }));

    const expiring = await approvedDiscount(shop, 50, 10);
    await advanceClock(fixture(), EXPIRED_S);
    await expectReason(sell(cashier.as, 40, { ...body, discountId: expiring }), 'discount_expired');
  });

  test('stay for another card after a decline or a gateway failure, but not while the outcome is unconfirmed', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier, manager } = shop;
    const body = { merchantId, discountAmount: 10, discountId: await approvedDiscount(shop, 50, 10) };
    const declined = await sell(cashier.as, 40, body, CARDS.declined);
    expect(declined.body.data).toMatchObject({ status: 'declined', discountApprovedBy: manager.email });
    await expectError(sell(cashier.as, 40, body, CARDS.gatewayError), 502, 'GATEWAY_ERROR');
    expect(await expectData(sell(cashier.as, 40, body))).toMatchObject({ status: 'approved', discountApprovedBy: manager.email });
    await expectReason(sell(cashier.as, 40, body), 'discount_used');
    // The declined payment cannot run again with the discount that the other card got.
    await expectReason(cashier.as.post(`/transactions/${declined.body.data.transactionId}/rerun`), 'discount_used');

    const held = { ...body, discountId: await approvedDiscount(shop, 50, 10) };
    const { details } = await expectError(sell(cashier.as, 40, held, CARDS.answerLost), 502, 'GATEWAY_TIMEOUT');
    const blocked = await expectReason(sell(cashier.as, 40, held), 'discount_used');
    expect(blocked).toMatchObject({ paymentId: details?.transactionId });
    await concludeUnconfirmed(fixture());
    const paid = await expectData(cashier.as.get<Discounted>(`/transactions/${details?.transactionId}`));
    expect(paid).toMatchObject({ status: 'approved', discountApprovedBy: manager.email });
    await expectReason(sell(cashier.as, 40, held), 'discount_used');
  });

  test('pass to the rerun of a declined payment, once', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier, manager } = shop;
    const body = { merchantId, discountAmount: 10, discountId: await approvedDiscount(shop, 50, 10) };
    // Declined for its security code, which a rerun does not have.
    const card = { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031', cvv: '901' };
    const { body: declined } = await sell(cashier.as, 40, { ...body, card });
    expect(declined.data.status).toBe('declined');
    const rerun = await expectData(cashier.as.post<Discounted>(`/transactions/${declined.data.transactionId}/rerun`));
    expect(rerun).toMatchObject({ status: 'approved', discountAmount: 10, discountApprovedBy: manager.email });
    await expectReason(sell(cashier.as, 40, body), 'discount_used');
  });

  test('are checked when a payment is queued to be charged later, not when the job charges it, and released when it is canceled', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier, manager } = shop;
    const { api } = fixture();
    await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, { chargeLaterMaxAmount: 100 }));
    const customer = { firstName: 'Ada', email: 'ada@customer.example', merchantId };
    const { customerId } = await expectData(api.admin.post<{ customerId: string }>('/customers', customer), 201);
    const method = { card: { number: CARDS.visa, expiryMonth: '12', expiryYear: '2031' }, consentText: 'Charge this card for my orders.' };
    await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, method), 201);
    const queue = (discountId?: string) =>
      cashier.as.post<Discounted>('/queued-payments', { customerId, amount: 40, discountAmount: 10, discountId });
    await expectReason(queue(), 'discount_approval');
    const discountId = await approvedDiscount(shop, 50, 10);
    const { queuedPaymentId } = await expectData(queue(discountId), 201);
    await expectReason(queue(discountId), 'discount_used');
    const declining = { card: { ...method.card, number: CARDS.declined }, consentText: method.consentText };
    const { paymentMethodId } = await expectData(
      api.admin.post<{ paymentMethodId: string }>(`/customers/${customerId}/payment-methods`, declining),
      201,
    );
    const otherId = await approvedDiscount(shop, 50, 10);
    const body = { customerId, paymentMethodId, amount: 40, discountAmount: 10, discountId: otherId };
    const other = await expectData(cashier.as.post<Discounted>('/queued-payments', body), 201);
    await advanceClock(fixture(), 10);
    const otherPath = `/queued-payments/${other.queuedPaymentId}`;
    await expect.poll(async () => (await expectData(api.admin.get<Discounted>(otherPath))).status).toBe('declined');
    const instead = { merchantId, discountAmount: 10, discountId: otherId };
    await expectReason(sell(cashier.as, 40, instead), 'discount_used');
    await expectData(manager.as.post(`${otherPath}/cancel`));
    expect(await expectData(sell(cashier.as, 40, instead))).toMatchObject({ discountApprovedBy: manager.email });

    await advanceClock(fixture(), EXPIRED_S);
    const { transactionId } = await expectData(api.admin.get<Discounted>(`/queued-payments/${queuedPaymentId}`));
    const paid = await expectData(api.admin.get<Discounted>(`/transactions/${transactionId}`));
    expect(paid).toMatchObject({ status: 'approved', discountAmount: 10, discountApprovedBy: manager.email });
  });

  test('are requested by API keys of the merchant, and never by people who cannot sell', async () => {
    const { merchantId, manager } = await createShop(fixture(), RULE, { isBound: true });
    const { api, baseUrl, credentials } = fixture();
    const keyOf = async (of: string) => {
      const body = { name: 'web shop', scope: 'merchant', merchantId: of, currentPassword: api.adminPassword };
      const { key } = await expectData(api.admin.post<{ key: string }>('/api-keys', body), 201);
      return surfaceOf(baseUrl, '/api/v1/public', () => ({ 'X-Tenant-ID': credentials.tenantId, 'x-api-key': key }));
    };
    const shopKey = await keyOf(merchantId);
    const otherKey = await keyOf(await createMerchant(fixture()));
    const body = { merchantId, price: 50, discountAmount: 10 };
    for (const role of ['viewer', 'accountant']) {
      const { as } = await createPerson(fixture(), role, merchantId);
      await expectError(request(as, body), 403, 'PERMISSION_DENIED');
    }
    await expectError(request(otherKey, body), 403, 'MERCHANT_NOT_AUTHORIZED');
    const card = { CardNumber: CARDS.visa, ExpiryMonth: '12', ExpiryYear: '2031', CVV: '123', Amount: 40, DiscountAmount: 10 };
    await expectError(shopKey.post('/transaction', card), 403, 'PERMISSION_DENIED', 'DiscountId');
    const { approvalId } = await expectData(request(shopKey, body), 202);
    await expectError(otherKey.get(`/approvals/${approvalId}`), 403, 'MERCHANT_NOT_AUTHORIZED');
    await expectError(shopKey.post(`/approvals/${approvalId}/approve`, {}), 404, 'NOT_FOUND');
    await expectData(manager.as.post(`/approvals/${approvalId}/approve`, {}));
    const { result } = await expectData(shopKey.get<ApprovalRecord>(`/approvals/${approvalId}`));
    const sale = await expectData(shopKey.post<Discounted>('/transaction', { ...card, DiscountId: result?.data.discountId }));
    expect(sale).toMatchObject({ discountAmount: 10, discountApprovedBy: manager.email });
  });

  test('refuse wrong rules and wrong discounts', async () => {
    const { merchantId, cashier } = await createShop(fixture(), RULE);
    const { api } = fixture();
    const put = (discountAbovePercent: unknown) =>
      api.admin.put(`/approvals/rules?merchantId=${merchantId}`, { discountAbovePercent, currentPassword: api.adminPassword });
    for (const percent of [-1, 100.01, 8.355, '10']) await expectError(put(percent), 400, 'VALIDATION_ERROR', 'discountAbovePercent');
    expect(await expectData(put(8.35))).toMatchObject({ discountAbovePercent: 8.35 });
    await expectError(request(cashier.as, { merchantId, price: 10, discountAmount: 10.01 }), 400, 'INVALID_AMOUNT', 'discountAmount');
    await expectError(request(cashier.as, { merchantId, price: 0, discountAmount: 0 }), 400, 'INVALID_AMOUNT', 'price');
    await expectError(request(cashier.as, { merchantId, price: 10, discountAmount: 0 }), 400, 'INVALID_AMOUNT', 'discountAmount');
  });
});

describeOnBothDatabases('approvals of discounts at the same time', (fixture) => {
  test('make one of ten payments with the same discount at the same time, by card and in cash', async () => {
    const shop = await createShop(fixture(), RULE);
    const { merchantId, cashier } = shop;
    const body = { merchantId, discountAmount: 10, discountId: await approvedDiscount(shop, 50, 10) };
    const answers = await Promise.all(
      Array.from({ length: PARALLEL }, (_, index) =>
        index % 2 === 0 ? sell(cashier.as, 40, body) : cashier.as.post<Discounted>('/tenders', { ...body, kind: 'cash', amount: 40 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200 || status === 201)).toHaveLength(1);
    for (const { status, body: refused } of answers)
      if (status !== 200 && status !== 201) expect(refused.error).toMatchObject({ details: { reason: 'discount_used' } });
    const paid = async (list: string) =>
      (await expectData(fixture().api.admin.get<Discounted[]>(`/${list}?merchantId=${merchantId}`))).map(({ amount }) => amount);
    expect([...(await paid('transactions')), ...(await paid('tenders'))]).toEqual([40]);
  });

  test('run once if ten approvals or ten requests with one key arrive at the same time', async () => {
    const { merchantId, cashier, manager } = await createShop(fixture(), RULE);
    const body = { merchantId, price: 57.31, discountAmount: 10 };
    const headers = { 'Idempotency-Key': `discount ${merchantId}` };
    const asked = await Promise.all(Array.from({ length: PARALLEL }, () => request(cashier.as, body, headers)));
    const ids = new Set(asked.filter(({ status }) => status === 202).map(({ body: { data } }) => data.approvalId));
    expect(ids.size).toBe(1);
    const [approvalId] = ids;
    await Promise.all(Array.from({ length: PARALLEL }, () => manager.as.post(`/approvals/${approvalId}/approve`, {})));
    const { result } = await expectData(cashier.as.get<ApprovalRecord>(`/approvals/${approvalId}`));
    const repeated = await request(cashier.as, body, headers);
    expect(repeated.body.data.discountId).toBe(result?.data.discountId);
    type Entry = { after: { price: string } };
    const entries = await expectData(fixture().api.admin.get<Entry[]>('/audit-logs?action=discount.granted&limit=200'));
    expect(entries.filter(({ after }) => after.price === '57.31')).toHaveLength(1);
  });
});
