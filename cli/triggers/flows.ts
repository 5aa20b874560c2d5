import type { EventType } from '#shared/webhook-events';
import {
  approval,
  createPlan,
  later,
  planPastDue,
  queuedWithoutCharge,
  withLateFee,
  withOutage,
  withReminder,
} from './flows-with-rules.ts';
import { GIFT_CARD_FLOWS } from './gift-card-flows.ts';
import { SECURITY_FLOWS } from './security-flows.ts';
import { APPROVED, DECLINED, type Flow, REFUND_DECLINED, REFUND_DECLINED_ONCE, RENEWED, type TriggerRun } from './trigger-run.ts';

const FILE_FORMAT = { format: 'paydesk-customers', version: 1 };

/** Imports a file with one customer. */
async function importCustomer(run: TriggerRun): Promise<void> {
  const customer = run.main({ customerId: crypto.randomUUID(), firstName: 'Robin', lastName: 'Example', paymentMethods: [] });
  const form = new FormData();
  form.set('merchantId', await run.merchantId());
  form.set('file', new Blob([`${JSON.stringify(FILE_FORMAT)}\n${JSON.stringify(customer)}\n`]), 'customers.jsonl');
  const send = await run.connection.fileRequest();
  const response = await send('/customers/imports', { method: 'POST', body: form });
  const { data } = (await response.json()) as { data: { importId: string } };
  await run.office.post('/customers/imports/{id}/run', {}, { params: { id: data.importId } });
}

/** Exports the customers for a recipient whose private key is thrown away, so that nobody can open the file. */
async function exportCustomers(run: TriggerRun): Promise<void> {
  const { generateKey } = await import('openpgp');
  const { publicKey } = await generateKey({ type: 'ecc', userIDs: [{ name: 'Made by paydesk trigger' }], format: 'armored' });
  const body = run.main({ publicKey, layout: 'paydesk', merchantId: await run.merchantId(), ...run.confirmation() });
  const { exportId } = await run.office.post<{ exportId: string }>('/customers/exports', body);
  const send = await run.connection.fileRequest();
  const file = await send(`/customers/exports/${exportId}/file`, { method: 'POST' });
  await file.arrayBuffer();
}

const DAY_SECONDS = 86_400;
const FIRST_RETRY_SECONDS = 360;
/** Longer than all retries of a declined refund. */
const ALL_RETRIES_SECONDS = 3_600;

const refundOf =
  (card: string, afterSeconds = 0): Flow =>
  async (run) => {
    await run.refund(await run.sell(card));
    if (afterSeconds > 0) await run.moveClock(afterSeconds);
  };

const chargeback =
  (outcome?: 'won' | 'lost'): Flow =>
  async (run) => {
    const { transactionId } = await run.sell();
    await run.office.post('/sandbox/chargebacks', { transactionId, reason: 'fraudulent', ...(outcome && { outcome }) });
  };

async function subscribe(run: TriggerRun, card = APPROVED, more: object = {}): Promise<string> {
  const customerId = await run.createCustomer(card);
  const startDate = await run.dayAfter(1);
  const body = run.main({ customerId, amount: 9.99, frequency: 'monthly', startDate, ...more });
  const { subscriptionId } = await run.office.post<{ subscriptionId: string }>('/recurring', body);
  return subscriptionId;
}

const firstPayment =
  (card: string): Flow =>
  async (run) => {
    await subscribe(run, card);
    await run.moveClock(2 * DAY_SECONDS);
  };

async function invoice(run: TriggerRun, more: object = {}): Promise<string> {
  const customerId = await run.createCustomer();
  const { invoiceId } = await run.office.post<{ invoiceId: string }>(
    '/invoices',
    run.main({ customerId, amount: 100, allowPartial: true, ...more }),
  );
  return invoiceId;
}

async function sentInvoice(run: TriggerRun, dueInDays: number): Promise<string> {
  const id = await invoice(run, { dueDate: await run.dayAfter(dueInDays) });
  await run.office.post('/invoices/{id}/send', { sendVia: ['email'] }, { params: { id } });
  return id;
}

/** Sends an invoice and waits until it is charged a late fee. */
async function lateFee(run: TriggerRun): Promise<string> {
  let id = '';
  await withLateFee(run, async () => {
    id = await sentInvoice(run, 1);
    await run.moveClock(5 * DAY_SECONDS);
  });
  return id;
}

const payment =
  (share: number): Flow =>
  async (run) => {
    const id = await invoice(run);
    const { amount } = await run.office.get<{ amount: number }>('/invoices/{id}', { params: { id } });
    const paid = Math.round(amount * share * 100) / 100;
    await run.office.post('/invoices/{id}/payment', { paymentMethod: 'cash', amount: paid }, { params: { id } });
  };

