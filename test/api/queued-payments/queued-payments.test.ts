import { expect } from 'vitest';
import type { InvoiceRecord } from '../../support/invoices.ts';
import { createLimitedKey } from '../../support/limited-key.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, expectData, expectError, FULL, onAnyDatabase, onBothDatabases } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { advanceClock } from '../../support/webhooks.ts';
import { pathOf, pay, submitForm } from '../pages/pay-page-client.ts';

interface LaterRecord {
  queuedPaymentId: string;
  status: string;
  amount: number;
  transactionId: string | null;
  declineCode: string | null;
  invoiceId: string | null;
  expiresAt: string;
}

const PARALLEL = 10;
/** Card of the sandbox that is always declined. */
const DECLINED_CARD = CARDS.declined;

/** A merchant that charges later, with a way to interrupt its gateway. */
async function createShop(
  fixture: ApiFixture,
  limits: Record<string, unknown> = { chargeLaterMaxAmount: 100, chargeLaterMaxPerCustomer: 250 },
) {
  const { api } = fixture;
  const merchantId = await createMerchant(fixture);
  await expectData(api.admin.put(`/merchants/${merchantId}/vt-settings`, limits));
  const [gateway] = await expectData(api.admin.get<{ id: string }[]>(`/merchants/${merchantId}/gateways`));
  return {
    merchantId,
    mode: (mode: 'down' | 'normal') => expectData(api.admin.post('/sandbox/gateway', { mode, gatewayId: gateway?.id })),
    /** Creates a customer with a saved card. */
    async customer(number: string = CARDS.visa, consentText: string | undefined = 'Charge this card for my orders.'): Promise<string> {
      const { customerId } = await expectData(
        api.admin.post<{ customerId: string }>('/customers', { firstName: 'Ada', email: 'ada@example.com', merchantId }),
        201,
      );
      const card = { number, expiryMonth: '12', expiryYear: '2031' };
      await expectData(api.admin.post(`/customers/${customerId}/payment-methods`, { card, ...(consentText && { consentText }) }), 201);
      return customerId;
    },
    queue: (customerId: string, amount: number) => api.admin.post<LaterRecord>('/queued-payments', { customerId, amount }),
    list: async (query = '') =>
      (await expectData(api.admin.get<LaterRecord[]>(`/queued-payments?merchantId=${merchantId}&limit=200${query}`))).reverse(),
    sales: async () =>
      (await expectData(api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${merchantId}&limit=200`)))
        .filter(({ status }) => status === 'approved')
        .reverse()
        .map(({ amount }) => amount),
  };
}

onAnyDatabase('charges queued payments once and in their order when the gateway returns', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const customerId = await shop.customer();
  await shop.mode('down');
  for (const amount of [31, 32, 33])
    expect(await expectData(shop.queue(customerId, amount), 201)).toMatchObject({ status: 'waiting', amount });
  const removed = await expectData(shop.queue(customerId, 34), 201);
  await expectData(api.admin.post(`/queued-payments/${removed.queuedPaymentId}/cancel`));
  await advanceClock(fixture, 3_600);
  expect((await shop.list()).map(({ status }) => status)).toEqual(['waiting', 'waiting', 'waiting', 'cancelled']);
  expect(await expectData(api.admin.get(`/system/connectivity?merchantId=${shop.merchantId}`))).toMatchObject({
    state: 'gateway-down',
    waitingPayments: 3,
    works: { chargeLater: true },
  });
  // Nothing was tried in vain, so the list of payments has no failed ones.
  expect(await expectData(api.admin.get(`/transactions?merchantId=${shop.merchantId}`))).toEqual([]);

  await shop.mode('normal');
  await advanceClock(fixture, 10);
  await expect.poll(async () => (await shop.list()).map(({ status }) => status)).toEqual(['paid', 'paid', 'paid', 'cancelled']);
  expect(await shop.sales()).toEqual([31, 32, 33]);
  await advanceClock(fixture, 10);
  for (const { transactionId } of (await shop.list()).filter(({ status }) => status === 'paid')) {
    const messages = () => expectData(api.admin.get<{ kind: string; to: string }[]>(`/notifications/messages?resourceId=${transactionId}`));
    await expect.poll(async () => (await messages()).map(({ kind, to }) => [kind, to])).toEqual([['receipt', 'ada@example.com']]);
  }
  const events = await expectData(
    api.admin.get<{ merchantId: string; type: string }[]>(
      '/webhooks/events?types=queued_payment.created,queued_payment.paid,queued_payment.cancelled&limit=200',
    ),
  );
  const types = events.filter(({ merchantId }) => merchantId === shop.merchantId).map(({ type }) => type);
  expect(types).toEqual([...Array(4).fill('queued_payment.created'), 'queued_payment.cancelled', ...Array(3).fill('queued_payment.paid')]);
});

onAnyDatabase('charges a queued sale with its tip, tax and lines, and never with a surcharge', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const customerId = await shop.customer();
  await shop.mode('down');
  const lineItems = [{ description: 'Flat white', quantity: 2, unitPrice: '4.50', taxRate: 8.875 }];
  const queued = await expectData(api.admin.post('/queued-payments', { customerId, amount: 11.8, tipAmount: 2, lineItems }), 201);
  expect(queued).toMatchObject({ amount: 11.8, tipAmount: 2, taxAmount: 0.8, lineItems: [{ description: 'Flat white', amount: 9.8 }] });
  const wrong = await expectError(
    api.admin.post('/queued-payments', { customerId, amount: 12, lineItems }),
    400,
    'INVALID_AMOUNT',
    'amount',
  );
  expect(wrong.details).toMatchObject({ expectedAmount: 9.8 });
  await expectError(api.admin.post('/queued-payments', { customerId, amount: 10, tipAmount: 11 }), 400, 'INVALID_AMOUNT', 'tipAmount');
  await expectError(
    api.admin.post('/queued-payments', { customerId, amount: 10, surchargeAmount: 0.3 }),
    400,
    'INVALID_AMOUNT',
    'surchargeAmount',
  );

  await shop.mode('normal');
  await advanceClock(fixture, 10);
  await expect.poll(async () => (await shop.list()).map(({ status }) => status)).toEqual(['paid']);
  const [{ transactionId } = { transactionId: null }] = await shop.list();
  expect(await expectData(api.admin.get(`/transactions/${transactionId}`))).toMatchObject({
    amount: 11.8,
    tipAmount: 2,
    surchargeAmount: 0,
    taxAmount: 0.8,
    lineItems: [{ description: 'Flat white', quantity: 2, unitPrice: 4.5, taxRate: 8.875, taxAmount: 0.8, amount: 9.8 }],
  });
});

onBothDatabases('accepts only saved cards with consent within the limits, also from parallel requests', async (fixture) => {
  const shop = await createShop(fixture);
  await shop.mode('down');
  const customerId = await shop.customer();
  const withoutConsent = await expectError(shop.queue(await shop.customer(CARDS.visa, ''), 10), 409, 'RESOURCE_CONFLICT');
  expect(withoutConsent.details).toMatchObject({ reason: 'no_consent' });
  expect((await expectError(shop.queue(customerId, 100.01), 422, 'INVALID_AMOUNT')).details).toMatchObject({ limit: 100 });
  const answers = await Promise.all(Array.from({ length: PARALLEL }, () => shop.queue(customerId, 60)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, ...Array(6).fill(422)]);
  expect(await shop.list()).toHaveLength(4);
  const closed = await createShop(fixture, {});
  const off = await expectError(closed.queue(await closed.customer(), 10), 409, 'RESOURCE_CONFLICT');
  expect(off.details).toMatchObject({ reason: 'turned_off' });
});

onAnyDatabase('carries the tax of a payment over to the link in its place, which asks for no second tip', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  await shop.mode('down');
  const body = { customerId: await shop.customer(), amount: 60, tipAmount: 5, taxAmount: 4.4 };
  const { queuedPaymentId } = await expectData(api.admin.post<LaterRecord>('/queued-payments', body), 201);
  const { invoiceId } = await expectData(api.admin.post<LaterRecord>(`/queued-payments/${queuedPaymentId}/link`));
  expect(await expectData(api.admin.get<InvoiceRecord>(`/invoices/${invoiceId}`))).toMatchObject({
    amountDue: 60,
    taxAmount: 4.4,
    askForTip: 'no',
  });
});

onAnyDatabase('charges the card with which the customer replaced a declined one', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const customerId = await shop.customer(DECLINED_CARD);
  const { queuedPaymentId } = await expectData(shop.queue(customerId, 48), 201);
  await advanceClock(fixture, 10);
  await expect.poll(async () => (await shop.list()).map(({ status }) => status)).toEqual(['declined']);
  const { url } = await expectData(api.admin.post<{ url: string }>(`/customers/${customerId}/update-link`, {}), 201);
  expect((await submitForm(fixture, pathOf(url), { number: CARDS.amex, expiry: '12/39' })).status).toBe(303);
  expect(await expectData(api.admin.get(`/queued-payments/${queuedPaymentId}`))).toMatchObject({ card: { brand: 'amex', last4: '0005' } });
  expect(await expectData(api.admin.post(`/queued-payments/${queuedPaymentId}/release`))).toMatchObject({ status: 'paid' });
  expect(await shop.sales()).toEqual([48]);
});

onAnyDatabase('refuses to rerun payments of the queue, which charges them again', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const { queuedPaymentId } = await expectData(shop.queue(await shop.customer(DECLINED_CARD), 47), 201);
  await advanceClock(fixture, 10);
  await expect.poll(async () => (await shop.list()).map(({ status }) => status)).toEqual(['declined']);
  const [{ transactionId } = { transactionId: null }] = await shop.list();
  expect(await expectData(api.admin.get(`/transactions/${transactionId}`))).toMatchObject({ status: 'declined', queuedPaymentId });
  const error = await expectError(api.admin.post(`/transactions/${transactionId}/rerun`), 409, 'RESOURCE_CONFLICT');
  expect(error.details).toMatchObject({ reason: 'queued_payment', transactionId, queuedPaymentId });

  // The queue keeps the name of its last payment only. An earlier one must not be rerun either.
  expect(await expectData(api.admin.post(`/queued-payments/${queuedPaymentId}/release`))).toMatchObject({ status: 'declined' });
  expect((await shop.list())[0]?.transactionId).not.toBe(transactionId);
  await expectError(api.admin.post(`/transactions/${transactionId}/rerun`), 409, 'RESOURCE_CONFLICT');
});

onBothDatabases('charges once if ten requests release a payment at the same time', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  await shop.mode('down');
  const { queuedPaymentId } = await expectData(shop.queue(await shop.customer(), 45), 201);
  await advanceClock(fixture, 60);
  await shop.mode('normal');
  await advanceClock(fixture, 10);
  const answers = await Promise.all(Array.from({ length: PARALLEL }, () => api.admin.post(`/queued-payments/${queuedPaymentId}/release`)));
  expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
  await expect.poll(async () => (await shop.list())[0]?.status).toBe('paid');
  expect(await shop.sales()).toEqual([45]);
  await expectError(api.admin.post(`/queued-payments/${queuedPaymentId}/cancel`), 409, 'RESOURCE_CONFLICT');
});

onAnyDatabase('leaves declined and expired payments to a person, who retries them or replaces them by a link', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const declinedCustomer = await shop.customer(DECLINED_CARD);
  await shop.mode('down');
  const first = await expectData(shop.queue(declinedCustomer, 50), 201);
  const second = await expectData(shop.queue(await shop.customer(), 51), 201);
  await shop.mode('normal');
  await advanceClock(fixture, 10);
  await expect.poll(async () => (await shop.list()).map(({ status }) => status)).toEqual(['declined', 'paid']);
  expect(await expectData(api.admin.post(`/queued-payments/${first.queuedPaymentId}/release`))).toMatchObject({ status: 'declined' });

  const answers = await Promise.all(
    Array.from({ length: PARALLEL }, () => api.admin.post<LaterRecord>(`/queued-payments/${first.queuedPaymentId}/link`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(PARALLEL - 1).fill(409)]);
  const { invoiceId } = await expectData(api.admin.get<LaterRecord>(`/queued-payments/${first.queuedPaymentId}`));
  expect(await expectData(api.admin.get<InvoiceRecord>(`/invoices/${invoiceId}`))).toMatchObject({
    amountDue: 50,
    customer: { email: 'ada@example.com' },
  });
  await expectError(api.admin.post(`/queued-payments/${second.queuedPaymentId}/link`), 409, 'RESOURCE_CONFLICT');

  await shop.mode('down');
  const third = await expectData(shop.queue(await shop.customer(), 52), 201);
  await advanceClock(fixture, 86_400);
  expect(await expectData(api.admin.get(`/queued-payments/${third.queuedPaymentId}`))).toMatchObject({ status: 'expired' });
  await shop.mode('normal');
  await advanceClock(fixture, 120);
  expect(await shop.sales()).toEqual([51]);
  expect(await expectData(api.admin.post(`/queued-payments/${third.queuedPaymentId}/release`))).toMatchObject({ status: 'paid' });
  expect(await shop.sales()).toEqual([51, 52]);
});

onAnyDatabase('counts only open payments in the present currency of the merchant against the limit of a customer', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const customerId = await shop.customer();
  await shop.mode('down');
  for (const amount of [90, 91]) await expectData(shop.queue(customerId, amount), 201);
  await expectData(api.admin.put(`/merchants/${shop.merchantId}`, { currency: 'EUR' }));
  const limits = { chargeLaterMaxAmount: 100, chargeLaterMaxPerCustomer: 250 };
  await expectData(api.admin.put(`/merchants/${shop.merchantId}/vt-settings`, limits));
  for (const amount of [92, 93]) await expectData(shop.queue(customerId, amount), 201);
  const refused = await expectError(shop.queue(customerId, 94), 422, 'INVALID_AMOUNT');
  expect(refused.details).toMatchObject({ openAmount: 185 });
});

onAnyDatabase(
  'releases expired payments of a customer only within its limit, also in parallel',
  async (fixture) => {
    const { api } = fixture;
    const shop = await createShop(fixture);
    const customerId = await shop.customer();
    const release = (id: string) => api.admin.post<LaterRecord>(`/queued-payments/${id}/release`);
    await shop.mode('down');
    const expired: LaterRecord[] = [];
    for (const amount of [80, 81, 82]) expired.push(await expectData(shop.queue(customerId, amount), 201));
    await advanceClock(fixture, 25 * 3_600);
    expect((await shop.list()).map(({ status }) => status)).toEqual(['expired', 'expired', 'expired']);
    await expectData(shop.queue(customerId, 90), 201);
    const answers = await Promise.all(expired.map(({ queuedPaymentId }) => release(queuedPaymentId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422]);
    const open = (await shop.list()).filter(({ status }) => status === 'waiting');
    expect(open).toHaveLength(2);
    const [above] = (await shop.list()).filter(({ status }) => status === 'expired');
    const refused = await expectError(release(above?.queuedPaymentId ?? ''), 422, 'INVALID_AMOUNT');
    expect(refused.details).toMatchObject({ limit: 250 });
    for (const { queuedPaymentId } of open) await expectData(api.admin.post(`/queued-payments/${queuedPaymentId}/cancel`));
    expect(await expectData(release(above?.queuedPaymentId ?? ''))).toMatchObject({ status: 'waiting' });
    await expectData(api.admin.put(`/merchants/${shop.merchantId}/vt-settings`, { chargeLaterMaxAmount: 50 }));
    await expectData(release(above?.queuedPaymentId ?? ''));
  },
  FULL,
);

onAnyDatabase('carries the order, lines, tip, tax and discount of a queued payment to the payment of its link', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const customerId = await shop.customer();
  await shop.mode('down');
  const lineItems = [
    { description: 'Mug', quantity: 2, unitPrice: 10, taxRate: 10, taxIncluded: false, discountAmount: 5 },
    { description: 'Tea', quantity: 1, unitPrice: 3.5 },
  ];
  const queued = { customerId, amount: 24, tipAmount: 4, lineItems, orderId: 'A-1', description: 'Mugs' };
  const linkOf = async (body: object) => {
    const { queuedPaymentId } = await expectData(api.admin.post<LaterRecord>('/queued-payments', body), 201);
    const { invoiceId } = await expectData(api.admin.post<LaterRecord>(`/queued-payments/${queuedPaymentId}/link`));
    return expectData(api.admin.get<InvoiceRecord>(`/invoices/${invoiceId}`));
  };
  const link = await linkOf(queued);
  expect(link).toMatchObject({
    amount: 24,
    items: [
      { description: '2 × Mug', quantity: 1, unitPrice: 16.5, amount: 16.5 },
      { description: 'Tea', quantity: 1, unitPrice: 3.5, amount: 3.5 },
    ],
  });
  const other = await linkOf({ ...queued, amount: 20, tipAmount: 0 });
  await shop.mode('normal');
  await pay(fixture, pathOf(link.url));
  const [paid] = await expectData(api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${shop.merchantId}`));
  const content = { orderId: 'A-1', taxAmount: 1.5, discountAmount: 5 };
  expect(await expectData(api.admin.get(`/transactions/${paid?.transactionId}`))).toMatchObject({
    ...content,
    amount: 24,
    tipAmount: 4,
    status: 'approved',
    lineItems: [
      { description: 'Mug', quantity: 2, unitPrice: 10, discountAmount: 5, taxAmount: 1.5, amount: 16.5 },
      { description: 'Tea', amount: 3.5 },
    ],
  });
  await expectData(api.admin.post(`/invoices/${other.invoiceId}/payment`, { amount: 20, paymentMethod: 'cash' }));
  const [tender] = await expectData(api.admin.get<object[]>(`/tenders?merchantId=${shop.merchantId}`));
  expect(tender).toMatchObject({ ...content, amount: 20, lineItems: [{ description: 'Mug' }, { description: 'Tea' }] });
});

