import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { storeCard } from '../../support/customers.ts';
import { cardPaymentBody, getInvoice, type InvoiceRecord, payInvoice } from '../../support/invoices.ts';
import { CARDS } from '../../support/sales.ts';
import { ANY_DATABASE, DATABASES, describeOnSmallData, expectData, expectError } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { findEvent } from '../../support/webhooks.ts';
import { statementOf } from '../customers/statement-history.ts';
import {
  addDays,
  createMerchant,
  feesOf,
  moveTo,
  type Preview,
  passDay,
  reverse,
  SETTINGS,
  sendInvoice,
  setFees,
} from './late-fee-client.ts';

describeOnSmallData('late fees of unpaid invoices', DATABASES, (fixture, inFull) => {
  test('are off by default, and switching them on shows which invoices would be charged', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service, {});
    const { invoiceId, number, dueDate } = await sendInvoice(service, merchantId);
    await passDay(service, addDays(dueDate, 3));
    expect(await feesOf(service, invoiceId)).toMatchObject({ state: 'off', next: null, charged: [] });
    const path = `/merchants/${merchantId}/late-fee-settings`;
    const preview = await expectData(api.admin.post<Preview>(`${path}/dry-run`, SETTINGS));
    expect(preview.life.map(({ day, amount }) => [day, amount])).toEqual([
      [addDays(preview.dueDate, 2), 20],
      [addDays(preview.dueDate, 9), 20],
      [addDays(preview.dueDate, 16), 10],
    ]);
    // The first period passed before fees were switched on.
    expect(preview.first).toMatchObject([{ number, next: { day: addDays(dueDate, 9), amount: 2 } }]);
    await expectError(api.admin.put(path, { enabled: true, percent: 0 }), 400, 'VALIDATION_ERROR', 'percent');
    await setFees(service, merchantId, SETTINGS);
    await passDay(service, addDays(dueDate, 4));
    expect((await feesOf(service, invoiceId)).charged).toEqual([]);
    await passDay(service, addDays(dueDate, 9));
    expect((await feesOf(service, invoiceId)).charged).toMatchObject([{ period: 2, amount: 2 }]);
  });

  test('are charged once per period up to the ceiling, as lines of the invoice, however often the run is repeated', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, customerId, dueDate } = await sendInvoice(service, merchantId);
    await passDay(service, addDays(dueDate, 1));
    expect(await feesOf(service, invoiceId)).toMatchObject({
      state: 'scheduled',
      next: { day: addDays(dueDate, 2), amount: 2 },
      charged: [],
    });
    const again = `${addDays(dueDate, 2)}T20:00:00Z`;
    await Promise.all(Array.from({ length: 10 }, () => api.admin.post('/sandbox/clock', { now: again })));
    for (const days of [3, 9, 10, 16, 23, 40]) await passDay(service, addDays(dueDate, days));
    const { charged, state } = await feesOf(service, invoiceId);
    expect(charged.map(({ period, day, amount }) => [period, day, amount])).toEqual([
      [1, addDays(dueDate, 2), 2],
      [2, addDays(dueDate, 9), 2],
      [3, addDays(dueDate, 16), 1],
    ]);
    expect(state).toBe('done');
    const invoice = await getInvoice(service, invoiceId);
    expect(invoice).toMatchObject({ amount: 105, amountDue: 105, taxAmount: 0, status: 'overdue' });
    expect(invoice.items.map(({ amount }) => amount)).toEqual([100, 2, 2, 1]);
    expect(invoice.items[1]?.description).toMatch(/^Late fee, /);
    const event = await findEvent(service, 'invoice.late_fee_charged', ({ data }) => data.invoiceId === invoiceId && data.period === 3);
    expect(event.data).toMatchObject({ feeAmount: 1, amountDue: 105, reason: null });
    const statement = await statementOf(service, customerId, { startDate: '2020-01-01' });
    expect(statement.entries.map(({ kind, charge, balance }) => [kind, charge, balance])).toEqual([
      ['invoice', 100, 100],
      ['late_fee', 2, 102],
      ['late_fee', 2, 104],
      ['late_fee', 1, 105],
    ]);
  });

  test('are paid last, into an account of their own, and leave it with a voided payment', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, dueDate } = await sendInvoice(service, merchantId);
    await passDay(service, addDays(dueDate, 2));
    const accounts = async () => {
      const { merchants } = await expectData(
        api.admin.get<{ merchants: { merchantId: string; accounts: Record<string, number> }[] }>('/settlement/ledger'),
      );
      return merchants.find((each) => each.merchantId === merchantId)?.accounts;
    };
    await expectData(payInvoice(service, invoiceId, { amount: 100 }));
    expect(await accounts()).toMatchObject({ lateFees: 0, cash: 100 });
    await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount: 2 })));
    expect((await getInvoice(service, invoiceId)).status).toBe('paid');
    expect(await accounts()).toMatchObject({ lateFees: -2, sales: 2, processor: 2 });
    const { payments } = await getInvoice(service, invoiceId);
    await expectData(api.admin.post(`/transactions/${payments.at(-1)?.transactionId}/void`, {}));
    expect(await accounts()).toMatchObject({ lateFees: 0, sales: 0, processor: 0 });
  });

  test('are reversed with a reason, once per key, until they are paid', inFull, async () => {
    const service = fixture();
    const merchantId = await createMerchant(service);
    const { invoiceId, customerId, dueDate } = await sendInvoice(service, merchantId);
    await passDay(service, addDays(dueDate, 2));
    const feeId = (await feesOf(service, invoiceId)).charged[0]?.lateFeeId;
    await expectError(service.api.admin.post(`/invoices/${invoiceId}/late-fees/${feeId}/reverse`, {}), 400, 'REQUIRED_FIELD_MISSING');
    const key = { 'Idempotency-Key': randomUUID() };
    const answers = await Promise.all(Array.from({ length: 10 }, () => reverse(service, invoiceId, feeId)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    await expectError(reverse(service, invoiceId, feeId, key), 409, 'RESOURCE_CONFLICT');
    expect(await getInvoice(service, invoiceId)).toMatchObject({ amount: 100, amountDue: 100, items: [{ amount: 100 }] });
    expect((await feesOf(service, invoiceId)).charged).toMatchObject([{ amount: 2, reversed: { reason: 'Agreed with Ann' } }]);
    const statement = await statementOf(service, customerId, { startDate: '2020-01-01' });
    expect(statement.entries.map(({ kind, balance }) => [kind, balance])).toEqual([
      ['invoice', 100],
      ['late_fee', 102],
      ['late_fee_reversed', 100],
    ]);
    await passDay(service, addDays(dueDate, 3));
    expect((await feesOf(service, invoiceId)).charged).toHaveLength(1);
    await passDay(service, addDays(dueDate, 9));
    const second = (await feesOf(service, invoiceId)).charged[1]?.lateFeeId;
    await expectData(payInvoice(service, invoiceId));
    const { details } = await expectError(reverse(service, invoiceId, second), 409, 'RESOURCE_CONFLICT');
    expect(details).toMatchObject({ reason: 'paid' });
    await findEvent(service, 'invoice.late_fee_reversed', ({ data }) => data.invoiceId === invoiceId);
  });

  test('skip an invoice whose disputed payment remains after another payment is taken back, and so do reminders', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const reminders = { enabled: true, steps: [{ days: 1, channel: 'email', texts: {} }], weekdays: [0, 1, 2, 3, 4, 5, 6] };
    await expectData(api.admin.put(`/merchants/${merchantId}/reminder-settings`, reminders));
    const [invoice, control] = [await sendInvoice(service, merchantId), await sendInvoice(service, merchantId)];
    const pay = async (amount: number) => {
      const { payments } = await expectData(payInvoice(service, invoice.invoiceId, cardPaymentBody(CARDS.visa, { amount })));
      return payments.at(-1)?.transactionId;
    };
    const [kept, takenBack] = [await pay(30), await pay(70)];
    await expectData(api.admin.post('/disputes', { transactionId: kept, dueDate: addDays(invoice.dueDate, 20) }), 201);
    await expectData(api.admin.post(`/transactions/${takenBack}/void`, {}));
    const open = await expectData(api.admin.get<InvoiceRecord>(`/invoices/${invoice.invoiceId}`));
    expect(open).toMatchObject({ status: 'partially_paid', amountDue: 70, remindersStopped: { reason: 'dispute' } });
    await passDay(service, addDays(invoice.dueDate, 2));
    const sentFor = async (id: string) => (await expectData(api.admin.get<{ sent: unknown[] }>(`/invoices/${id}/reminders`))).sent.length;
    expect(await feesOf(service, invoice.invoiceId)).toMatchObject({ state: 'disputed', charged: [] });
    expect((await feesOf(service, control.invoiceId)).charged).toHaveLength(1);
    expect([await sentFor(invoice.invoiceId), await sentFor(control.invoiceId)]).toEqual([0, 1]);
  });

  test('are charged, and reminders sent, on an invoice whose disputes were won before a payment is taken back', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const reminders = { enabled: true, steps: [{ days: 1, channel: 'email', texts: {} }], weekdays: [0, 1, 2, 3, 4, 5, 6] };
    await expectData(api.admin.put(`/merchants/${merchantId}/reminder-settings`, reminders));
    const stop = (invoiceId: string, reason: string) => expectData(api.admin.post(`/invoices/${invoiceId}/reminders/stop`, { reason }));
    /** Pays an invoice by two cards, disputes the first payment, ends the dispute and takes the second payment back. */
    const disputed = async (
      between: (invoiceId: string) => Promise<unknown>,
      end: (disputeId: string, second: string) => Promise<unknown>,
    ) => {
      const { invoiceId, dueDate } = await sendInvoice(service, merchantId);
      const pay = async (amount: number) => {
        const { payments } = await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount })));
        return payments.at(-1)?.transactionId ?? '';
      };
      const first = await pay(30);
      await between(invoiceId);
      const second = await pay(70);
      const dispute = { transactionId: first, dueDate: addDays(dueDate, 20) };
      const { disputeId } = await expectData(api.admin.post<{ disputeId: string }>('/disputes', dispute), 201);
      await end(disputeId, second);
      await expectData(api.admin.post(`/transactions/${second}/void`, {}));
      return { invoiceId, dueDate };
    };
    const resume = (invoiceId: string) => expectData(api.admin.post(`/invoices/${invoiceId}/reminders/resume`, {}));
    const conclude = (disputeId: string, outcome: string) => expectData(api.admin.post(`/disputes/${disputeId}/conclude`, { outcome }));
    const win = (disputeId: string) => conclude(disputeId, 'won');
    const won = await disputed(resume, win);
    const rows = {
      won,
      part: await disputed(async () => {}, win),
      manual: await disputed((invoiceId) => stop(invoiceId, 'manual'), win),
      byPerson: await disputed((invoiceId) => stop(invoiceId, 'dispute'), win),
      lost: await disputed(resume, (disputeId) => conclude(disputeId, 'lost')),
      escalated: await disputed(resume, async (disputeId) => {
        await win(disputeId);
        await conclude(disputeId, 'prearbitration');
      }),
    };
    await passDay(service, addDays(won.dueDate, 2));
    const found = Object.entries(rows).map(async ([name, { invoiceId }]) => {
      const { sent } = await expectData(api.admin.get<{ sent: unknown[] }>(`/invoices/${invoiceId}/reminders`));
      const { charged } = await feesOf(service, invoiceId);
      const invoice = await expectData(api.admin.get<{ remindersStopped: { reason: string } | null }>(`/invoices/${invoiceId}`));
      return [name, invoice.remindersStopped?.reason ?? null, sent.length, charged.length];
    });
    expect(await Promise.all(found)).toEqual([
      ['won', null, 1, 1],
      ['part', 'payment', 0, 1],
      ['manual', 'manual', 0, 1],
      ['byPerson', 'dispute', 0, 0],
      ['lost', 'dispute', 0, 0],
      ['escalated', 'dispute', 0, 0],
    ]);
  });

  test('skip disputed, promised and exempt invoices and customers, and the paid one', inFull, async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const names = ['disputed', 'promised', 'exempt', 'customer', 'paid', 'part', 'charged'] as const;
    const made = await Promise.all(names.map(async (name) => [name, await sendInvoice(service, merchantId)] as const));
    const found = Object.fromEntries(made) as Record<(typeof names)[number], Awaited<ReturnType<typeof sendInvoice>>>;
    const { dueDate } = found.charged;
    await expectData(api.admin.post(`/invoices/${found.disputed.invoiceId}/reminders/stop`, { reason: 'dispute' }));
    await expectData(api.admin.put(`/invoices/${found.promised.invoiceId}/promise`, { date: addDays(dueDate, 4), by: 'Ann' }));
    await expectData(api.admin.put(`/invoices/${found.exempt.invoiceId}/late-fees`, { enabled: false }));
    await expectData(api.admin.put(`/customers/${found.customer.customerId}/late-fees`, { enabled: false }));
    await expectData(payInvoice(service, found.paid.invoiceId));
    await expectData(payInvoice(service, found.part.invoiceId, { amount: 50 }));
    const { firstCount } = await expectData(api.admin.post<Preview>(`/merchants/${merchantId}/late-fee-settings/dry-run`, {}));
    expect(firstCount).toBe(3);
    const fees = async () =>
      Object.fromEntries(
        await Promise.all(
          names.map(async (name) => {
            const { state, charged } = await feesOf(service, found[name].invoiceId);
            return [name, [state, ...charged.map(({ amount }) => amount)]] as const;
          }),
        ),
      );
    await passDay(service, addDays(dueDate, 2));
    expect(await fees()).toEqual({
      disputed: ['disputed'],
      promised: ['promised'],
      exempt: ['exempt'],
      customer: ['customer_exempt'],
      paid: ['done'],
      part: ['scheduled', 1],
      charged: ['scheduled', 2],
    });
    await expectData(api.admin.put(`/customers/${found.customer.customerId}/late-fees`, { enabled: true }));
    await passDay(service, addDays(dueDate, 9));
    expect(await fees()).toMatchObject({
      disputed: ['disputed'],
      promised: ['scheduled', 2],
      customer: ['scheduled', 2],
      charged: ['scheduled', 2, 2],
    });
  });
});

