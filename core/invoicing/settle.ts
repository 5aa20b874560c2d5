import type { AuditActor } from '#core/audit';
import { lit, queriesOn, type Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import { isoTime, later, realNow, serviceActor, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Transaction } from '#core/payments';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { type Job, released } from '#core/platform/scheduling';
import { paidBy, withoutPayment } from './balance.ts';
import { keep } from './change.ts';
import { type Dependencies, type PaidInvoice, SETTLE_JOB } from './dependencies.ts';
import { auditInvoice, emitInvoiceEvent, paymentFields } from './events.ts';
import { shown } from './read.ts';
import { lockInvoice, ofTransaction, standingOf } from './repository.ts';
import { INVOICE_PAYMENTS, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';

const AT_ONCE = 8;
const LEASE_MS = 20_000;
/** Interval of the check for missed outcomes. Normally the code that finds an outcome reports it. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Records the outcome of a pending payment once: the invoice, its event, its audit entry and the stored response are one unit of work.
 * Returns null if the payment no longer exists.
 */
export async function settle(
  deps: Dependencies,
  actor: AuditActor,
  paymentId: string,
  transaction: Transaction,
): Promise<PaidInvoice | null> {
  const { tenantId, merchantId } = transaction;
  const known = await deps.database.read(tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  if (!known) return null;
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, merchantId);
  return deps.database.unitOfWork.run(tenantId, async (work): Promise<PaidInvoice | null> => {
    const row = await lockInvoice(work, known.invoice_id);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (payment?.status !== 'pending') return { invoice: await shown(deps, work, row, merchant), transaction };
    // It may have been voided since.
    const standing = await standingOf(work, transaction.transactionId);
    if (standing === null || standing.status === 'pending') return null;
    return record(deps, work, actor, { row, payment, merchant, transaction }, standing);
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
async function record(deps: Dependencies, work: Work, actor: AuditActor, of: UnderWay, standing: Standing): Promise<PaidInvoice> {
  const { row, payment, merchant, transaction } = of;
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const at = isoTime(now);
  const status = STATUS[standing.status] ?? 'failed';
  const { decline_code, decline_reason } = standing;
  const isPaid = status === 'succeeded';
  const wantsReceipt = isPaid && payment.receipt_email !== null;
  const nextLook = released(wantsReceipt ? realNow() : null);
  const set = { status, decline_code, decline_reason, concluded_at: at, ...NO_IDEMPOTENCY_KEY, ...nextLook };
  await work.update(INVOICE_PAYMENTS, { id: payment.id }, set);
  const pending_minor = row.pending_minor - payment.amount_minor;
  if (wantsReceipt) work.afterCommit(() => deps.scheduler.wake(SETTLE_JOB));
  const paid = isPaid ? paidBy(row, payment.amount_minor, at) : {};
  const next = await keep(deps, work, row, { pending_minor, ...paid }, merchant, now);
  const action = isPaid ? 'payment_received' : status === 'voided' ? 'payment_voided' : 'payment_failed';
  auditInvoice(deps, work, actor, action, row, next, paymentFields({ ...payment, ...set }));
  if (isPaid)
    await emitInvoiceEvent(
      deps,
      work,
      next.status === 'paid' ? 'invoice.paid' : 'invoice.partially_paid',
      next,
      payment.transaction_id,
      now,
    );
  const paidInvoice = { invoice: await shown(deps, work, next, merchant), transaction };
  const name = keyNameOf(payment);
  // What was never charged may be tried again under the same key.
  if (name && standing.status === 'failed') await deps.once.release(work, name);
  else if (name) await deps.once.finishIn(work, name, deps.renderAnswer(name.route, { paidInvoice }));
  return paidInvoice;
}

/** Takes a voided payment off its invoice, which becomes sent, partially paid or overdue again. Refunds leave it paid (decisions 7). */
export async function paymentVoided(
  deps: Dependencies,
  work: Work,
  { tenantId, transactionId, by, atMs }: ChangeEvents['payment.voided'],
): Promise<void> {
  const known = await ofTransaction(work, transactionId);
  if (!known) return;
  const row = await lockInvoice(work, known.invoice_id);
  const payment = await work.lockOne(INVOICE_PAYMENTS, { id: known.id });
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  if (payment?.status === 'pending') {
    const standing = { status: 'voided', decline_code: null, decline_reason: null };
    await record(deps, work, by, { row, payment, merchant, transaction: null }, standing);
  }
  if (payment?.status !== 'succeeded') return;
  const now = timeAfter(atMs, row.updated_at);
  await work.update(INVOICE_PAYMENTS, { id: payment.id }, { status: 'voided', receipt_email: null, ...released(null) });
  const left = withoutPayment(row, payment.amount_minor, now, merchant.timezone);
  const isOverdueNow = left.status === 'overdue' && row.overdue_at === null;
  const next = await keep(deps, work, row, { ...left, ...(isOverdueNow ? { overdue_at: isoTime(now) } : {}) }, merchant, now);
  auditInvoice(deps, work, by, 'payment_voided', row, next, paymentFields({ ...payment, status: 'voided' }));
  if (isOverdueNow) await emitInvoiceEvent(deps, work, 'invoice.overdue', next, null, now);
}

/** Records a payment whose outcome was found. An error is logged, and the job tries again. */
export async function paymentConfirmed(deps: Dependencies, tenantId: string, transactionId: string): Promise<void> {
  const payment = await ofTransaction(deps.database.read(tenantId), transactionId, 'pending');
  if (!payment) return;
  try {
    await look(deps, payment);
  } catch (cause) {
    deps.report('A payment of an invoice could not be settled at once; it is tried again', { id: payment.id, cause });
  }
}

async function look(deps: Dependencies, { tenant_id, id, transaction_id }: InvoicePaymentRow): Promise<boolean> {
  const transaction = await deps.payments.find(tenant_id, transaction_id ?? '');
  if (transaction.status === 'pending') return false;
  await settle(deps, serviceActor(tenant_id), id, transaction);
  return true;
}

/** Sends the receipt that a payer asked for, once, even if the request has ended. */
async function mailReceipt(
  deps: Dependencies,
  { tenant_id, id, fence, transaction_id, receipt_email }: InvoicePaymentRow,
): Promise<string> {
  const done = async (work: Work) => (await work.update(INVOICE_PAYMENTS, { id, fence }, { receipt_email: null, ...released(null) })) === 1;
  if (transaction_id === null || receipt_email === null) {
    await deps.database.unitOfWork.run(tenant_id, done);
    return 'skipped';
  }
  await deps.mailReceipt(tenant_id, { transactionId: transaction_id, email: receipt_email }, done);
  return 'mailed';
}

/** Settles payments whose request was lost between the gateway's answer and ours, and mails receipts. Real time: a crash knows no test clock. */
export function settleJob(deps: Dependencies): Job<InvoicePaymentRow> {
  return {
    name: SETTLE_JOB,
    table: INVOICE_PAYMENTS,
    clock: 'real',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(payment) {
      if (payment.status === 'pending' && (await look(deps, payment))) return 'settled';
      if (payment.status === 'succeeded') return mailReceipt(deps, payment);
      const { tenant_id, id, fence } = payment;
      await deps.database.unitOfWork.run(tenant_id, (work) =>
        work.update(INVOICE_PAYMENTS, { id, fence }, released(payment.status === 'pending' ? later(realNow(), LOOK_AGAIN_MS) : null)),
      );
      return 'asked';
    },
  };
}

/** Reschedules work left by the previous process immediately: the data directory is exclusive, so no other process is working on it. */
export async function resumeLeftovers(deps: Dependencies): Promise<void> {
  if (deps.database.kind !== 'sqlite') return;
  await deps.database.unitOfWork.run(null, (work) =>
    work.change(
      queriesOn(INVOICE_PAYMENTS)
        .updateTable('invoice_payments')
        .set({ due_ms: realNow() })
        .where('due_ms', 'is not', null)
        .where('status', '=', lit('pending')),
    ),
  );
}
