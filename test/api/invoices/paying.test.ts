import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard } from '../../support/customers.ts';
import { cardPaymentBody, createInvoice, getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS, type TransactionRecord } from '../../support/sales.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { settleOnRequest } from '../../support/settlements.ts';
import { until } from '../../support/until.ts';
import { type Receiver, startReceiver } from '../../support/webhook-receiver.ts';
import { advanceClock, registerEndpoint } from '../../support/webhooks.ts';

type Sale = TransactionRecord & { transactionId: string; invoiceId: string | null; customerId: string | null; source: string };

const transaction = ({ api }: ApiFixture, id: string | null | undefined) => expectData(api.admin.get<Sale>(`/transactions/${id}`));
const voided = ({ api }: ApiFixture, id: string | null | undefined) => expectData(api.admin.post(`/transactions/${id}/void`));
const open = async (service: ApiFixture, more: Record<string, unknown> = {}) => {
  const { customerId } = await createCustomer(service);
  return { ...(await createInvoice(service, customerId, more)), customerId };
};

/** Waits until no payment of an invoice is in progress, and returns the invoice. */
const atRest = (service: ApiFixture, id: string): Promise<InvoiceRecord> =>
  until(`no payment of ${id} is under way`, async () => {
    const found = await getInvoice(service, id);
    return found.amountPending === 0 ? found : undefined;
  });