onAnyDatabase('counts a release by an API key against its spending limits, also if a person queued the payment', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const { asKey, moved } = await createLimitedKey(fixture, shop.merchantId, { perPayment: 50, perDay: 60 });
  const declined = async (amount: number) => {
    const { queuedPaymentId } = await expectData(shop.queue(await shop.customer(DECLINED_CARD), amount), 201);
    const read = () => api.admin.get<LaterRecord>(`/queued-payments/${queuedPaymentId}`);
    await expect.poll(async () => (await expectData(read())).status).toBe('declined');
    return { queuedPaymentId, read };
  };
  const { queuedPaymentId: large, read } = await declined(51);
  const { transactionId } = await expectData(read());
  const { details } = await expectError(asKey.post(`/queued-payments/${large}/release`), 403, 'PERMISSION_DENIED');
  expect(details).toMatchObject({ reason: 'key_payment_limit' });
  expect(await expectData(read())).toMatchObject({ status: 'declined', transactionId });
  expect(await moved()).toBe(0);
  const { queuedPaymentId } = await declined(40);
  expect(await expectData(asKey.post(`/queued-payments/${queuedPaymentId}/release`))).toMatchObject({ status: 'declined' });
  expect(await moved()).toBe(40);
  await expectError(asKey.post(`/queued-payments/${queuedPaymentId}/release`), 403, 'PERMISSION_DENIED');
});