async function tender(run: TriggerRun): Promise<string> {
  const body = run.main({ kind: 'check', amount: 20, checkNumber: '1042' });
  return (await run.office.post<{ tenderId: string }>('/tenders', body)).tenderId;
}

async function order(run: TriggerRun): Promise<string> {
  const body = run.main({ amount: 50, name: 'Table 4' });
  return (await run.office.post<{ orderId: string }>('/orders', body)).orderId;
}

const changedOrder =
  (...operations: readonly ('park' | 'resume' | 'cancel')[]): Flow =>
  async (run) => {
    const id = await order(run);
    for (const operation of operations)
      await run.office.post(`/orders/{id}/${operation}`, operation === 'resume' ? undefined : {}, { params: { id } });
  };

/** Pays an order with a check. */
async function paidOrder(run: TriggerRun): Promise<string> {
  const id = await order(run);
  const { amount } = await run.office.get<{ amount: number }>('/orders/{id}', { params: { id } });
  const body = { kind: 'check', amount, checkNumber: '1042', orderId: id };
  return (await run.office.post<{ tenderId: string }>('/tenders', body)).tenderId;
}

async function openShift(run: TriggerRun): Promise<string> {
  const body = run.main({ drawer: `Trigger ${crypto.randomUUID().slice(0, 8)}`, amount: 200 });
  return (await run.office.post<{ shiftId: string }>('/shifts/open', body)).shiftId;
}

/** Pairs a simulated card reader. Its name tells it from others. */
async function pairReader(run: TriggerRun): Promise<string> {
  const body = run.main({ code: 'SIM123', name: `Trigger ${crypto.randomUUID().slice(0, 8)}` });
  return (await run.office.post<{ terminalId: string }>('/terminals', body)).terminalId;
}

