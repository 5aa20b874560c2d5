import type { AuditActor } from '#core/audit';
import { lit, queriesOn, type Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import { isoTime, later, realNow, serviceActor, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Transaction } from '#core/payments';
import { ANSWERED, onceNameOf } from '#core/platform/idempotency';
import { type Job, released } from '#core/platform/scheduling';
import { paidBy, withoutPayment } from './balance.ts';
import { keep } from './change.ts';
import { type Needs, type PaidInvoice, SETTLE_JOB } from './needs.ts';
import { shown } from './read.ts';
import { lockInvoice, ofTransaction, standingOf } from './repository.ts';
import { INVOICE_PAYMENTS, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';
import { note, paymentFields, tell } from './tell.ts';

const AT_ONCE = 8;
const LEASE_MS = 20_000;
/** Whoever ends the doubt about a payment says so; this only finds what was missed. */
const LOOK_AGAIN_MS = 60_000;

/** Records what became of a payment under way, once: the invoice, its event, its entry and the kept answer are one unit of work. Null where it is gone. */
export async function settle(on: Needs, by: AuditActor, paymentId: string, transaction: Transaction): Promise<PaidInvoice | null> {
  const { tenantId, merchantId } = transaction;
  const known = await on.database.read(tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  if (!known) return null;
  const merchant = await on.merchants.merchantFor({ tenantId, merchantId: null }, merchantId);
  return on.database.unitOfWork.run(tenantId, async (work): Promise<PaidInvoice | null> => {
    const row = await lockInvoice(work, known.invoice_id);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (payment?.status !== 'pending') return { invoice: await shown(on, work, row, merchant), transaction };
    // It may have been voided since.
    const standing = await standingOf(work, transaction.transactionId);
    if (standing === null || standing.status === 'pending') return null;
    return record(on, work, by, { row, payment, merchant, transaction }, standing);
  });
}

interface UnderWay {
  readonly row: InvoiceRow;
  readonly payment: InvoicePaymentRow;
  readonly merchant: Merchant;
  readonly transaction: Transaction | null;
}

type Standing = Pick<InvoicePaymentRow, 'decline_code' | 'decline_reason'> & { readonly status: string };

const STATUS: Readonly<Record<string, InvoicePaymentRow['status']>> = { approved: 'succeeded', voided: 'voided' };

/** Writes the outcome of a payment under way; the invoice and the payment are locked. */
async function record(on: Needs, work: Work, by: AuditActor, of: UnderWay, standing: Standing): Promise<PaidInvoice> {
  const { row, payment, merchant, transaction } = of;
  const now = timeAfter(on.clockOf(row.tenant_id).now(), row.updated_at);
  const at = isoTime(now);
  const status = STATUS[standing.status] ?? 'failed';
  const { decline_code, decline_reason } = standing;
  const isPaid = status === 'succeeded';
  const wantsReceipt = isPaid && payment.receipt_email !== null;
  const nextLook = released(wantsReceipt ? realNow() : null);
  const set = { status, decline_code, decline_reason, concluded_at: at, ...ANSWERED, ...nextLook };
  await work.update(INVOICE_PAYMENTS, { id: payment.id }, set);
  const pending_minor = row.pending_minor - payment.amount_minor;
  if (wantsReceipt) work.afterCommit(() => on.scheduler.wake(SETTLE_JOB));
  const paid = isPaid ? paidBy(row, payment.amount_minor, at) : {};
  const next = await keep(on, work, row, { pending_minor, ...paid }, merchant, now);
  const action = isPaid ? 'payment_received' : status === 'voided' ? 'payment_voided' : 'payment_failed';
  note(on, work, by, action, row, next, paymentFields({ ...payment, ...set }));
  if (isPaid) await tell(on, work, next.status === 'paid' ? 'invoice.paid' : 'invoice.partially_paid', next, payment.transaction_id, now);
  const paidInvoice = { invoice: await shown(on, work, next, merchant), transaction };
  const name = onceNameOf(payment);
  // What was never charged may be tried again under the same key.
  if (name && standing.status === 'failed') await on.once.release(work, name);
  else if (name) await on.once.finishIn(work, name, on.renderAnswer(name.route, { paidInvoice }));
  return paidInvoice;
}

/** Takes a voided payment off its invoice, which by its day is sent, partly paid or overdue again; refunds leave it paid (decisions 7). */
export async function paymentVoided(
  on: Needs,
  work: Work,
  { tenantId, transactionId, by, atMs }: ChangeEvents['payment.voided'],
): Promise<void> {
  const known = await ofTransaction(work, transactionId);
  if (!known) return;
  const row = await lockInvoice(work, known.invoice_id);
  const payment = await work.lockOne(INVOICE_PAYMENTS, { id: known.id });
  const merchant = await on.merchants.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  if (payment?.status === 'pending') {
    const standing = { status: 'voided', decline_code: null, decline_reason: null };
    await record(on, work, by, { row, payment, merchant, transaction: null }, standing);
  }
  if (payment?.status !== 'succeeded') return;
  const now = timeAfter(atMs, row.updated_at);
  await work.update(INVOICE_PAYMENTS, { id: payment.id }, { status: 'voided', receipt_email: null, ...released(null) });
  const left = withoutPayment(row, payment.amount_minor, now, merchant.timezone);
  const isOverdueNow = left.status === 'overdue' && row.overdue_at === null;
  const next = await keep(on, work, row, { ...left, ...(isOverdueNow ? { overdue_at: isoTime(now) } : {}) }, merchant, now);
  note(on, work, by, 'payment_voided', row, next, paymentFields({ ...payment, status: 'voided' }));
  if (isOverdueNow) await tell(on, work, 'invoice.overdue', next, null, now);
}

/** Settles the payment whose outcome was found out; what hinders it is told to the log and left to the job. */
export async function paymentConfirmed(on: Needs, tenantId: string, transactionId: string): Promise<void> {
  const payment = await ofTransaction(on.database.read(tenantId), transactionId, 'pending');
  if (!payment) return;
  try {
    await look(on, payment);
  } catch (cause) {
    on.report('A payment of an invoice could not be settled at once; it is tried again', { id: payment.id, cause });
  }
}

async function look(on: Needs, { tenant_id, id, transaction_id }: InvoicePaymentRow): Promise<boolean> {
  const transaction = await on.payments.find(tenant_id, transaction_id ?? '');
  if (transaction.status === 'pending') return false;
  await settle(on, serviceActor(tenant_id), id, transaction);
  return true;
}

/** Writes the receipt that a payer asked for, once, whatever became of the request. */
async function mailReceipt(on: Needs, { tenant_id, id, fence, transaction_id, receipt_email }: InvoicePaymentRow): Promise<string> {
  const done = async (work: Work) => (await work.update(INVOICE_PAYMENTS, { id, fence }, { receipt_email: null, ...released(null) })) === 1;
  if (transaction_id === null || receipt_email === null) {
    await on.database.unitOfWork.run(tenant_id, done);
    return 'skipped';
  }
  await on.mailReceipt(tenant_id, { transactionId: transaction_id, email: receipt_email }, done);
  return 'mailed';
}

/** Settles payments whose request was lost between the gateway's answer and ours, and mails receipts. Real time: a crash knows no test clock. */
export function settleJob(on: Needs): Job<InvoicePaymentRow> {
  return {
    name: SETTLE_JOB,
    table: INVOICE_PAYMENTS,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(payment) {
      if (payment.status === 'pending' && (await look(on, payment))) return 'settled';
      if (payment.status === 'succeeded') return mailReceipt(on, payment);
      const { tenant_id, id, fence } = payment;
      await on.database.unitOfWork.run(tenant_id, (work) =>
        work.update(INVOICE_PAYMENTS, { id, fence }, released(payment.status === 'pending' ? later(realNow(), LOOK_AGAIN_MS) : null)),
      );
      return 'asked';
    },
  };
}

/** Has what the process before left open looked at at once: it held the data directory alone. */
export async function takeOver(on: Needs): Promise<void> {
  if (on.database.kind !== 'sqlite') return;
  await on.database.unitOfWork.run(null, (work) =>
    work.change(
      queriesOn(INVOICE_PAYMENTS)
        .updateTable('invoice_payments')
        .set({ due_ms: realNow() })
        .where('due_ms', 'is not', null)
        .where('status', '=', lit('pending')),
    ),
  );
}