/** Conditions that every invoice meets, after any operations. */
function expectSound({ amount, amountPaid, amountDue, amountPending, status, payments }: InvoiceRecord): void {
  const cents = (major: number) => Math.round(major * 100);
  const sum = (status: string) => payments.filter((each) => each.status === status).reduce((total, each) => total + cents(each.amount), 0);
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

describeOnAnyDatabase('paying invoices', (fixture) => {
  test('records cash and checks immediately, in parts, and never above the amount due', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    const part = await expectData(
      payInvoice(service, invoiceId, { amount: '30.50', paymentMethod: 'check', reference: '1042', note: 'by post' }),
    );
    expect(part).toMatchObject({ status: 'partially_paid', amountPaid: 30.5, amountDue: 69.5, paidAt: null });
    expect(part.payments).toMatchObject([
      { method: 'check', amount: 30.5, status: 'succeeded', transactionId: null, reference: '1042', note: 'by post', origin: 'desk' },
    ]);
    expect(await expectError(payInvoice(service, invoiceId, { amount: 69.51 }), 422, 'PAYMENT_EXCEEDS_DUE', 'amount')).toMatchObject({
      details: { amountDue: 69.5, requestedAmount: 69.51, amountPending: 0 },
    });
    await expectError(payInvoice(service, invoiceId, { amount: 0 }), 400, 'INVALID_AMOUNT', 'amount');
    await expectError(payInvoice(service, invoiceId, { paymentMethod: 'barter' }), 400, 'VALIDATION_ERROR', 'paymentMethod');
    await expectError(payInvoice(service, invoiceId, { paymentMethod: undefined }), 400, 'REQUIRED_FIELD_MISSING', 'paymentMethod');
    // The client wants to charge the card, and would take the invoice for paid by it.
    const { card } = cardPaymentBody(CARDS.visa);
    const uncharged = await expectError(payInvoice(service, invoiceId, { paymentMethod: 'cash', card }), 400, 'VALIDATION_ERROR', 'card');
    expect(uncharged.message).toBe(
      '`card` would not be charged, because `paymentMethod` is cash. Leave it out, or change `paymentMethod`.',
    );
    await expectError(payInvoice(service, invoiceId, { paymentMethod: 'check', token: 'tok_1' }), 400, 'VALIDATION_ERROR', 'token');
    const paid = await expectData(payInvoice(service, invoiceId, { paymentMethod: 'other' }));
    expect(paid).toMatchObject({ status: 'paid', amountPaid: 100, amountDue: 0, paidAt: expect.any(String) });
    expectSound(paid);
    await expectError(payInvoice(service, invoiceId, { amount: 1 }), 409, 'INVOICE_ALREADY_PAID');
    await expectError(payInvoice(service, 'inv_nothing'), 404, 'INVOICE_NOT_FOUND');
  });

  test('charges a card for the customer and the invoice, also below 1.00 and at 1,000.00', async () => {
    const service = fixture();
    const { invoiceId, customerId, number } = await open(service, { amount: '1000.40' });
    const first = await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount: '0.40' })));
    expect(first).toMatchObject({ status: 'partially_paid', amountPaid: 0.4 });
    const paid = await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa)));
    expect(paid).toMatchObject({ status: 'paid', amountDue: 0, amountPending: 0 });
    expect(paid.payments[1]).toMatchObject({
      method: 'card',
      status: 'succeeded',
      card: { brand: 'visa', last4: '1111' },
      refundedAmount: 0,
    });
    expect(await transaction(service, paid.payments[1]?.transactionId)).toMatchObject({
      status: 'approved',
      amount: 1000,
      invoiceId,
      customerId,
      orderId: number,
      description: `Invoice ${number}`,
      source: 'keyed',
    });
    const account = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'checking', accountHolderName: 'Ann' };
    const other = await open(service);
    const byBank = await expectData(payInvoice(service, other.invoiceId, { paymentMethod: 'ach', bankAccount: account }));
    expect(byBank).toMatchObject({ status: 'paid', payments: [{ method: 'ach', bankAccount: { last4: '6789' }, card: null }] });
    const third = await open(service);
    await expectError(payInvoice(service, third.invoiceId, { paymentMethod: 'card' }), 400, 'REQUIRED_FIELD_MISSING', 'card');
    await expectError(payInvoice(service, third.invoiceId, cardPaymentBody('4111111111111112')), 400, 'INVALID_CARD_NUMBER');
    expect(await getInvoice(service, third.invoiceId)).toMatchObject({ status: 'draft', payments: [] });
  });

  test('rejects a payment without an amount and records nothing', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    for (const body of [{ paymentMethod: 'cash' }, cardPaymentBody(CARDS.visa), { paymentMethod: 'token' }]) {
      const error = service.api.admin.post(`/invoices/${invoiceId}/payment`, body);
      await expectError(error, 400, 'REQUIRED_FIELD_MISSING', 'amount');
    }
    expect((await getInvoice(service, invoiceId)).payments).toEqual([]);
  });

  test('charges a stored payment method of the customer, the default without a token, and none of another customer', async () => {
    const service = fixture();
    const { customerId } = await createCustomerWithCard(service);
    const { invoiceId } = await createInvoice(service, customerId);
    const paid = await expectData(payInvoice(service, invoiceId, { paymentMethod: 'token', amount: 60 }));
    expect(paid.payments).toMatchObject([{ method: 'token', status: 'succeeded', card: { last4: '1111' } }]);
    const { data } = (await service.api.admin.get<{ token: string }[]>(`/customers/${customerId}/payment-methods`)).body;
    const token = data[0]?.token;
    const bare = { amount: 15, token };
    expect(await expectData(service.api.admin.post(`/invoices/${invoiceId}/payment`, bare))).toMatchObject({ amountDue: 25 });
    expect(await expectData(payInvoice(service, invoiceId, { paymentMethod: 'token', token }))).toMatchObject({ status: 'paid' });
    await expectError(
      service.api.admin.post(`/invoices/${invoiceId}/payment`, { amount: 1 }),
      400,
      'REQUIRED_FIELD_MISSING',
      'paymentMethod',
    );
    const other = await open(service);
    await expectError(payInvoice(service, other.invoiceId, { paymentMethod: 'token' }), 400, 'REQUIRED_FIELD_MISSING', 'token');
    await expectError(payInvoice(service, other.invoiceId, { paymentMethod: 'token', token }), 409, 'RESOURCE_CONFLICT');
    expect((await getInvoice(service, other.invoiceId)).payments).toEqual([]);
  });

  test('returns the transaction of a decline and leaves the invoice open', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    const answer = await payInvoice(service, invoiceId, cardPaymentBody(CARDS.noFunds));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ success: false, data: { status: 'declined', declineCode: 'insufficient_funds', invoiceId } });
    const left = await getInvoice(service, invoiceId);
    expect(left).toMatchObject({ status: 'draft', amountPaid: 0, amountPending: 0 });
    expect(left.payments).toMatchObject([{ status: 'failed', declineCode: 'insufficient_funds', declineReason: expect.any(String) }]);
    expect(await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa)))).toMatchObject({ status: 'paid' });
  });

  test('refuses to rerun a declined payment of an invoice', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    const declined = await payInvoice(service, invoiceId, cardPaymentBody(CARDS.noFunds));
    const { transactionId } = declined.body.data as unknown as { transactionId: string };
    for (const again of [
      service.api.admin.post(`/transactions/${transactionId}/rerun`),
      service.api.public.post('/rerun', { transactionId }),
    ]) {
      const error = await expectError(again, 409, 'RESOURCE_CONFLICT');
      expect(error.details).toMatchObject({ reason: 'invoice_payment', invoiceId });
    }
    expect(await getInvoice(service, invoiceId)).toMatchObject({ amountPaid: 0, payments: [{ status: 'failed' }] });
  });

  test('pays once per Idempotency-Key and replays the response, also after a decline and a timeout', async () => {
    const service = fixture();
    for (const body of [{}, cardPaymentBody(CARDS.visa), cardPaymentBody(CARDS.declined), cardPaymentBody(CARDS.answerLost)]) {
      const { invoiceId } = await open(service);
      const key = { 'Idempotency-Key': randomUUID() };
      const wanted = { amount: 10, ...body };
      const answers = await Promise.all([payInvoice(service, invoiceId, wanted, key), payInvoice(service, invoiceId, wanted, key)]);
      const [first] = answers.filter(({ status }) => status !== 409);
      for (const answer of answers.filter(({ status }) => status === 409))
        expect(answer.headers.get('retry-after') ?? answer.headers.get('idempotent-replayed')).not.toBeNull();
      const replay = await payInvoice(service, invoiceId, wanted, key);
      expect([replay.status, replay.text, replay.headers.get('idempotent-replayed')]).toEqual([first?.status, first?.text, 'true']);
      const { payments } = await atRest(service, invoiceId);
      expect(payments.length).toBe(1);
      await expectError(payInvoice(service, invoiceId, { ...wanted, amount: 11 }, key), 409, 'RESOURCE_CONFLICT', 'Idempotency-Key');
    }
  });

  test('allows a key again whose payment never reached the gateway', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    const key = { 'Idempotency-Key': randomUUID() };
    await expectData(service.api.admin.post('/sandbox/gateway', { mode: 'down' }));
    await expectError(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa), key), 503, 'GATEWAY_UNAVAILABLE');
    await expectData(service.api.admin.post('/sandbox/gateway', { mode: 'normal' }));
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'draft', amountPending: 0, payments: [{ status: 'failed' }] });
    expect(await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa), key))).toMatchObject({ status: 'paid' });
    const other = await open(service);
    await expectError(payInvoice(service, other.invoiceId, cardPaymentBody(CARDS.gatewayError)), 502, 'GATEWAY_ERROR');
    expect(await getInvoice(service, other.invoiceId)).toMatchObject({
      amountPending: 0,
      payments: [{ status: 'failed', declineCode: null }],
    });
  });

  test('reserves the amount of an unconfirmed payment until its outcome is known', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    const error = await expectError(
      payInvoice(service, invoiceId, cardPaymentBody(CARDS.answerLost, { amount: 70 })),
      502,
      'GATEWAY_TIMEOUT',
    );
    const found = await atRest(service, invoiceId);
    expect(found).toMatchObject({ status: 'partially_paid', amountPaid: 70 });
    expect(found.payments).toMatchObject([{ status: 'succeeded', transactionId: error.details?.transactionId }]);
    await expectError(payInvoice(service, invoiceId, cardPaymentBody(CARDS.neverReceived)), 502, 'GATEWAY_TIMEOUT');
    const after = await atRest(service, invoiceId);
    expect(after).toMatchObject({ status: 'partially_paid', amountPaid: 70, payments: [{ status: 'succeeded' }, { status: 'failed' }] });
    expectSound(after);
  });

  test('removes a voided payment from the invoice, but not a refunded one', async () => {
    const service = fixture();
    const { invoiceId } = await open(service);
    const paid = await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa)));
    const [first] = paid.payments;
    await voided(service, first?.transactionId);
    const reopened = await getInvoice(service, invoiceId);
    // It was never sent, so it can still be changed.
    expect(reopened).toMatchObject({ status: 'draft', amountPaid: 0, amountDue: 100, paidAt: null, payments: [{ status: 'voided' }] });
    await expectData(service.api.admin.put(`/invoices/${invoiceId}`, { note: 'Paid on the second try' }));
    await expectData(payInvoice(service, invoiceId, { amount: 25 }));
    const again = await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa)));
    expect(again).toMatchObject({ status: 'paid' });
    const last = again.payments.at(-1);
    await expectData(service.api.admin.post(`/transactions/${last?.transactionId}/refund`, { amount: 5 }));
    const refunded = await getInvoice(service, invoiceId);
    expect(refunded).toMatchObject({ status: 'paid', amountPaid: 100 });
    expect(refunded.payments.at(-1)).toMatchObject({ status: 'succeeded', refundedAmount: 5 });
    const entries = await expectData(
      service.api.admin.get<{ action: string; actor: string }[]>(`/audit-logs?resource=invoices/${invoiceId}`),
    );
    expect(entries.map(({ action }) => action)).toContain('invoice.payment_voided');
    expect(entries.find(({ action }) => action === 'invoice.payment_voided')?.actor).toBe(service.credentials.adminEmail);
    const half = await open(service);
    await expectData(payInvoice(service, half.invoiceId, { amount: 25 }));
    const whole = await expectData(payInvoice(service, half.invoiceId, cardPaymentBody(CARDS.visa)));
    await voided(service, whole.payments.at(-1)?.transactionId);
    expect(await getInvoice(service, half.invoiceId)).toMatchObject({ status: 'partially_paid', amountPaid: 25, amountDue: 75 });
  });

  test('uses the end of the day in the new time zone after the merchant moves', async () => {
    const service = fixture();
    const { merchantId } = await expectData(
      service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Moving', timezone: 'Pacific/Auckland' }),
      201,
    );
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const dueDate = new Intl.DateTimeFormat('en-CA', { timeZone: 'Pacific/Auckland', dateStyle: 'short' }).format(new Date(now));
    const { customerId } = await createCustomer(service, { merchantId });
    const { invoiceId } = await createInvoice(service, customerId, { dueDate });
    await expectData(service.api.admin.post(`/invoices/${invoiceId}/send`, {}));
    await expectData(service.api.admin.put(`/merchants/${merchantId}`, { timezone: 'Pacific/Honolulu' }));
    // Honolulu is ten hours behind UTC all year.
    const end = Date.parse(`${dueDate}T00:00:00Z`) + 34 * 3_600_000;
    await expectData(service.api.admin.post('/sandbox/clock', { now: new Date(end - 60_000).toISOString() }));
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'sent' });
    await advanceClock(service, 60);
    expect(await getInvoice(service, invoiceId)).toMatchObject({ status: 'overdue', overdueAt: new Date(end).toISOString() });
  });

  test('marks an invoice as overdue once when its day is over for the merchant, and still accepts payments', async () => {
    const service = fixture();
    const { merchantId } = await expectData(
      service.api.admin.post<{ merchantId: string }>('/merchants', { name: 'Far', timezone: 'Pacific/Auckland' }),
      201,
    );
    const zone = 'Pacific/Auckland';
    const { now } = await expectData(service.api.admin.get<{ now: string }>('/sandbox/clock'));
    const dueDate = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(new Date(now));
    const { customerId, email } = await createCustomer(service, { merchantId });
    const endpoint = await registerEndpoint(service, receiver.url(`/overdue-${service.database}`), [
      'invoice.overdue',
      'invoice.partially_paid',
      'invoice.paid',
    ]);
    await settleOnRequest(service, merchantId);
    const sent = await createInvoice(service, customerId, { dueDate });
    const draft = await createInvoice(service, customerId, { dueDate });
    const closed = await createInvoice(service, customerId, { dueDate });
    await expectData(service.api.admin.post(`/invoices/${sent.invoiceId}/send`, {}));
    await expectData(service.api.admin.post(`/invoices/${closed.invoiceId}/send`, {}));
    const settled = await expectData(payInvoice(service, closed.invoiceId, cardPaymentBody(CARDS.visa)));
    const [dayStart = 0] = [Date.parse(`${dueDate}T00:00:00Z`)];
    // The day in Auckland ends 12 or 13 hours before it ends in UTC.
    const end = [12, 13]
      .map((hours) => dayStart + 86_400_000 - hours * 3_600_000)
      .find((at) => {
        const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'short' }).format(new Date(at));
        return hour === '00:00';
      });
    await expectData(service.api.admin.post('/sandbox/clock', { now: new Date((end ?? 0) - 60_000).toISOString() }));
    expect(await getInvoice(service, sent.invoiceId)).toMatchObject({ status: 'sent', overdueAt: null });
    const { ran } = await advanceClock(service, 60);
    expect(ran.invoices).toBe(1);
    expect(await getInvoice(service, sent.invoiceId)).toMatchObject({ status: 'overdue', overdueAt: new Date(end ?? 0).toISOString() });
    expect(await getInvoice(service, draft.invoiceId)).toMatchObject({ status: 'draft' });
    const summary = await expectData(service.api.admin.get(`/invoices/summary?merchantId=${merchantId}`));
    expect(summary).toMatchObject({ outstanding: { count: 1, amount: 100 }, overdue: { count: 1, amount: 100 } });
    // An invoice that was paid in time is overdue when its payment is voided now.
    await voided(service, settled.payments[0]?.transactionId);
    expect(await getInvoice(service, closed.invoiceId)).toMatchObject({ status: 'overdue', amountPaid: 0 });
    await expectData(payInvoice(service, sent.invoiceId, { amount: 40 }));
    expect(await getInvoice(service, sent.invoiceId)).toMatchObject({ status: 'overdue', amountDue: 60 });
    const letter = await expectData(service.api.admin.post<{ messageIds: string[] }>(`/invoices/${sent.invoiceId}/send`, {}));
    expect((await service.api.admin.get(`/notifications/messages/${letter.messageIds[0]}`)).text).toContain('60.00 USD was due on');
    await expectData(payInvoice(service, sent.invoiceId));
    await advanceClock(service, 86_400);
    const overdueEvents = receiver
      .receivedAt(`/overdue-${service.database}`)
      .filter(({ event }) => event.data.invoiceId === sent.invoiceId);
    const data = { invoiceId: sent.invoiceId, transactionId: null, customer: { email } };
    expect(overdueEvents.map(({ event }) => [event.type, event.data])).toEqual([
      ['invoice.overdue', { ...data, amountPaid: 0, amountDue: 100, status: 'overdue' }],
      ['invoice.partially_paid', { ...data, amountPaid: 40, amountDue: 60, status: 'overdue' }],
      ['invoice.paid', { ...data, amountPaid: 100, amountDue: 0, status: 'paid' }],
    ]);
    const reopened = receiver.receivedAt(`/overdue-${service.database}`).filter(({ event }) => event.data.invoiceId === closed.invoiceId);
    expect(reopened.map(({ event }) => [event.type, event.data.transactionId])).toEqual([
      ['invoice.paid', settled.payments[0]?.transactionId],
      ['invoice.overdue', null],
    ]);
    await service.api.admin.delete(`/webhooks/${endpoint.id}`);
  });
});

describeOnBothDatabases('paying invoices', (fixture) => {
  test('never exceeds the amount due with two parallel payments, and lets a payment or a parallel cancellation win', {
    timeout: 120_000,
  }, async () => {
    const service = fixture();
    const { customerId } = await createCustomer(service);
    for (let round = 0; round < 20; round += 1) {
      const { invoiceId } = await createInvoice(service, customerId, { amount: 50 });
      const card = round % 2 === 0 ? cardPaymentBody(CARDS.visa, { amount: 40 }) : { amount: 40 };
      const [one, two] = await Promise.all([
        payInvoice(service, invoiceId, card),
        payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount: 40 })),
      ]);
      const codes = [one, two].map(({ body }) => (body.success ? 'paid' : body.error.code));
      expect(codes.toSorted()).toEqual(['PAYMENT_EXCEEDS_DUE', 'paid']);
      const left = await getInvoice(service, invoiceId);
      expect(left).toMatchObject({ amountPaid: 40, amountPending: 0, status: 'partially_paid' });
      const cancel = service.api.admin.post<InvoiceRecord>(`/invoices/${invoiceId}/cancel`);
      const [last, cancelled] = await Promise.all([payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa)), cancel]);
      const after = await getInvoice(service, invoiceId);
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
});
