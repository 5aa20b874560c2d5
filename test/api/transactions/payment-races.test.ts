import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { cardholder, customer, periods, subscribe, subscription } from '../../support/customers.ts';
import { byCard, invoice, invoiceOf, link, payment } from '../../support/invoices.ts';
import { CARDS, cardBody, declinedSale, type RefundRecord, sale, type TransactionRecord } from '../../support/sales.ts';
import { type Answer, type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { CARD_FORM, hidden, look, pathOf, press } from '../pages/payer.ts';

const REQUESTS = 10;
const QUEUE = '/refund-decline-queue';

/** Sends ten requests at once, taking turns over the given ways to ask. */
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

describeOnBothDatabases('ten parallel requests', (fixture) => {
  test('rerun a declined sale once over the Admin and Public surfaces', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on);
    const answers = await race(
      () => on.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`),
      () => on.api.public.post<TransactionRecord>('/rerun', { transactionId }),
    );
    const [approved, ...more] = succeeded(answers);
    expect(more).toEqual([]);
    for (const answer of answers.filter((each) => each !== approved)) {
      const error = await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ transactionId: approved?.body.data.transactionId });
    }
  });

  test('rerun a declined sale one after the other while each rerun is declined', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on, CARDS.noFunds);
    const answers = await race(() => on.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`));
    expect(new Set(answers.map(({ body }) => body.data.status))).toEqual(new Set(['declined']));
    expect(new Set(answers.map(({ body }) => body.data.transactionId)).size).toBe(REQUESTS);
  });

  test('rerun a declined sale once under one Idempotency-Key and replay one response', async () => {
    const on = fixture();
    const { transactionId } = await declinedSale(on);
    const headers = { 'Idempotency-Key': randomUUID() };
    const rerun = () => on.api.admin.post<TransactionRecord>(`/transactions/${transactionId}/rerun`, undefined, headers);
    const answers = await race(rerun);
    expect(new Set([...succeeded(answers), await rerun()].map(({ text }) => text)).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      await expectError(answer, 409, 'RESOURCE_CONFLICT');
      expect(answer.headers.get('retry-after')).toBe('1');
    }
  });

  test('charge a past-due subscription once, and answer each Idempotency-Key', async () => {
    const on = fixture();
    const { customerId } = await cardholder(on, CARDS.amex);
    await block(on, [CARDS.amex.slice(0, 6)]);
    const { subscriptionId } = await subscribe(on, customerId).finally(() => block(on, []));
    expect(await subscription(on, subscriptionId)).toMatchObject({ status: 'past_due' });
    const keys = Array.from({ length: REQUESTS }, () => ({ 'Idempotency-Key': randomUUID() }));
    const retry = (index: number) => on.api.admin.post(`/recurring/${subscriptionId}/retry`, undefined, keys[index]);
    const answers = await race(retry);
    expect(succeeded(answers).length).toBeGreaterThan(0);
    for (const code of refusals(answers)) expect(code).toBe('RESOURCE_CONFLICT');
    await expect.poll(async () => (await subscription(on, subscriptionId)).status).toBe('active');
    expect((await periods(on, subscriptionId)).map(({ status }) => status)).toEqual(['failed', 'succeeded']);
    expect((await paymentsOf(on, customerId)).map(({ status }) => status).toSorted()).toEqual(['approved', 'declined']);
    for (const [index, answer] of answers.entries()) {
      const replay = await retry(index);
      expect([replay.headers.get('idempotent-replayed'), replay.text]).toEqual(['true', answer.text]);
    }
  });

  test('retry a declined refund once, by hand and by the scheduled run', async () => {
    const on = fixture();
    const paid = await expectData(on.api.admin.post<TransactionRecord>('/transactions', cardBody(40, CARDS.refundDeclinedOnce)));
    await on.api.admin.post<RefundRecord>(`/transactions/${paid.transactionId}/refund`);
    const entries = await expectData(on.api.admin.get<{ id: string; transactionId: string }[]>(`${QUEUE}?limit=200`));
    const entry = entries.find(({ transactionId }) => transactionId === paid.transactionId);
    await race(
      () => on.api.admin.post(`${QUEUE}/${entry?.id}/retry`),
      () => on.api.admin.post(`${QUEUE}/process-retries`),
    );
    await expect.poll(async () => (await detailOf(on, paid.transactionId)).refundStatus).toBe('full');
    const { refundedAmount, reservedAmount, history } = await detailOf(on, paid.transactionId);
    expect({ refundedAmount, reservedAmount }).toEqual({ refundedAmount: 40, reservedAmount: 0 });
    const refunds = history.filter(({ action }) => action === 'refund').map(({ result }) => result);
    expect(refunds).toEqual(['declined', 'approved']);
  });

  test('capture, cancel the capture and capture again once each over the Admin and SDK surfaces', async () => {
    const on = fixture();
    const { transactionId } = await sale(on, 30, { type: 'auth' });
    const change = (operation: string) =>
      race(
        () => on.api.admin.post(`/transactions/${transactionId}/${operation}`),
        () => on.api.sdk.post(`/${operation}`, { TransactionId: transactionId }),
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
    const record = await detailOf(on, transactionId);
    expect(record).toMatchObject({ captured: true, capturedAmount: 30 });
    const captures = record.history.filter(({ action, result }) => action === 'capture' && result === 'approved');
    expect(captures).toHaveLength(2);
  });

  test('pay a payment link once from its page and over the Admin surface', async () => {
    const on = fixture();
    const { invoiceId, url } = await link(on, { amount: 25 });
    const path = pathOf(url);
    const form = { ...hidden(await look(on, path)), ...CARD_FORM };
    const statuses = await race<number>(
      async (index) => (await press(on, path, { ...form, attempt: `race-attempt-${index}-${randomUUID()}` })).status,
      async () => (await payment(on, invoiceId, byCard(CARDS.visa))).status,
    );
    expect(statuses.filter((status) => status === 200 || status === 303)).toHaveLength(1);
    await expectPaidOnce(on, invoiceId, 25);
  });

  test('pay a payment link once when its form is sent ten times', async () => {
    const on = fixture();
    const { invoiceId, url } = await link(on, { amount: 26 });
    const path = pathOf(url);
    const form = { ...hidden(await look(on, path)), ...CARD_FORM };
    await race(() => press(on, path, form));
    await expectPaidOnce(on, invoiceId, 26);
  });

  test('pay an invoice once, by card and in cash', async () => {
    const on = fixture();
    const { customerId } = await customer(on);
    const { invoiceId } = await invoice(on, customerId, { amount: 50 });
    const answers = await race(
      () => payment(on, invoiceId, byCard(CARDS.visa, { amount: 50 })),
      () => payment(on, invoiceId, { amount: 50 }),
    );
    expect(succeeded(answers)).toHaveLength(1);
    for (const code of refusals(answers)) expect(['PAYMENT_EXCEEDS_DUE', 'INVOICE_ALREADY_PAID']).toContain(code);
    await expectPaidOnce(on, invoiceId, 50);
  });

  test('credit a card once for each Idempotency-Key over the Admin and SDK surfaces', async () => {
    const on = fixture();
    const { transactionId } = await sale(on);
    const headers = { 'Idempotency-Key': randomUUID() };
    const answers = await race(
      () => on.api.admin.post(`/transactions/${transactionId}/credit`, { amount: 5 }, headers),
      () => on.api.sdk.post('/credit', { TransactionId: transactionId, Amount: '5.00' }, headers),
    );
    // Each credential has its own keys.
    expect(new Set(succeeded(answers).map(({ text }) => text)).size).toBe(2);
    expect(new Set(refusals(answers).filter((code) => code !== 'RESOURCE_CONFLICT'))).toEqual(new Set());
  });
});

async function expectPaidOnce(on: ApiFixture, invoiceId: string, amount: number): Promise<void> {
  await expect.poll(async () => (await invoiceOf(on, invoiceId)).amountPending).toBe(0);
  const { amountPaid, status, payments } = await invoiceOf(on, invoiceId);
  expect({ amountPaid, status }).toEqual({ amountPaid: amount, status: 'paid' });
  expect(payments.filter((each) => each.status === 'succeeded')).toHaveLength(1);
}
