import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard, getPeriods, getSubscription, subscribe } from '../../support/customers.ts';
import { cardPaymentBody, createInvoice, createPaymentLink, getInvoice, payInvoice } from '../../support/invoices.ts';
import { CARDS, cardBody, createDeclinedSale, createSale, type RefundRecord, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, type ApiFixture, describeOnBothDatabases, expectData, expectError, FULL } from '../../support/server.ts';
import { CARD_FORM, openPage, pathOf, prefilledFields, submitForm } from '../pages/pay-page-client.ts';

const REQUESTS = 10;
const QUEUE = '/refund-decline-queue';

/** Sends ten parallel requests, alternating between the given ways to send them. */
function race<Result>(...ways: ((index: number) => Promise<Result>)[]): Promise<Result[]> {
  return Promise.all(Array.from({ length: REQUESTS }, (_, index) => (ways[index % ways.length] as (typeof ways)[number])(index)));
}

const succeeded = <Data>(answers: readonly Answer<Data>[]) => answers.filter(({ status }) => status === 200);
const refusals = (answers: readonly Answer<unknown>[]) => answers.filter(({ status }) => status !== 200).map(({ body }) => body.error.code);
const detailOf = ({ api }: ApiFixture, id: string) => expectData(api.admin.get<TransactionRecord>(`/transactions/${id}`));
const paymentsOf = ({ api }: ApiFixture, customerId: string) =>
  expectData(api.admin.get<TransactionRecord[]>(`/customers/${customerId}/transactions?limit=200`));

/** Changes the merchant's blocked cards: a payment by a blocked card is declined. */
const block = ({ api, credentials }: ApiFixture, blockedBins: readonly string[]) =>
  expectData(api.admin.put(`/merchants/${credentials.merchantId}/fraud-settings`, { blockedBins }));