onAnyDatabase('keeps the currency of the limits, and queues nothing in another one', async (fixture) => {
  const { api } = fixture;
  const shop = await createShop(fixture);
  const at = `/merchants/${shop.merchantId}`;
  const settings = (change: object) => api.admin.put<{ chargeLaterCurrency: string | null }>(`${at}/vt-settings`, change);
  const works = async () =>
    (await expectData(api.admin.get<{ works: { chargeLater: boolean } }>(`/system/connectivity?merchantId=${shop.merchantId}`))).works
      .chargeLater;
  const customerId = await shop.customer();
  expect(await expectData(settings({}))).toMatchObject({ chargeLaterMaxAmount: 100, chargeLaterCurrency: 'USD' });
  expect(await works()).toBe(true);
  await shop.mode('down');
  await expectData(api.admin.put(at, { currency: 'KWD' }));
  // 90 KWD are about 290 USD.
  const error = await expectError(shop.queue(customerId, 90), 409, 'RESOURCE_CONFLICT');
  expect(error).toMatchObject({
    message: 'Limits of payments that are charged later are in USD, but this merchant charges in KWD. Set the limits again.',
    details: { reason: 'limit_currency', limitCurrency: 'USD', currency: 'KWD' },
  });
  await expectError(settings({ chargeLaterMaxAmount: 30 }), 400, 'VALIDATION_ERROR', 'chargeLaterMaxPerCustomer');
  await expectError(settings({ chargeLaterMaxAmount: 30, chargeLaterCurrency: 'EUR' }), 400, 'VALIDATION_ERROR', 'chargeLaterCurrency');
  await expectError(
    settings({ chargeLaterMaxAmount: 30.0005, chargeLaterMaxPerCustomer: 60 }),
    400,
    'INVALID_AMOUNT',
    'chargeLaterMaxAmount',
  );
  expect(await expectData(settings({ chargeLaterMaxAmount: 30, chargeLaterMaxPerCustomer: 60 }))).toMatchObject({
    chargeLaterCurrency: 'KWD',
  });
  expect(await expectData(shop.queue(customerId, 30), 201)).toMatchObject({ amount: 30, currency: 'KWD' });
  await expectError(shop.queue(customerId, 30.001), 422, 'INVALID_AMOUNT');
  await expectData(api.admin.put(at, { currency: 'JPY' }));
  expect(await works()).toBe(false);
  // The caller states the currency of both limits.
  expect(await expectData(settings({ chargeLaterMaxAmount: 9_000, chargeLaterCurrency: 'JPY' }))).toMatchObject({
    chargeLaterMaxPerCustomer: 60,
    chargeLaterCurrency: 'JPY',
  });
  await expectError(settings({ chargeLaterMaxPerCustomer: 60.5 }), 400, 'INVALID_AMOUNT', 'chargeLaterMaxPerCustomer');
  const off = { chargeLaterMaxAmount: null, chargeLaterMaxPerCustomer: null };
  expect(await expectData(settings(off))).toMatchObject({ ...off, chargeLaterCurrency: null });
});
