import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardholder, customer } from '../../support/customers.ts';
import { byCard, type InvoiceRecord, invoice, invoiceOf, payment } from '../../support/invoices.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { advance, register } from '../../support/webhooks.ts';

type Sale = TransactionRecord & { transactionId: string; invoiceId: string | null; customerId: string | null; source: string };

const transaction = ({ api }: ApiFixture, id: string | null | undefined) => expectData(api.admin.get<Sale>(`/transactions/${id}`));
const voided = ({ api }: ApiFixture, id: string | null | undefined) => expectData(api.admin.post(`/transactions/${id}/void`));
const open = async (on: ApiFixture, more: Record<string, unknown> = {}) => {
  const { customerId } = await customer(on);
  return { ...(await invoice(on, customerId, more)), customerId };
};

/** Waits until no payment of an invoice is under way, and returns the invoice. */
const atRest = (on: ApiFixture, id: string): Promise<InvoiceRecord> =>
  until(`no payment of ${id} is under way`, async () => {
    const found = await invoiceOf(on, id);
    return found.amountPending === 0 ? found : undefined;
  });

/** What holds of every invoice, whatever was done with it. */
function expectSound({ amount, amountPaid, amountDue, amountPending, status, payments }: InvoiceRecord): void {
  const cents = (major: number) => Math.round(major * 100);
  const sum = (of: string) => payments.filter((each) => each.status === of).reduce((total, each) => total + cents(each.amount), 0);
  expect(cents(amountPaid) + cents(amountDue)).toBe(cents(amount));
  expect(sum('succeeded')).toBe(cents(amountPaid));
  expect(sum('pending')).toBe(cents(amountPending));
  expect(status === 'paid').toBe(amountDue === 0);
}

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.stop());