describeOnBothDatabases('payment operations requested in parallel', (fixture) => {
  test('ten parallel requests rerun a declined sale once over the Admin and Public surfaces', async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service);
    const answers = await race(
      () => service.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`),
      () => service.api.public.post<TransactionRecord>('/rerun', { transactionId }),
    );
    const [approved, ...more] = succeeded(answers);
    expect(more).toEqual([]);
    for (const answer of answers.filter((each) => each !== approved)) {
      const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ transactionId: approved?.body.data.transactionId });
    }
  });

  test('ten parallel requests rerun a declined sale one after the other while each rerun is declined', FULL, async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service, CARDS.noFunds);
    const answers = await race(() => service.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`));
    expect(new Set(answers.map(({ body }) => body.data.status))).toEqual(new Set(['declined']));
    expect(new Set(answers.map(({ body }) => body.data.transactionId)).size).toBe(REQUESTS);
  });

  test('ten parallel requests with one Idempotency-Key rerun a declined sale once and replay one response', FULL, async () => {
    const service = fixture();
    const { transactionId } = await createDeclinedSale(service);
    const headers = { 'Idempotency-Key': randomUUID() };
    const rerun = () => service.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`, undefined, headers);
    const answers = await race(rerun);
    expect(new Set([...succeeded(answers), await rerun()].map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  });

  test('ten parallel requests charge a past-due subscription once, and each Idempotency-Key gets its response', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service, CARDS.amex);
    await block(service, [CARDS.amex.slice(0, 6)]);
    const { subscriptionId } = await subscribe(service, customerId).finally(() => block(service, []));
    expect(await getSubscription(service, subscriptionId)).toMatchObject({ status: 'past_due' });
    const keys = Array.from({ length: REQUESTS }, () => ({ 'Idempotency-Key': randomUUID() }));
    const retry = (index: number) => service.api.admin.post(`/recurring/${subscriptionId}/retry`, undefined, keys[index]);
    const answers = await race(retry);
    expect(succeeded(answers).length).toBeGreaterThan(0);
    for (const code of refusals(answers)) expect(code).toBe('RESOURCE_CONFLICT');
    await expect.poll(async () => (await getSubscription(service, subscriptionId)).status).toBe('active');
    expect((await getPeriods(service, subscriptionId)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect((await paymentsOf(service, customerId)).map(({ status }) => status).toSorted()).toEqual(['approved', 'declined']);
    for (const [index, answer] of answers.entries()) {
      const replay = await retry(index);
      expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', answer.text]);
    }
  });

  test('ten parallel requests retry a declined refund once, by hand and by the scheduled run', async () => {
    const service = fixture();
    const paid = await expectData(service.api.admin.post<TransactionRecord>('/transactions', cardBody(40, CARDS.refundDeclinedOnce)));
    await service.api.admin.post<RefundRecord>(`/transactions/${paid.transactionId}/refund`);
    const entries = await expectData(service.api.admin.get<{ id: string; transactionId: string }[]>(`${QUEUE}?limit=200`));
    const entry = entries.find(({ transactionId }) => transactionId === paid.transactionId);
    await race(
      () => service.api.admin.post(`${QUEUE}/${entry?.id}/retry`),
      () => service.api.admin.post(`${QUEUE}/process-retries`),
    );
    await expect.poll(async () => (await detailOf(service, paid.transactionId)).refundStatus).toBe('full');
    const { refundedAmount, reservedAmount, history } = await detailOf(service, paid.transactionId);
    expect({ refundedAmount, reservedAmount }).toEqual({ refundedAmount: 40, reservedAmount: 0 });
    const refunds = history.filter(({ action }) => action === 'refund').map(({ result }) => result);
    expect(refunds).toEqual(['declined', 'approved']);
  });

  test('ten parallel requests capture, cancel the capture and capture again once each over the Admin and SDK surfaces', async () => {
    const service = fixture();
    const { transactionId } = await createSale(service, 30, { type: 'auth' });
    const change = (operation: string) =>
      race(
        () => service.api.admin.post(`/transactions/${transactionId}/${operation}`),
        () => service.api.sdk.post(`/${operation}`, { TransactionId: transactionId }),
      );
    for (const [operation, refusal] of [
      ['capture', 'ALREADY_CAPTURED'],
      ['cancel-capture', 'RESOURCE_CONFLICT'],
      ['capture', 'ALREADY_CAPTURED'],
    ] as const) {
      const answers = await change(operation);
      expect(succeeded(answers)).toHaveLength(1);
      expect(new Set(refusals(answers))).toEqual(new Set([refusal]));
    }
    const record = await detailOf(service, transactionId);
    expect(record).toMatchObject({ captured: true, capturedAmount: 30 });
    const captures = record.history.filter(({ action, result }) => action === 'capture' && result === 'approved');
    expect(captures).toHaveLength(2);
  });

  test('ten parallel requests pay a payment link once from its page and over the Admin surface', async () => {
    const service = fixture();
    const { invoiceId, url } = await createPaymentLink(service, { amount: 25 });
    const path = pathOf(url);
    const form = { ...prefilledFields(await openPage(service, path)), ...CARD_FORM };
    const statuses = await race<number>(
      async (index) => (await submitForm(service, path, { ...form, attempt: `race-attempt-${index}-${randomUUID()}` })).status,
      async () => (await payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa))).status,
    );
    expect(statuses.filter((status) => status === 200 || status === 303)).toHaveLength(1);
    await expectPaidOnce(service, invoiceId, 25);
  });

  test('pays a payment link once when its form is sent ten times in parallel', FULL, async () => {
    const service = fixture();
    const { invoiceId, url } = await createPaymentLink(service, { amount: 26 });
    const path = pathOf(url);
    const form = { ...prefilledFields(await openPage(service, path)), ...CARD_FORM };
    await race(() => submitForm(service, path, form));
    await expectPaidOnce(service, invoiceId, 26);
  });

  test('ten parallel requests pay an invoice once, by card and in cash', FULL, async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    const { invoiceId } = await createInvoice(service, customerId, { amount: 50 });
    const answers = await race(
      () => payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount: 50 })),
      () => payInvoice(service, invoiceId, { amount: 50 }),
    );
    expect(succeeded(answers)).toHaveLength(1);
    for (const code of refusals(answers)) expect(['PAYMENT_EXCEEDS_DUE', 'INVOICE_ALREADY_PAID']).toContain(code);
    await expectPaidOnce(service, invoiceId, 50);
  });

  test('ten parallel requests credit a card once for each Idempotency-Key over the Admin and SDK surfaces', async () => {
    const service = fixture();
    const { transactionId } = await createSale(service);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await race(
      () => service.api.admin.post(`/transactions/${transactionId}/credit`, { amount: 5 }, headers),
      () => service.api.sdk.post('/credit', { TransactionId: transactionId, Amount: '5.00' }, headers),
    );
    // Each credential has its own keys.
    expect(new Set(succeeded(answers).map(({ text }) => text)).size).toBe(2);
    expect(new Set(refusals(answers).filter((code) => code !== 'RESOURCE_CONFLICT'))).toEqual(new Set());
  });
});

async function expectPaidOnce(service: ApiFixture, invoiceId: string, amount: number): Promise<void> {
  await expect.poll(async () => (await getInvoice(service, invoiceId)).amountPending).toBe(0);
  const { amountPaid, status, payments } = await getInvoice(service, invoiceId);
  expect({ amountPaid, status }).toEqual({ amountPaid: amount, status: 'paid' });
  expect(payments.filter((each) => each.status === 'succeeded')).toHaveLength(1);
}