describeOnSmallData('late fees', ANY_DATABASE, (fixture) => {
  test('have no decimals in a currency without them, and follow a time zone that is changed in between', async () => {
    const service = fixture();
    const { api } = service;
    const fixed = { ...SETTINGS, kind: 'fixed', amount: 300, ceilingPercent: 50 };
    const merchantId = await createMerchant(service, {}, { currency: 'JPY', timezone: 'Asia/Tokyo' });
    await expectError(api.admin.put(`/merchants/${merchantId}/late-fee-settings`, { ...fixed, amount: 300.5 }), 400, 'INVALID_AMOUNT');
    await setFees(service, merchantId, fixed);
    const { invoiceId, dueDate } = await sendInvoice(service, merchantId, { amount: 1_990 });
    // It is the day of the fee in Tokyo at once, and in Los Angeles at 14:00 UTC.
    await expectData(api.admin.put(`/merchants/${merchantId}`, { timezone: 'America/Los_Angeles' }));
    await moveTo(service, `${addDays(dueDate, 2)}T12:00:00Z`);
    expect((await feesOf(service, invoiceId)).charged).toEqual([]);
    await moveTo(service, `${addDays(dueDate, 2)}T15:00:00Z`);
    expect((await feesOf(service, invoiceId)).charged).toMatchObject([{ amount: 300, day: addDays(dueDate, 2) }]);
    expect((await getInvoice(service, invoiceId)).amountDue).toBe(2_290);
  });

  test('have no tax: the payments of the invoice carry its whole tax before a fee is paid', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, dueDate } = await sendInvoice(service, merchantId, { taxAmount: 10 });
    await passDay(service, addDays(dueDate, 2));
    for (const amount of [60, 41, 1]) await expectData(payInvoice(service, invoiceId, cardPaymentBody(CARDS.visa, { amount })));
    const { payments, status } = await getInvoice(service, invoiceId);
    expect(status).toBe('paid');
    const taxes = payments.map(async ({ transactionId, amount }) => {
      const { taxAmount } = await expectData(api.admin.get<{ taxAmount: number }>(`/transactions/${transactionId}`));
      return [amount, taxAmount];
    });
    expect(await Promise.all(taxes)).toEqual([
      [60, 6],
      [41, 4],
      [1, 0],
    ]);
  });

  test('are not charged for an invoice that is paid in installments after a payment of a part, or whose customer was deleted then', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const [planned, deleted, manual] = [
      await sendInvoice(service, merchantId),
      await sendInvoice(service, merchantId),
      await sendInvoice(service, merchantId),
    ];
    for (const { invoiceId } of [planned, deleted]) await expectData(payInvoice(service, invoiceId, { amount: 10 }));
    await expectData(api.admin.post(`/invoices/${manual.invoiceId}/reminders/stop`, { reason: 'manual' }));
    await storeCard(service, planned.customerId, CARDS.visa, { consentText: 'Charge the installments.' });
    const plan = { invoiceId: planned.invoiceId, count: 2, interval: 'weekly', firstDate: planned.dueDate };
    await expectData(api.admin.post('/installment-plans', plan), 201);
    await expectData(api.admin.delete(`/customers/${deleted.customerId}`));
    const states = [planned, deleted, manual].map(async ({ invoiceId }) => (await feesOf(service, invoiceId)).state);
    expect(await Promise.all(states)).toEqual(['disputed', 'disputed', 'scheduled']);
    await passDay(service, addDays(planned.dueDate, 12));
    const charged = [planned, deleted, manual].map(async ({ invoiceId }) => (await feesOf(service, invoiceId)).charged.length);
    expect(await Promise.all(charged)).toEqual([0, 0, 2]);
  });

  test('are charged to the other invoices of a run while reminders of an invoice in installments are stopped and continued', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const planned = await sendInvoice(service, merchantId);
    await storeCard(service, planned.customerId, CARDS.visa, { consentText: 'Charge the installments.' });
    const plan = { invoiceId: planned.invoiceId, count: 2, interval: 'weekly', firstDate: planned.dueDate };
    const { installmentPlanId } = await expectData(api.admin.post<{ installmentPlanId: string }>('/installment-plans', plan), 201);
    await expectData(api.admin.post(`/installment-plans/${installmentPlanId}/pause`, {}));
    await passDay(service, addDays(planned.dueDate, 7));
    const other = await sendInvoice(service, merchantId);
    const reminders = `/invoices/${planned.invoiceId}/reminders`;
    const stopped = await expectData(api.admin.post(`${reminders}/stop`, { reason: 'manual' }));
    expect(stopped).toMatchObject({ remindersStopped: { reason: 'installments' } });
    const refused = await expectError(api.admin.post(`${reminders}/resume`, {}), 409, 'RESOURCE_CONFLICT');
    expect(refused.details).toMatchObject({ reason: 'installment_plan' });
    expect((await feesOf(service, planned.invoiceId)).state).toBe('disputed');
    await passDay(service, addDays(other.dueDate, 2));
    expect((await feesOf(service, planned.invoiceId)).charged).toEqual([]);
    expect((await feesOf(service, other.invoiceId)).charged).toHaveLength(1);
  });

  test('leave a paid invoice when the last fee is reversed, and stay on a canceled one', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const [paid, canceled] = [await sendInvoice(service, merchantId), await sendInvoice(service, merchantId)];
    await passDay(service, addDays(paid.dueDate, 2));
    await expectData(payInvoice(service, paid.invoiceId, { amount: 100 }));
    expect(await getInvoice(service, paid.invoiceId)).toMatchObject({ status: 'overdue', amountDue: 2 });
    await expectData(reverse(service, paid.invoiceId, (await feesOf(service, paid.invoiceId)).charged[0]?.lateFeeId));
    expect(await getInvoice(service, paid.invoiceId)).toMatchObject({ status: 'paid', amountDue: 0 });
    const event = await findEvent(service, 'invoice.paid', ({ data }) => data.invoiceId === paid.invoiceId);
    expect(event.data).toMatchObject({ amountDue: 0 });
    await expectData(api.admin.post(`/invoices/${canceled.invoiceId}/cancel`, {}));
    const fee = (await feesOf(service, canceled.invoiceId)).charged[0]?.lateFeeId;
    await expectError(reverse(service, canceled.invoiceId, fee), 422, 'INVOICE_CANCELLED');
    const statement = await statementOf(service, canceled.customerId, { startDate: '2020-01-01' });
    expect(statement.entries.map(({ kind, balance }) => [kind, balance])).toEqual([
      ['invoice', 100],
      ['late_fee', 102],
      ['cancellation', 0],
    ]);
  });

  test('are reversed and exempted by no cashier, and by nobody of another merchant', async () => {
    const service = fixture();
    const { api } = service;
    const merchantId = await createMerchant(service);
    const { invoiceId, customerId, dueDate } = await sendInvoice(service, merchantId);
    await passDay(service, addDays(dueDate, 2));
    const feeId = (await feesOf(service, invoiceId)).charged[0]?.lateFeeId;
    const attempts = (headers: Record<string, string>) => [
      api.bare.post(`/api/v1/invoices/${invoiceId}/late-fees/${feeId}/reverse`, { reason: 'A friend' }, headers),
      api.bare.put(`/api/v1/invoices/${invoiceId}/late-fees`, { enabled: false }, headers),
      api.bare.put(`/api/v1/customers/${customerId}/late-fees`, { enabled: false }, headers),
      api.bare.put(`/api/v1/merchants/${merchantId}/late-fee-settings`, { enabled: false }, headers),
    ];
    const cashier = await createUser(service, 'cashier', {}, merchantId);
    const stranger = await createUser(service, 'manager', {}, await createMerchant(service));
    for (const { headers } of [cashier, stranger])
      for (const answer of await Promise.all(attempts(headers))) expect(answer.status).toBe(403);
    expect((await feesOf(service, invoiceId)).charged).toMatchObject([{ reversed: null }]);
  });
});
