import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCustomer, createCustomerWithCard } from '../../support/customers.ts';
import { createInvoice, getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { type ApiFixture, describeOnAnyDatabase, describeOnBothDatabases, expectData, expectError } from '../../support/server.ts';
import { createMerchant } from '../../support/settlements.ts';
import { getTender, openShift, refundTender, reportOfShift, type TenderRecord, takeTender } from '../../support/tenders.ts';
import { advanceClock } from '../../support/webhooks.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index);
const DAY_SECONDS = 86_400;

type ReturnedTender = TenderRecord & { returnedAt: string | null; returnReason: string | null };
interface EventRecord {
  type: string;
  data: Record<string, unknown>;
}

const returnCheck = ({ api }: ApiFixture, id: string, body: Record<string, unknown> = {}, headers?: Record<string, string>) =>
  api.admin.post<ReturnedTender>(`/tenders/${id}/return`, body, headers);
const tenderOf = ({ payments }: InvoiceRecord) => (payments.at(-1) as unknown as { tenderId: string }).tenderId;
const eventsAbout = async ({ api }: ApiFixture, type: string, key: string, id: string) =>
  (await expectData(api.admin.get<EventRecord[]>(`/webhooks/events?types=${type}&limit=200`))).filter(({ data }) => data[key] === id);

/** Creates a sent invoice of 100 and pays a part of it by check. */
async function paidByCheck(fixture: ApiFixture, amount = 100, more: Record<string, unknown> = {}) {
  const { customerId } = await createCustomer(fixture, { firstName: 'Ann', lastName: 'Marsh', email: 'ann@checks.example' });
  const { invoiceId } = await createInvoice(fixture, customerId, more);
  await expectData(fixture.api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'] }));
  const paid = await expectData(payInvoice(fixture, invoiceId, { paymentMethod: 'check', reference: '1042', amount }));
  return { invoiceId, tenderId: tenderOf(paid), paid, customerId };
}

describeOnAnyDatabase('returned checks', (fixture) => {
  test('opens a paid invoice again, with its balance, history, event and audit entry', async () => {
    const { api } = fixture();
    const before = await expectData(api.admin.get<{ outstanding: { count: number; amount: number } }>('/invoices/summary'));
    const { invoiceId, tenderId, paid } = await paidByCheck(fixture(), 100, { taxAmount: 7 });
    expect(paid).toMatchObject({ status: 'paid', amountDue: 0 });
    const returned = await expectData(returnCheck(fixture(), tenderId, { reason: 'insufficient funds' }));
    expect(returned).toMatchObject({ status: 'returned', refundedAmount: 100, returnReason: 'insufficient funds' });
    expect(returned.returnedAt).not.toBeNull();
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({
      status: 'sent',
      amountPaid: 0,
      amountDue: 100,
      paidAt: null,
      payments: [{ method: 'check', status: 'voided', declineReason: 'The bank returned the check: insufficient funds' }],
    });
    const after = await expectData(api.admin.get<{ outstanding: { count: number; amount: number } }>('/invoices/summary'));
    expect(after.outstanding.count - before.outstanding.count).toBe(1);
    expect(after.outstanding.amount - before.outstanding.amount).toBeCloseTo(100, 2);
    const [event] = await eventsAbout(fixture(), 'tender.returned', 'tenderId', tenderId);
    expect(event?.data).toMatchObject({ invoiceId, kind: 'check', amount: 100, returnedAmount: 100, reason: 'insufficient funds' });
    expect(await eventsAbout(fixture(), 'tender.refunded', 'tenderId', tenderId)).toEqual([]);
    const audited = async (resource: string) =>
      (await expectData(api.admin.get<{ action: string }[]>(`/audit-logs?resource=${resource}`))).map(({ action }) => action);
    expect(await audited(`tenders/${tenderId}`)).toContain('tender.returned');
    expect(await audited(`invoices/${invoiceId}`)).toContain('invoice.payment_voided');

    const again = await expectData(payInvoice(fixture(), invoiceId, { paymentMethod: 'cash', amount: 100 }));
    expect(again).toMatchObject({
      status: 'paid',
      amountPaid: 100,
      payments: [{ status: 'voided' }, { status: 'succeeded', taxAmount: 7 }],
    });
    expect(await eventsAbout(fixture(), 'invoice.paid', 'invoiceId', invoiceId)).toHaveLength(2);
  });

  test('reduces a partially paid invoice by the check only', async () => {
    const { invoiceId, tenderId } = await paidByCheck(fixture(), 30);
    await expectData(payInvoice(fixture(), invoiceId, { paymentMethod: 'cash', amount: 20 }));
    await expectData(returnCheck(fixture(), tenderId));
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'partially_paid', amountPaid: 20, amountDue: 80 });
  });

  test('leaves a canceled invoice canceled, and takes the check off its paid amount', async () => {
    const { invoiceId, tenderId } = await paidByCheck(fixture(), 30);
    await expectData(fixture().api.admin.post(`/invoices/${invoiceId}/cancel`, { reason: 'Ordered twice' }));
    await expectData(returnCheck(fixture(), tenderId));
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'cancelled', amountPaid: 0 });
  });

  test('makes a paid invoice overdue if its due date is over, with the event', async () => {
    const { api } = fixture();
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const dueDate = new Date(Date.parse(now) + DAY_SECONDS * 1000).toISOString().slice(0, 10);
    const { invoiceId, tenderId } = await paidByCheck(fixture(), 100, { dueDate });
    await advanceClock(fixture(), 4 * DAY_SECONDS);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'paid', overdueAt: null });
    await expectData(returnCheck(fixture(), tenderId));
    const overdue = await getInvoice(fixture(), invoiceId);
    expect(overdue).toMatchObject({ status: 'overdue', amountDue: 100 });
    expect(overdue.overdueAt).not.toBeNull();
    expect(await eventsAbout(fixture(), 'invoice.overdue', 'invoiceId', invoiceId)).toHaveLength(1);
  });

  test('pauses an installment plan that the check completed', async () => {
    const { api } = fixture();
    const { customerId } = await createCustomerWithCard(fixture());
    const { invoiceId } = await createInvoice(fixture(), customerId);
    await expectData(api.admin.post(`/invoices/${invoiceId}/send`, { sendVia: ['email'] }));
    const { now } = await expectData(api.admin.get<{ now: string }>('/sandbox/clock'));
    const firstDate = new Date(Date.parse(now) + 10 * DAY_SECONDS * 1000).toISOString().slice(0, 10);
    const plan = await expectData(
      api.admin.post<{ installmentPlanId: string }>('/installment-plans', {
        invoiceId,
        count: 2,
        interval: 'monthly',
        firstDate,
        consentText: 'I agree to two charges.',
      }),
      201,
    );
    const paid = await expectData(payInvoice(fixture(), invoiceId, { paymentMethod: 'check', reference: '7', amount: 100 }));
    const planNow = () => expectData(api.admin.get<{ status: string; paidAmount: number }>(`/installment-plans/${plan.installmentPlanId}`));
    expect(await planNow()).toMatchObject({ status: 'completed' });
    await expectData(returnCheck(fixture(), tenderOf(paid)));
    expect(await planNow()).toMatchObject({ status: 'paused', pauseReason: 'payment_voided' });
  });

  test('takes what was not refunded off the sales, and belongs to no shift', async () => {
    const { api } = fixture();
    const merchantId = await createMerchant(fixture());
    const shift = await openShift(fixture(), { drawer: 'Counter', amount: 50, merchantId });
    const check = await takeTender(fixture(), 30, { kind: 'check', checkNumber: '1042', taxAmount: 3, drawer: 'Counter', merchantId });
    await expectData(refundTender(fixture(), check.tenderId, { amount: 10 }), 201);
    const report = await reportOfShift(fixture(), shift.shiftId);
    await expectData(returnCheck(fixture(), check.tenderId, { reason: 'account closed' }));
    expect(await getTender(fixture(), check.tenderId)).toMatchObject({
      status: 'returned',
      refundedAmount: 30,
      refunds: [
        { amount: 10, isReturn: false },
        { amount: 20, taxAmount: 2, isReturn: true, reason: 'account closed', shiftId: null },
      ],
    });
    expect((await reportOfShift(fixture(), shift.shiftId)).checkRefunds).toEqual(report.checkRefunds);
    expect(await expectData(api.admin.get(`/reporting/daily-summary?merchantId=${merchantId}`))).toMatchObject({
      salesAmount: 30,
      refundsAmount: 30,
      shifts: { payments: { openShiftsAmount: 20, withoutShiftAmount: -20, totalAmount: 0 } },
    });
    const ledger = await expectData(
      api.admin.get<{ balanced: boolean; merchants: { accounts: object }[] }>(`/settlement/ledger?merchantId=${merchantId}`),
    );
    expect(ledger).toMatchObject({ balanced: true, merchants: [{ accounts: { checks: 0 } }] });
    const listed = await expectData(api.admin.get<TenderRecord[]>(`/tenders?status=returned&merchantId=${merchantId}`));
    expect(listed.map(({ tenderId }) => tenderId)).toEqual([check.tenderId]);
    expect(await expectData(api.admin.get(`/tenders?status=refunded&merchantId=${merchantId}`))).toEqual([]);
    expect(await expectData(api.admin.get<unknown[]>(`/payments?refundStatus=full&merchantId=${merchantId}`))).toHaveLength(1);
  });

  test('prints a notice with the amount due of the invoice, marked DUPLICATE from the second print on, and as PDF and email', async () => {
    const { api } = fixture();
    const { invoiceId, tenderId } = await paidByCheck(fixture(), 60, { taxAmount: 7 });
    await expectData(returnCheck(fixture(), tenderId, { reason: 'insufficient funds' }));
    const refundId = (await getTender(fixture(), tenderId)).refunds?.[0]?.refundId;
    const print = async (more: Record<string, unknown> = {}) =>
      (
        await expectData(
          api.admin.post<{ content: string }>('/notifications/receipt/print', { tenderId, refundId, format: 'text', ...more }),
        )
      ).content;
    const { number } = await getInvoice(fixture(), invoiceId);
    const first = await print();
    for (const part of ['Returned check', 'Check 1042', number, 'Ann Marsh', 'insufficient funds']) expect(first).toContain(part);
    expect(first).toMatch(/Amount of the check +60\.00 USD/);
    expect(first).toMatch(/Amount due +100\.00 USD/);
    expect(first).not.toMatch(/refunded/i);
    expect(first).not.toContain('DUPLICATE');
    await expectData(payInvoice(fixture(), invoiceId, { paymentMethod: 'cash', amount: 100 }));
    const second = await print();
    expect(second).toContain('*** DUPLICATE ***');
    expect(second).toMatch(/Amount due +0\.00 USD/);
    const pdf = await api.admin.get(`/notifications/receipts/${tenderId}/pdf?refundId=${refundId}`);
    expect(pdf.status).toBe(200);
    const { messageId } = await expectData(
      api.admin.post<{ messageId: string }>('/notifications/receipt/email', { tenderId, refundId, email: 'ann@checks.example' }),
    );
    expect(await expectData(api.admin.get(`/notifications/messages/${messageId}`))).toMatchObject({
      subject: expect.stringMatching(/^Your returned check at /),
    });
  });

  test('refuses a return of cash, a second return and a refund of a returned check', async () => {
    const cash = await takeTender(fixture(), 30);
    const notCheck = await expectError(returnCheck(fixture(), cash.tenderId), 409, 'RESOURCE_CONFLICT');
    expect(notCheck.details).toMatchObject({ reason: 'not_a_check' });
    const { tenderId } = await takeTender(fixture(), 30, { kind: 'check', checkNumber: '5' });
    await expectData(returnCheck(fixture(), tenderId));
    const second = await expectError(returnCheck(fixture(), tenderId), 409, 'RESOURCE_CONFLICT');
    expect(second.details).toMatchObject({ reason: 'already_returned' });
    const refund = await expectError(refundTender(fixture(), tenderId), 422, 'NOT_REFUNDABLE');
    expect(refund.details).toMatchObject({ reason: 'returned' });
    await expectError(returnCheck(fixture(), 'tnd_unknown'), 404, 'NOT_FOUND');
  });

  test('returns a check once per Idempotency-Key, also beside payments of its invoice', async () => {
    const { invoiceId, tenderId } = await paidByCheck(fixture(), 60);
    const key = { 'Idempotency-Key': randomUUID() };
    const [first] = await Promise.all([
      returnCheck(fixture(), tenderId, {}, key),
      ...[1, 2, 3].map(() => payInvoice(fixture(), invoiceId, { paymentMethod: 'check', reference: '9', amount: 10 })),
    ]);
    expect(first?.status).toBe(200);
    expect((await returnCheck(fixture(), tenderId, {}, key)).text).toBe(first?.text);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ amountPaid: 30, amountDue: 70, status: 'partially_paid' });
  });

  test('opens the invoice of a fully refunded check without another movement of money', async () => {
    const { invoiceId, tenderId } = await paidByCheck(fixture());
    await expectData(refundTender(fixture(), tenderId), 201);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'paid' });
    await expectData(returnCheck(fixture(), tenderId));
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ status: 'sent', amountDue: 100 });
    expect((await getTender(fixture(), tenderId)).refunds).toHaveLength(1);
  });
});

describeOnBothDatabases('returned checks', (fixture) => {
  test('returns a check once of ten parallel requests, and opens its invoice once', async () => {
    const { invoiceId, tenderId } = await paidByCheck(fixture());
    const answers = await Promise.all(TEN.map(() => returnCheck(fixture(), tenderId)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect(await getInvoice(fixture(), invoiceId)).toMatchObject({ amountPaid: 0, amountDue: 100 });
    expect((await getTender(fixture(), tenderId)).refunds).toHaveLength(1);
  });
});