/** The flow of each event type. */
export const FLOWS: Record<EventType, Flow> = {
  'transaction.approved': async (run) => void (await run.sell()),
  'transaction.declined': async (run) => void (await run.sell(DECLINED)),
  'transaction.voided': async (run) => {
    const { transactionId } = await run.sell();
    await run.office.post('/transactions/{id}/void', { reason: 'requested by customer' }, { params: { id: transactionId } });
  },
  'transaction.settled': async (run) => {
    await run.sell();
    await run.office.post('/settlement/settle', {});
  },
  'refund.processed': refundOf(APPROVED),
  'refund.declined': refundOf(REFUND_DECLINED),
  'refund_decline_queue.created': refundOf(REFUND_DECLINED),
  'refund_decline_queue.resolved': refundOf(REFUND_DECLINED_ONCE, FIRST_RETRY_SECONDS),
  'refund_decline_queue.failed': refundOf(REFUND_DECLINED, ALL_RETRIES_SECONDS),
  'refund_decline_queue.cancelled': async (run) => {
    const sale = await run.sell(REFUND_DECLINED);
    await run.refund(sale);
    const { transactionId } = sale;
    await run.office.post('/sandbox/chargebacks', { transactionId, amount: sale.amount, reason: 'fraudulent' });
  },
  'chargeback.received': chargeback(),
  'chargeback.won': chargeback('won'),
  'chargeback.lost': chargeback('lost'),
  'subscription.created': async (run) => void (await subscribe(run)),
  'subscription.payment_succeeded': firstPayment(APPROVED),
  'subscription.payment_failed': firstPayment(DECLINED),
  'subscription.payment_abandoned': async (run) => {
    await subscribe(run, DECLINED, { frequency: 'weekly' });
    await run.moveClock(8 * DAY_SECONDS);
  },
  'subscription.cancelled': async (run) => {
    const id = await subscribe(run);
    await run.office.post('/recurring/{id}/cancel', { reason: 'requested by customer' }, { params: { id } });
  },
  'subscription.expired': async (run) => {
    await subscribe(run, APPROVED, { endDate: await run.dayAfter(2) });
    await run.moveClock(35 * DAY_SECONDS);
  },
  'invoice.paid': payment(1),
  'invoice.partially_paid': payment(0.4),
  'invoice.overdue': async (run) => {
    await sentInvoice(run, 1);
    await run.moveClock(4 * DAY_SECONDS);
  },
  'invoice.promised': async (run) => {
    const id = await sentInvoice(run, 1);
    await run.office.put('/invoices/{id}/promise', { date: await run.dayAfter(3), by: 'Ines Brandt' }, { params: { id } });
  },
  'invoice.late_fee_charged': async (run) => void (await lateFee(run)),
  'invoice.late_fee_reversed': async (run) => {
    const id = await lateFee(run);
    const { charged } = await run.office.get<{ charged: { lateFeeId: string }[] }>('/invoices/{id}/late-fees', { params: { id } });
    const lateFeeId = charged[0]?.lateFeeId ?? '';
    await run.office.post(
      '/invoices/{id}/late-fees/{lateFeeId}/reverse',
      { reason: 'Agreed with the customer' },
      { params: { id, lateFeeId } },
    );
  },
  'invoice.reminder_sent': (run) =>
    withReminder(run, async () => {
      await sentInvoice(run, 1);
      await run.moveClock(5 * DAY_SECONDS);
    }),
  'dispute.evidence_due': async (run) => {
    const { transactionId } = await run.sell();
    await run.office.post('/disputes', { transactionId, dueDate: await run.dayAfter(8) });
    await run.moveClock(2 * DAY_SECONDS);
  },
  'payment_method.updated': async (run) => {
    const id = await run.createCustomer();
    await run.office.post('/customers/{id}/payment-methods', { card: run.main(RENEWED) }, { params: { id } });
  },
  'installment_plan.created': async (run) => void (await createPlan(run)),
  'installment_plan.completed': async (run) => {
    await createPlan(run, APPROVED, { count: 2 });
    await run.moveClock(8 * DAY_SECONDS);
  },
  'installment_plan.past_due': planPastDue,
  'installment_plan.canceled': async (run) => {
    const id = await createPlan(run);
    await run.office.post('/installment-plans/{id}/cancel', { reason: 'requested by customer' }, { params: { id } });
  },
  'installment.paid': async (run) => void (await createPlan(run)),
  'installment.failed': async (run) => void (await createPlan(run, DECLINED)),
  'order.created': changedOrder(),
  'order.parked': changedOrder('park'),
  'order.resumed': changedOrder('park', 'resume'),
  'order.canceled': changedOrder('cancel'),
  'order.paid': async (run) => void (await paidOrder(run)),
  'order.reopened': async (run) => {
    const id = await paidOrder(run);
    await run.office.post('/tenders/{id}/return', { reason: 'insufficient funds' }, { params: { id } });
  },
  ...GIFT_CARD_FLOWS,
  'tender.created': async (run) => void (await tender(run)),
  'tender.refunded': async (run) => {
    const id = await tender(run);
    await run.office.post('/tenders/{id}/refund', { reason: 'Returned goods' }, { params: { id } });
  },
  'tender.returned': async (run) => {
    const id = await tender(run);
    await run.office.post('/tenders/{id}/return', { reason: 'insufficient funds' }, { params: { id } });
  },
  'shift.opened': async (run) => void (await openShift(run)),
  'shift.closed': async (run) => {
    const id = await openShift(run);
    await run.office.post('/shifts/{id}/close', { amount: 200 }, { params: { id } });
  },
  'terminal.paired': async (run) => void (await pairReader(run)),
  'terminal.removed': async (run) => void (await run.office.delete('/terminals/{id}', { params: { id: await pairReader(run) } })),
  'terminal.connection_changed': async (run) => {
    const id = await pairReader(run);
    await run.office.post('/sandbox/terminals/{id}/present', { action: 'unplug' }, { params: { id } });
  },
  'terminal.payment_updated': async (run) => {
    const id = await pairReader(run);
    await run.office.post('/transactions', { amount: 20, paymentMethod: 'terminal', terminalId: id });
    await run.office.post('/sandbox/terminals/{id}/present', { action: 'chip' }, { params: { id } });
  },
  'terminal.card_save_updated': async (run) => {
    const id = await pairReader(run);
    const customerId = await run.createCustomer(APPROVED);
    const body = { terminalId: id, consentText: 'I authorize the shop to store this card.' };
    await run.office.post('/customers/{id}/card-saves', body, { params: { id: customerId } });
    await run.office.post('/sandbox/terminals/{id}/present', { action: 'chip' }, { params: { id } });
  },
  'customer_import.finished': importCustomer,
  'customer_export.downloaded': exportCustomers,
  'approval.requested': approval(),
  'approval.approved': approval('approved'),
  'approval.rejected': approval('rejected'),
  'approval.expired': approval('expired'),
  'queued_payment.created': later(APPROVED),
  'queued_payment.paid': later(APPROVED),
  'queued_payment.declined': later(DECLINED),
  'queued_payment.expired': queuedWithoutCharge('expire'),
  'queued_payment.cancelled': queuedWithoutCharge('cancel'),
  'queued_payment.replaced': queuedWithoutCharge('link'),
  'system.connectivity_changed': (run) => withOutage(run, async () => {}),
  ...SECURITY_FLOWS,
};