describeOnBothDatabases('paying invoices', (fixture) => {
  test('records cash and checks immediately, in parts, and never above the amount due', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    const part = await expectData(payment(on, invoiceId, { amount: '30.50', paymentMethod: 'check', reference: '1042', note: 'by post' }));
    expect(part).toMatchObject({ status: 'partially_paid', amountPaid: 30.5, amountDue: 69.5, paidAt: null });
    expect(part.payments).toMatchObject([
      { method: 'check', amount: 30.5, status: 'succeeded', transactionId: null, reference: '1042', note: 'by post', origin: 'desk' },
    ]);
    expect(await expectError(payment(on, invoiceId, { amount: 69.51 }), 422, 'PAYMENT_EXCEEDS_DUE', 'amount')).toMatchObject({
      details: { amountDue: 69.5, requestedAmount: 69.51, amountPending: 0 },
    });
    await expectError(payment(on, invoiceId, { amount: 0 }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(payment(on, invoiceId, { paymentMethod: 'barter' }), 400, 'VALIDATION_ERROR', 'paymentMethod');
    await expectError(payment(on, invoiceId, { paymentMethod: undefined }), 400, 'REQUIRED_FIELD_MISSING', 'paymentMethod');
    const paid = await expectData(payment(on, invoiceId, { paymentMethod: 'other' }));
    expect(paid).toMatchObject({ status: 'paid', amountPaid: 100, amountDue: 0, paidAt: expect.any(String) });
    expectSound(paid);
    await expectError(payment(on, invoiceId, { amount: 1 }), 409, 'INVOICE_ALREADY_PAID');
    await expectError(payment(on, 'inv_nothing'), 404, 'INVOICE_NOT_FOUND');
  });

  test('charges a card for the customer and the invoice, also below 1.00 and at 1,000.00', async () => {
    const on = fixture();
    const { invoiceId, customerId, number } = await open(on, { amount: '1000.40' });
    const first = await expectData(payment(on, invoiceId, byCard(CARDS.visa, { amount: '0.40' })));
    expect(first).toMatchObject({ status: 'partially_paid', amountPaid: 0.4 });
    const paid = await expectData(payment(on, invoiceId, byCard(CARDS.visa)));
    expect(paid).toMatchObject({ status: 'paid', amountDue: 0, amountPending: 0 });
    expect(paid.payments[1]).toMatchObject({
      method: 'card',
      status: 'succeeded',
      card: { brand: 'visa', last4: '1111' },
      refundedAmount: 0,
    });
    expect(await transaction(on, paid.payments[1]?.transactionId)).toMatchObject({
      status: 'approved',
      amount: 1000,
      invoiceId,
      customerId,
      orderId: number,
      description: `Invoice ${number}`,
      source: 'keyed',
    });
    const account = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann' };
    const other = await open(on);
    const byBank = await expectData(payment(on, other.invoiceId, { paymentMethod: 'ach', bankAccount: account }));
    expect(byBank).toMatchObject({ status: 'paid', payments: [{ method: 'ach', bankAccount: { last4: '6789' }, card: null }] });
    const third = await open(on);
    await expectError(payment(on, third.invoiceId, { paymentMethod: 'card' }), 400, 'REQUIRED_FIELD_MISSING', 'card');
    await expectError(payment(on, third.invoiceId, byCard('4111111111111112')), 400, 'INVALID_CARD_NUMBER');
    expect(await invoiceOf(on, third.invoiceId)).toMatchObject({ status: 'draft', payments: [] });
  });

  test('rejects a payment without an amount and records nothing', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    for (const body of [{ paymentMethod: 'cash' }, byCard(CARDS.visa), { paymentMethod: 'token' }]) {
      const error = on.api.admin.post(`/invoices/${invoiceId}/payment`, body);
      await expectError(error, 400, 'REQUIRED_FIELD_MISSING', 'amount');
    }
    expect((await invoiceOf(on, invoiceId)).payments).toEqual([]);
  });

  test('charges a stored payment method of the customer, the default without a token, and none of another customer', async () => {
    const on = fixture();
    const { customerId } = await cardholder(on);
    const { invoiceId } = await invoice(on, customerId);
    const paid = await expectData(payment(on, invoiceId, { paymentMethod: 'token', amount: 60 }));
    expect(paid.payments).toMatchObject([{ method: 'token', status: 'succeeded', card: { last4: '1111' } }]);
    const { data } = (await on.api.admin.get<{ token: string }[]>(`/customers/${customerId}/payment-methods`)).body;
    const token = data[0]?.token;
    const bare = { amount: 15, token };
    expect(await expectData(on.api.admin.post(`/invoices/${invoiceId}/payment`, bare))).toMatchObject({ amountDue: 25 });
    expect(await expectData(payment(on, invoiceId, { paymentMethod: 'token', token }))).toMatchObject({ status: 'paid' });
    await expectError(on.api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 1 }), 400, 'REQUIRED_FIELD_MISSING', 'paymentMethod');
    const other = await open(on);
    await expectError(payment(on, other.invoiceId, { paymentMethod: 'token' }), 400, 'REQUIRED_FIELD_MISSING', 'token');
    await expectError(payment(on, other.invoiceId, { paymentMethod: 'token', token }), 409, 'RESOURCE_CONFLICT');
    expect((await invoiceOf(on, other.invoiceId)).payments).toEqual([]);
  });

  test('returns the transaction of a decline and leaves the invoice open', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    const answer = await payment(on, invoiceId, byCard(CARDS.noFunds));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, data: { status: 'declined', declineCode: 'insufficient_funds', invoiceId } });
    const left = await invoiceOf(on, invoiceId);
    expect(left).toMatchObject({ status: 'draft', amountPaid: 0, amountPending: 0 });
    expect(left.payments).toMatchObject([{ status: 'failed', declineCode: 'insufficient_funds', declineReason: expect.any(String) }]);
    expect(await expectData(payment(on, invoiceId, byCard(CARDS.visa)))).toMatchObject({ status: 'paid' });
  });

  test('refuses to rerun a declined payment of an invoice', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    const declined = await payment(on, invoiceId, byCard(CARDS.noFunds));
    const { transactionId } = declined.body.data as unknown as { transactionId: string };
    for (const again of [on.api.admin.post(`/transactions/${transactionId}/rerun`), on.api.public.post('/rerun', { transactionId })]) {
      const error = await expectError(again, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'invoice_payment', invoiceId });
    }
    expect(await invoiceOf(on, invoiceId)).toMatchObject({ amountPaid: 0, payments: [{ status: 'failed' }] });
  });

  test('pays once per Idempotency-Key and replays the response, also after a decline and a timeout', async () => {
    const on = fixture();
    for (const body of [{}, byCard(CARDS.visa), byCard(CARDS.declined), byCard(CARDS.answerLost)]) {
      const { invoiceId } = await open(on);
      const key = { 'Idempotency-Key': randomUUID() };
      const wanted = { amount: 10, ...body };
      const answers = await Promise.all([payment(on, invoiceId, wanted, key), payment(on, invoiceId, wanted, key)]);
      const [first] = answers.filter(({ status }) => status !== 409);
      for (const answer of answers.filter(({ status }) => status === 409))
        expect(answer.headers.get('retry-after') ?? answer.headers.get('idempotent-replayed')).not.toBeNull();
      const replay = await payment(on, invoiceId, wanted, key);
      expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([first?.status, first?.text, 'true']);
      const { payments } = await atRest(on, invoiceId);
      expect(payments.length).toBe(1);
      await expectError(payment(on, invoiceId, { ...wanted, amount: 11 }, key), 409, 'RESOURCE_CONFLICT', 'Idempotency-Key');
    }
  });

  test('allows a key again whose payment never reached the gateway', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    const key = { 'Idempotency-Key': randomUUID() };
    await expectData(on.api.admin.post('/sandbox/gateway', { mode: 'down' }));
    await expectError(payment(on, invoiceId, byCard(CARDS.visa), key), 503, 'GATEWAY_UNAVAILABLE');
    await expectData(on.api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    expect(await invoiceOf(on, invoiceId)).toMatchObject({ status: 'draft', amountPending: 0, payments: [{ status: 'failed' }] });
    expect(await expectData(payment(on, invoiceId, byCard(CARDS.visa), key))).toMatchObject({ status: 'paid' });
    const other = await open(on);
    await expectError(payment(on, other.invoiceId, byCard(CARDS.gatewayError)), 502, 'GATEWAY_ERROR');
    expect(await invoiceOf(on, other.invoiceId)).toMatchObject({ amountPending: 0, payments: [{ status: 'failed', declineCode: null }] });
  });

  test('reserves the amount of an unconfirmed payment until its outcome is known', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    const error = await expectError(payment(on, invoiceId, byCard(CARDS.answerLost, { amount: 70 })), 502, 'GATEWAY_TIMEOUT');
    const found = await atRest(on, invoiceId);
    expect(found).toMatchObject({ status: 'partially_paid', amountPaid: 70 });
    expect(found.payments).toMatchObject([{ status: 'succeeded', transactionId: error.details?.transactionId }]);
    await expectError(payment(on, invoiceId, byCard(CARDS.neverReceived)), 502, 'GATEWAY_TIMEOUT');
    const after = await atRest(on, invoiceId);
    expect(after).toMatchObject({ status: 'partially_paid', amountPaid: 70, payments: [{ status: 'succeeded' }, { status: 'failed' }] });
    expectSound(after);
  });

  test('never exceeds the amount due with two parallel payments, and lets a payment or a parallel cancellation win', {
    timeout: 120_000,
  }, async () => {
    const on = fixture();
    const { customerId } = await customer(on);
    for (let round = 0; round < 20; round += 1) {
      const { invoiceId } = await invoice(on, customerId, { amount: 50 });
      const card = round % 2 === 0 ? byCard(CARDS.visa, { amount: 40 }) : { amount: 40 };
      const [one, two] = await Promise.all([payment(on, invoiceId, card), payment(on, invoiceId, byCard(CARDS.visa, { amount: 40 }))]);
      const codes = [one, two].map(({ body }) => (body.success ? 'paid' : body.error.code));
      expect(codes.toSorted()).toEqual(['PAYMENT_EXCEEDS_DUE', 'paid']);
      const left = await invoiceOf(on, invoiceId);
      expect(left).toMatchObject({ amountPaid: 40, amountPending: 0, status: 'partially_paid' });
      const cancel = on.api.admin.post<InvoiceRecord>(`/invoices/${invoiceId}/cancel`);
      const [last, cancelled] = await Promise.all([payment(on, invoiceId, byCard(CARDS.visa)), cancel]);
      const after = await invoiceOf(on, invoiceId);
      expectSound(after);
      if (cancelled.body.success) {
        expect(after.status).toBe('cancelled');
        expect(last.body.error.code).toBe('INVOICE_CANCELLED');
      } else {
        expect(after.status).toBe('paid');
        expect(['RESOURCE_CONFLICT', 'INVOICE_ALREADY_PAID']).toContain(cancelled.body.error.code);
        if (cancelled.body.error.code === 'RESOURCE_CONFLICT') expect(cancelled.body.error.details?.reason).toBe('payment_in_progress');
      }
    }
  });

  test('removes a voided payment from the invoice, but not a refunded one', async () => {
    const on = fixture();
    const { invoiceId } = await open(on);
    const paid = await expectData(payment(on, invoiceId, byCard(CARDS.visa)));
    const [first] = paid.payments;
    await voided(on, first?.transactionId);
    const reopened = await invoiceOf(on, invoiceId);
    // Nobody was asked for it yet, so it can still be changed.
    expect(reopened).toMatchObject({ status: 'draft', amountPaid: 0, amountDue: 100, paidAt: null, payments: [{ status: 'voided' }] });
    await expectData(on.api.admin.put(`/invoices/${invoiceId}`, { note: 'Paid on the second try' }));
    await expectData(payment(on, invoiceId, { amount: 25 }));
    const again = await expectData(payment(on, invoiceId, byCard(CARDS.visa)));
    expect(again).toMatchObject({ status: 'paid' });
    const last = again.payments.at(-1);
    await expectData(on.api.admin.post(`/transactions/${last?.transactionId}/refund`, { amount: 5 }));
    const refunded = await invoiceOf(on, invoiceId);
    expect(refunded).toMatchObject({ status: 'paid', amountPaid: 100 });
    expect(refunded.payments.at(-1)).toMatchObject({ status: 'succeeded', refundedAmount: 5 });
    const entries = await expectData(on.api.admin.get<{ action: string; actor: string }[]>(`/audit-logs?resource=invoices/${invoiceId}`));
    expect(entries.map(({ action }) => action)).toContain('invoice.payment_voided');
    expect(entries.find(({ action }) => action === 'invoice.payment_voided')?.actor).toBe(on.credentials.adminEmail);
    const half = await open(on);
    await expectData(payment(on, half.invoiceId, { amount: 25 }));
    const whole = await expectData(payment(on, half.invoiceId, byCard(CARDS.visa)));
    await voided(on, whole.payments.at(-1)?.transactionId);
    expect(await invoiceOf(on, half.invoiceId)).toMatchObject({ status: 'partially_paid', amountPaid: 25, amountDue: 75 });
  });

  test('uses the end of the day in the new time zone after the merchant moves', async () => {
    const on = fixture();
    const { merchantId } = await expectData(
      on.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Moving', timezone: 'Pacific/Auckland' }),
      201,
    );
    const { now } = await expectData(on.api.admin.get<{ now: string }>('/sandbox/clock'));
    const dueDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland', dateStyle: 'short' }).format(new Date(now));
    const { customerId } = await customer(on, { merchantId });
    const { invoiceId } = await invoice(on, customerId, { dueDate });
    await expectData(on.api.admin.post(`/invoices/${invoiceId}/send`, {}));
    await expectData(on.api.admin.put(`/merchants/${merchantId}`, { timezone: 'Pacific/Honolulu' }));
    // Honolulu is ten hours behind UTC all the year.
    const end = Date.parse(`${dueDate}T00:00:00Z`) + 34 * 3_600_000;
    await expectData(on.api.admin.post('/sandbox/clock', { now: new Date(end - 1_000).toISOString() }));
    expect(await invoiceOf(on, invoiceId)).toMatchObject({ status: 'sent' });
    await advance(on, 1);
    expect(await invoiceOf(on, invoiceId)).toMatchObject({ status: 'overdue', overdueAt: new Date(end).toISOString() });
  });

  test('marks an invoice as overdue once when its day is over for the merchant, and still accepts payments', async () => {
    const on = fixture();
    const { merchantId } = await expectData(
      on.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Far', timezone: 'Pacific/Auckland' }),
      201,
    );
    const zone = 'Pacific/Auckland';
    const { now } = await expectData(on.api.admin.get<{ now: string }>('/sandbox/clock'));
    const dueDate = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(now));
    const { customerId, email } = await customer(on, { merchantId });
    const endpoint = await register(on, receiver.url(`/overdue-${on.database}`), [
      'invoice.overdue',
      'invoice.partially_paid',
      'invoice.paid',
    ]);
    await expectData(on.api.admin.put(`/settlement/schedule/${merchantId}`, { frequency: 'manual' }));
    const sent = await invoice(on, customerId, { dueDate });
    const draft = await invoice(on, customerId, { dueDate });
    const closed = await invoice(on, customerId, { dueDate });
    await expectData(on.api.admin.post(`/invoices/${sent.invoiceId}/send`, {}));
    await expectData(on.api.admin.post(`/invoices/${closed.invoiceId}/send`, {}));
    const settled = await expectData(payment(on, closed.invoiceId, byCard(CARDS.visa)));
    const [dayStart = 0] = [Date.parse(`${dueDate}T00:00:00Z`)];
    // The day in Auckland is over 12 or 13 hours before it is over in UTC.
    const end = [12, 13]
      .map((hours) => dayStart + 86_400_000 - hours * 3_600_000)
      .find((at) => {
        const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(new Date(at));
        return hour === '00:00';
      });
    await expectData(on.api.admin.post('/sandbox/clock', { now: new Date((end ?? 0) - 1_000).toISOString() }));
    expect(await invoiceOf(on, sent.invoiceId)).toMatchObject({ status: 'sent', overdueAt: null });
    const { ran } = await advance(on, 2);
    expect(ran.invoices).toBe(1);
    expect(await invoiceOf(on, sent.invoiceId)).toMatchObject({ status: 'overdue', overdueAt: new Date(end ?? 0).toISOString() });
    expect(await invoiceOf(on, draft.invoiceId)).toMatchObject({ status: 'draft' });
    const summary = await expectData(on.api.admin.get(`/invoices/summary?merchantId=${merchantId}`));
    expect(summary).toMatchObject({ outstanding: { count: 1, amount: 100 }, overdue: { count: 1, amount: 100 } });
    // What was paid in time is overdue when its payment is voided now.
    await voided(on, settled.payments[0]?.transactionId);
    expect(await invoiceOf(on, closed.invoiceId)).toMatchObject({ status: 'overdue', amountPaid: 0 });
    await expectData(payment(on, sent.invoiceId, { amount: 40 }));
    expect(await invoiceOf(on, sent.invoiceId)).toMatchObject({ status: 'overdue', amountDue: 60 });
    const letter = await expectData(on.api.admin.post<{ messageIds: string[] }>(`/invoices/${sent.invoiceId}/send`, {}));
    expect((await on.api.admin.get(`/notifications/messages/${letter.messageIds[0]}`)).text).toContain('60.00 USD was due on');
    await expectData(payment(on, sent.invoiceId));
    await advance(on, 86_400);
    const told = receiver.at(`/overdue-${on.database}`).filter(({ event }) => event.data.invoiceId === sent.invoiceId);
    const data = { invoiceId: sent.invoiceId, transactionId: null, customer: { email } };
    expect(told.map(({ event }) => [event.type, event.data])).toEqual([
      ['invoice.overdue', { ...data, amountPaid: 0, amountDue: 100, status: 'overdue' }],
      ['invoice.partially_paid', { ...data, amountPaid: 40, amountDue: 60, status: 'overdue' }],
      ['invoice.paid', { ...data, amountPaid: 100, amountDue: 0, status: 'paid' }],
    ]);
    const reopened = receiver.at(`/overdue-${on.database}`).filter(({ event }) => event.data.invoiceId === closed.invoiceId);
    expect(reopened.map(({ event }) => [event.type, event.data.transactionId])).toEqual([
      ['invoice.paid', settled.payments[0]?.transactionId],
      ['invoice.overdue', null],
    ]);
    await on.api.admin.delete(`/webhooks/${endpoint.id}`);
  });
});
