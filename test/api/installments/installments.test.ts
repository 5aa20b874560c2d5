import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, storeCard } from '../../support/customers.ts';
import { createInvoice, getInvoice, payInvoice } from '../../support/invoices.ts';
import { createLimitedKey } from '../../support/limited-key.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant, settleOnRequest } from '../../support/settlements.ts';
import { concludeUnconfirmed } from '../../support/unconfirmed-payments.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

interface InstallmentRecord {
  number: number;
  dueDate: string;
  amount: number;
  amountPaid: number;
  amountRemaining: number;
  status: string;
  transactionId: string | null;
}

interface PlanRecord {
  installmentPlanId: string;
  invoiceId: string;
  customerId: string;
  status: string;
  amountPaid: number;
  amountRemaining: number;
  installments: InstallmentRecord[];
  nextDueDate: string | null;
  nextRetryAt: string | null;
  attempts: { number: number; attempt: number; status: string; declineCode: string | null }[];
  cancelReason: string | null;
}

const DAY = 86_400;
const PARALLEL = 10;
const CONSENT = 'I agree to the installments.';

/** A merchant with a customer whose card was stored with consent. */
async function createShop(service: ApiFixture, number: string = CARDS.visa, merchant?: string) {
  const { api } = service;
  const merchantId = merchant ?? (await createMerchant(service));
  // Each day of each merchant would be settled while the clock moves over weeks.
  await settleOnRequest(service, merchantId);
  await expectData(api.admin.put(`/merchants/${merchantId}/dunning-settings`, { retryIntervalsDays: [1, 2] }));
  const { customerId } = await createCustomer(service, { merchantId });
  const { paymentMethodId } = await storeCard(service, customerId, number, { consentText: CONSENT });
  return {
    merchantId,
    customerId,
    paymentMethodId,
    invoice: (amount: number) => createInvoice(service, customerId, { amount }),
    charges: async () =>
      (await expectData(api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${merchantId}&limit=200`)))
        .filter(({ status }) => status === 'approved')
        .map(({ amount }) => amount)
        .reverse(),
  };
}

const createPlan = ({ api }: ApiFixture, invoiceId: string, more: Record<string, unknown> = {}) =>
  expectData(api.admin.post<PlanRecord>('/installment-plans', { invoiceId, count: 3, interval: 'weekly', ...more }), 201);
const getPlan = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<PlanRecord>(`/installment-plans/${id}`));
const act = ({ api }: ApiFixture, id: string, operation: string, body?: Record<string, unknown>) =>
  api.admin.post<PlanRecord>(`/installment-plans/${id}/${operation}`, body);
const statuses = ({ installments }: PlanRecord) => installments.map(({ status }) => status);
const tomorrow = async ({ api }: ApiFixture) => {
  const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' }).format(new Date(now));
  return new Date(Date.parse(day) + DAY * 1_000).toISOString().slice(0, 10);
};

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

/** Waits for a number of events of a plan, and returns their types in the order of their arrival. */
const eventsOf = (path: string, planId: string, count: number) =>
  until(`${count} events of ${planId}`, async () => {
    const types = receiver
      .receivedAt(path)
      .map(({ body }) => JSON.parse(body) as { type: string; data: { installmentPlanId: string } })
      .filter(({ data }) => data.installmentPlanId === planId)
      .map(({ type }) => type);
    return types.length >= count ? types : undefined;
  });

describeOnAnyDatabase('installment plans', (fixture) => {
  test('charges the first installment with the request and the others on their dates, until the invoice is paid', async () => {
    const service = fixture();
    const { api } = service;
    const shop = await createShop(service);
    await registerEndpoint(service, receiver.url('/plans'), ['installment_plan.created', 'installment.paid', 'installment_plan.completed']);
    const { invoiceId } = await shop.invoice(100);
    const schedule = { invoiceId, count: 3, interval: 'weekly' };
    const preview = await expectData(
      api.admin.post<{ installments: { dueDate: string; amount: number }[] }>('/installment-plans/preview', schedule),
    );
    const plan = await createPlan(service, invoiceId);
    expect(plan).toMatchObject({ status: 'active', amountPaid: 33.34, amountRemaining: 66.66, consentText: CONSENT });
    expect(statuses(plan)).toEqual(['paid', 'scheduled', 'scheduled']);
    expect(plan.installments.map(({ dueDate, amount }) => ({ dueDate, amount }))).toEqual(
      preview.installments.map(({ dueDate, amount }) => ({ dueDate, amount })),
    );
    const [transaction] = await expectData(
      api.admin.get<(TransactionRecord & { source: string; invoiceId: string })[]>(`/transactions?merchantId=${shop.merchantId}`),
    );
    expect(transaction).toMatchObject({ source: 'recurring', invoiceId, amount: 33.34 });
    await expectError(api.admin.post('/installment-plans', { ...schedule }), 409, 'RESOURCE_CONFLICT');
    await advanceClock(service, 7 * DAY);
    await advanceClock(service, 7 * DAY);
    expect(statuses(await getPlan(service, plan.installmentPlanId))).toEqual(['paid', 'paid', 'paid']);
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'paid', amountDue: 0 });
    expect(await shop.charges()).toEqual([33.34, 33.33, 33.33]);
    expect(await eventsOf('/plans', plan.installmentPlanId, 5)).toEqual([
      'installment_plan.created',
      'installment.paid',
      'installment.paid',
      'installment.paid',
      'installment_plan.completed',
    ]);
  });

  test('retries a declined installment by the dunning settings, then becomes past due, and continues after a retry by a person', async () => {
    const service = fixture();
    const { api } = service;
    const shop = await createShop(service, CARDS.noFunds);
    await registerEndpoint(service, receiver.url('/dunning'), ['installment.failed', 'installment_plan.past_due']);
    const { invoiceId } = await shop.invoice(60);
    const { installmentPlanId: id } = await createPlan(service, invoiceId, { count: 2, interval: 'monthly' });
    await expectError(act(service, id, 'resume'), 409, 'RESOURCE_CONFLICT');
    await advanceClock(service, DAY + 60);
    expect(await getPlan(service, id)).toMatchObject({ status: 'active', failedAttempts: 2 });
    await advanceClock(service, 2 * DAY + 60);
    expect(await getPlan(service, id)).toMatchObject({ status: 'past_due', nextRetryAt: null, pastDueAt: expect.any(String) });
    const messages = await expectData(api.admin.get<{ kind: string; body: string }[]>(`/notifications/messages?resourceId=${id}`));
    expect(messages.map(({ kind }) => kind)).toEqual(['dunning', 'dunning', 'dunning']);
    await advanceClock(service, 40 * DAY);
    expect((await getPlan(service, id)).attempts).toHaveLength(3);
    const { paymentMethodId } = await storeCard(service, shop.customerId);
    await expectError(
      api.admin.put(`/installment-plans/${id}/payment-method`, { paymentMethodId }),
      409,
      'RESOURCE_CONFLICT',
      'consentText',
    );
    await expectData(api.admin.put(`/installment-plans/${id}/payment-method`, { paymentMethodId, consentText: CONSENT }));
    await advanceClock(service, 60);
    expect(await getPlan(service, id)).toMatchObject({ status: 'active', amountPaid: 30 });
    // The second installment is due since days, and follows an hour later.
    await advanceClock(service, 3_660);
    expect(await getPlan(service, id)).toMatchObject({ status: 'completed', amountRemaining: 0 });
    await expectError(act(service, id, 'retry'), 409, 'RESOURCE_CONFLICT');
    const failures = ['installment.failed', 'installment.failed', 'installment.failed', 'installment_plan.past_due'];
    expect((await eventsOf('/dunning', id, failures.length)).toSorted()).toEqual(failures);
  });

  test('leaves the retry schedule of an installment unchanged after retries by a person', async () => {
    const service = fixture();
    const shop = await createShop(service, CARDS.noFunds);
    const { invoiceId } = await shop.invoice(60);
    const { installmentPlanId: id } = await createPlan(service, invoiceId, { count: 2, interval: 'monthly' });
    const { nextRetryAt } = await getPlan(service, id);
    expect(nextRetryAt).not.toBeNull();
    for (let retry = 0; retry < 4; retry += 1) await expectData(act(service, id, 'retry', {}));
    const plan = await getPlan(service, id);
    expect(plan).toMatchObject({ status: 'active', failedAttempts: 1, nextRetryAt });
    expect(plan.attempts.map(({ attempt }) => attempt).toSorted()).toEqual([1, 2, 3, 4, 5]);
    await advanceClock(service, DAY + 60);
    expect(await getPlan(service, id)).toMatchObject({ status: 'active', failedAttempts: 2 });
    await advanceClock(service, 2 * DAY + 60);
    expect(await getPlan(service, id)).toMatchObject({ status: 'past_due', nextRetryAt: null });
    await expectData(act(service, id, 'retry', {}));
    expect(await getPlan(service, id)).toMatchObject({ status: 'past_due', nextRetryAt: null });
  });

  test('counts a retry by an API key against its spending limits', async () => {
    const service = fixture();
    const shop = await createShop(service, CARDS.declined);
    const { invoiceId } = await shop.invoice(90);
    const { installmentPlanId: id } = await createPlan(service, invoiceId);
    const strict = await createLimitedKey(service, shop.merchantId, { perPayment: 29 });
    const { details } = await expectError(strict.asKey.post(`/installment-plans/${id}/retry`), 403, 'PERMISSION_DENIED');
    expect(details).toMatchObject({ reason: 'key_payment_limit' });
    expect((await getPlan(service, id)).attempts).toHaveLength(1);
    const { asKey, moved } = await createLimitedKey(service, shop.merchantId, { perPayment: 30 });
    expect((await expectData(asKey.post<PlanRecord>(`/installment-plans/${id}/retry`))).attempts).toHaveLength(2);
    expect(await moved()).toBe(30);
  });

  test('counts the charge after a change by an API key against its spending limits', async () => {
    const service = fixture();
    const shop = await createShop(service, CARDS.declined);
    const { invoiceId } = await shop.invoice(90);
    const { installmentPlanId: id } = await createPlan(service, invoiceId);
    const { asKey, moved } = await createLimitedKey(service, shop.merchantId, { perDay: 59 });
    const change = () => asKey.put(`/installment-plans/${id}/payment-method`, { paymentMethodId: shop.paymentMethodId });
    await expectData(change());
    expect(await moved()).toBe(30);
    const { details } = await expectError(change(), 403, 'PERMISSION_DENIED');
    expect(details).toMatchObject({ reason: 'key_daily_limit' });
    await until('the changed card is declined', async () =>
      (await getPlan(service, id)).attempts[1]?.status === 'failed' ? true : undefined,
    );
    await expectData(asKey.post(`/installment-plans/${id}/pause`));
    await expectError(asKey.post(`/installment-plans/${id}/resume`), 403, 'PERMISSION_DENIED');
    expect(await getPlan(service, id)).toMatchObject({ status: 'paused' });
    const generous = await createLimitedKey(service, shop.merchantId, { perDay: 60 });
    await expectData(generous.asKey.post(`/installment-plans/${id}/resume`));
    expect(await generous.moved()).toBe(30);
  });

  test('charges a changed card immediately if the pending charge of the former one fails, and emails the receipt once', async () => {
    const service = fixture();
    const { api } = service;
    const shop = await createShop(service, CARDS.declined);
    const [gateway] = await expectData(api.admin.get<{ id: string }[]>(`/merchants/${shop.merchantId}/gateways`));
    const mode = (name: 'silent' | 'normal') => expectData(api.admin.post('/sandbox/gateway', { mode: name, gatewayId: gateway?.id }));
    const { invoiceId } = await shop.invoice(60);
    await mode('silent');
    const { installmentPlanId: id } = await createPlan(service, invoiceId, { count: 2, interval: 'monthly' });
    expect(await getPlan(service, id)).toMatchObject({ status: 'active', attempts: [{ status: 'pending' }] });
    const { paymentMethodId } = await storeCard(service, shop.customerId, CARDS.visa, { consentText: CONSENT });
    const change = () => api.admin.put(`/installment-plans/${id}/payment-method`, { paymentMethodId });
    const changes = await Promise.all(Array.from({ length: PARALLEL }, change));
    expect(changes.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await getPlan(service, id)).toMatchObject({ amountPaid: 0, attempts: [{ status: 'pending' }] });
    await mode('normal');
    await concludeUnconfirmed(service);
    await advanceClock(service, 60);
    const plan = await until('the changed card is charged', async () => {
      const found = await getPlan(service, id);
      return found.amountPaid > 0 ? found : undefined;
    });
    expect(plan).toMatchObject({ status: 'active', amountPaid: 30, attempts: [{ status: 'failed' }, { status: 'succeeded' }] });
    expect(await shop.charges()).toEqual([30]);
    const [transaction] = (
      await expectData(api.admin.get<TransactionRecord[]>(`/transactions?merchantId=${shop.merchantId}&limit=10`))
    ).filter(({ status }) => status === 'approved');
    const receipts = () =>
      expectData(api.admin.get<{ kind: string }[]>(`/notifications/messages?resourceId=${transaction?.transactionId}`));
    await until('the receipt is sent', async () => ((await receipts()).length > 0 ? true : undefined));
    await advanceClock(service, 3_600);
    expect((await receipts()).map(({ kind }) => kind)).toEqual(['receipt']);
  });

  test('shortens the plan by early payments, reopens it paused by a void, and ends with its invoice', async () => {
    const service = fixture();
    const { api } = service;
    const shop = await createShop(service);
    const { invoiceId } = await shop.invoice(100);
    const first = await tomorrow(service);
    const { installmentPlanId: id } = await createPlan(service, invoiceId, { count: 4, firstDate: first });
    await expectData(payInvoice(service, invoiceId, { amount: 60 }));
    const shortened = await getPlan(service, id);
    expect(shortened.installments.map(({ amountRemaining }) => amountRemaining)).toEqual([0, 0, 15, 25]);
    expect(shortened.nextDueDate).toBe(shortened.installments[2]?.dueDate);
    await expectError(api.admin.put(`/invoices/${invoiceId}`, { amount: 200 }), 409, 'RESOURCE_CONFLICT');
    await advanceClock(service, 15 * DAY);
    expect(await shop.charges()).toEqual([15]);
    const charged = await getPlan(service, id);
    const transactionId = charged.installments[2]?.transactionId;
    await expectData(api.admin.post(`/transactions/${transactionId}/void`, { reason: 'wrong' }));
    expect(await getPlan(service, id)).toMatchObject({ status: 'paused', pauseReason: 'payment_voided', amountPaid: 60 });
    await advanceClock(service, 10 * DAY);
    expect(await shop.charges()).toEqual([]);
    await expectData(act(service, id, 'resume'));
    await advanceClock(service, 3_700);
    expect(await shop.charges()).toEqual([15, 25].slice(0, (await shop.charges()).length));
    await advanceClock(service, 3_700);
    expect(await getPlan(service, id)).toMatchObject({ status: 'completed', amountPaid: 100 });
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'paid' });

    const other = await shop.invoice(80);
    const second = await createPlan(service, other.invoiceId, { count: 2, firstDate: await tomorrow(service) });
    await expectData(api.admin.post(`/invoices/${other.invoiceId}/cancel`));
    expect(await getPlan(service, second.installmentPlanId)).toMatchObject({ status: 'canceled', cancelReason: 'invoice_canceled' });
    const third = await createPlan(service, (await shop.invoice(80)).invoiceId, { count: 2, firstDate: await tomorrow(service) });
    await expectData(api.admin.delete(`/customers/${shop.customerId}`));
    const canceled = await getPlan(service, third.installmentPlanId);
    expect(canceled).toMatchObject({ status: 'canceled', cancelReason: 'customer_deleted', method: null });
    await advanceClock(service, 9 * DAY);
    expect(await getInvoice(service, third.invoiceId)).toMatchObject({ amountPaid: 0 });
  });

  test('creates a sale with its invoice and plan in one request, once per idempotency key, and refuses incomplete input', async () => {
    const service = fixture();
    const { api } = service;
    const shop = await createShop(service, CARDS.visa, service.credentials.merchantId);
    const invoice = { customerId: shop.customerId, items: [{ description: 'Course', quantity: 2, unitPrice: 50 }] };
    const body = { invoice, count: 2, interval: 'monthly' };
    const key = { 'Idempotency-Key': `plan-${shop.merchantId}` };
    const plan = await expectData(api.public.post<PlanRecord>('/installment-plans', body, key), 201);
    const replay = await api.public.post<PlanRecord>('/installment-plans', body, key);
    expect([replay.status, replay.body.data.installmentPlanId]).toEqual([201, plan.installmentPlanId]);
    expect(await getInvoice(service, plan.invoiceId)).toMatchObject({ amount: 100, amountPaid: 50 });
    const list = await expectData(api.public.get<PlanRecord[]>(`/installment-plans?invoiceId=${plan.invoiceId}`));
    expect(list.map(({ installmentPlanId }) => installmentPlanId)).toEqual([plan.installmentPlanId]);
    const post = (more: Record<string, unknown>) => api.admin.post('/installment-plans', more);
    const open = await shop.invoice(50);
    const existing = { invoiceId: open.invoiceId };
    await expectError(post({ ...body, ...existing }), 400, 'VALIDATION_ERROR', 'invoice');
    await expectError(post({ ...existing, interval: 'weekly' }), 400, 'REQUIRED_FIELD_MISSING', 'count');
    await expectError(post({ ...existing, count: 60, interval: 'weekly' }), 400, 'INVALID_AMOUNT', 'count');
    await expectError(post({ ...existing, count: 2, interval: 'weekly', firstDate: '2020-01-01' }), 400, 'VALIDATION_ERROR', 'firstDate');
    await expectError(post({ invoiceId: plan.invoiceId, count: 2, interval: 'weekly' }), 409, 'RESOURCE_CONFLICT');
    const day = await tomorrow(service);
    const given = (amount: number) => ({
      ...existing,
      installments: [
        { dueDate: day, amount: 20 },
        { dueDate: '2031-06-01', amount },
      ],
    });
    await expectError(post(given(31)), 400, 'INVALID_AMOUNT', 'installments');
    await expectError(post(given(0.5)), 400, 'INVALID_AMOUNT', 'installments.1.amount');
    const onOneDay = given(30).installments.map((each) => ({ ...each, dueDate: day }));
    await expectError(post({ ...existing, installments: onOneDay }), 400, 'VALIDATION_ERROR', 'installments.1.dueDate');
    const { paymentMethodId } = await storeCard(service, shop.customerId, CARDS.amex);
    await expectError(post({ ...existing, count: 2, interval: 'weekly', paymentMethodId }), 409, 'RESOURCE_CONFLICT', 'consentText');
    const cashier = await createUser(service, 'cashier', {}, shop.merchantId);
    await expectError(api.bare.get('/api/v1/installment-plans', cashier.headers), 403, 'PERMISSION_DENIED');
    const planner = await createUser(service, 'viewer', { permissions: ['recurring:read', 'recurring:write'] }, shop.merchantId);
    await expectError(api.bare.post('/api/v1/installment-plans', body, planner.headers), 403, 'PERMISSION_DENIED', 'invoice');
    // Nothing was written by the refused requests.
    expect(await expectData(api.admin.get(`/installment-plans?invoiceId=${open.invoiceId}`))).toEqual([]);
  });
});

describeOnBothDatabases('installment plans', (fixture) => {
  test('charges once when ten runs and retries meet', async () => {
    const service = fixture();
    const { api } = service;
    const shop = await createShop(service, CARDS.noFunds);
    const { paymentMethodId } = await storeCard(service, shop.customerId, CARDS.visa, { consentText: CONSENT });
    const { invoiceId } = await shop.invoice(90);
    const attempts = await Promise.all(
      Array.from({ length: PARALLEL }, () =>
        api.admin.post<PlanRecord>('/installment-plans', {
          invoiceId,
          count: 3,
          interval: 'monthly',
          paymentMethodId: shop.paymentMethodId,
        }),
      ),
    );
    const created = attempts.filter(({ status }) => status === 201);
    expect([created.length, attempts.filter(({ status }) => status === 409).length]).toEqual([1, PARALLEL - 1]);
    const plan = created[0]?.body.data as PlanRecord;
    expect(plan).toMatchObject({ status: 'active', attempts: [{ number: 1, status: 'failed', declineCode: 'insufficient_funds' }] });
    expect(statuses(plan)).toEqual(['retrying', 'scheduled', 'scheduled']);
    const { installmentPlanId: id } = plan;
    // The scheduler retries with the new card, which is in a race with the retries of ten persons.
    await expectData(api.admin.put(`/installment-plans/${id}/payment-method`, { paymentMethodId }));
    await Promise.all([...Array.from({ length: PARALLEL }, () => act(service, id, 'retry')), advanceClock(service, 60)]);
    await until('the installment is paid', async () => ((await getPlan(service, id)).amountPaid === 30 ? true : undefined));
    await advanceClock(service, 3_600);
    expect(await shop.charges()).toEqual([30]);
    expect(await getInvoice(service, invoiceId)).toMatchObject({ amountPaid: 30, amountPending: 0, status: 'partially_paid' });
  });
});
