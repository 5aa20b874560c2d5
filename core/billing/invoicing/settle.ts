import { lit, queriesOn, type Work } from '#core/database';
import { isoTime, later, realNow, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { type Job, released } from '#core/platform/scheduling';
import type { ChangeEvents, CommittedEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { AuditActor } from '#core/records/audit';
import type { Transaction } from '#core/sales/payments';
import { afterPayment, afterReservation, afterVoid } from './balance.ts';
import { writeInvoice } from './change.ts';
import { type Dependencies, notifyScreens, type PaidInvoice, SETTLE_JOB } from './dependencies.ts';
import { auditInvoice, emitInvoiceEvent, paymentFields } from './events.ts';
import { loadInvoice } from './read.ts';
import { findPaymentByTransaction, lockInvoice, transactionStatusOf } from './repository.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoicePaymentRow, type InvoiceRow } from './schema.ts';

const CONCURRENCY = 8;
const LEASE_MS = 20_000;
/** Interval of the check for missed outcomes. Normally the code that finds an outcome reports it. */
const RECHECK_MS = 60_000;

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
  const found = await deps.database.read(tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  if (!found) return null;
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, merchantId);
  return deps.database.unitOfWork.transaction(tenantId, async (work): Promise<PaidInvoice | null> => {
    const row = await lockInvoice(work, found.invoice_id);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (payment?.status !== 'pending') return { invoice: await loadInvoice(deps, work, row, merchant), transaction };
    // It may have been voided since.
    const transactionStatus = await transactionStatusOf(work, transaction.transactionId);
    if (transactionStatus === null || transactionStatus.status === 'pending') return null;
    return recordOutcome(deps, work, actor, { row, payment, merchant, transaction }, transactionStatus);
  });
}

interface PendingPayment {
  readonly row: InvoiceRow;
  readonly payment: InvoicePaymentRow;
  readonly merchant: Merchant;
  readonly transaction: Transaction | null;
}

type TransactionStatus = Pick<InvoicePaymentRow, 'decline_code' | 'decline_reason'> & { readonly status: string };

const STATUS: Readonly<Record<string, InvoicePaymentRow['status']>> = { approved: 'succeeded', voided: 'voided' };

/** Records the outcome of a pending payment. The invoice and the payment are locked. */
async function recordOutcome(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  pending: PendingPayment,
  transactionStatus: TransactionStatus,
): Promise<PaidInvoice> {
  const { row, payment, merchant, transaction } = pending;
  const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
  const at = isoTime(now);
  const status = STATUS[transactionStatus.status] ?? 'failed';
  const { decline_code, decline_reason } = transactionStatus;
  const isPaid = status === 'succeeded';
  const wantsReceipt = isPaid && payment.receipt_email !== null;
  const nextRun = released(wantsReceipt ? realNow() : null);
  const set = { status, decline_code, decline_reason, concluded_at: at, ...NO_IDEMPOTENCY_KEY, ...nextRun };
  await work.update(INVOICE_PAYMENTS, { id: payment.id }, set);
  const pending_minor = row.pending_minor - payment.amount_minor;
  if (wantsReceipt) work.afterCommit(() => deps.scheduler.wake(SETTLE_JOB, row.tenant_id));
  const paid = isPaid ? afterPayment(row, payment.amount_minor, at) : {};
  const next = await writeInvoice(deps, work, row, { pending_minor, ...paid }, merchant, now, {
    transactionId: payment.transaction_id,
    status: isPaid ? 'approved' : status === 'voided' ? 'voided' : transactionStatus.status === 'declined' ? 'declined' : 'failed',
    declineCode: decline_code,
    declineReason: decline_reason,
    retryAdvice: transaction?.retryAdvice ?? null,
  });
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
  const paidInvoice = { invoice: await loadInvoice(deps, work, next, merchant), transaction };
  const name = keyNameOf(payment);
  // A payment that was never charged may be retried with the same key.
  if (name && transactionStatus.status === 'failed') await deps.idempotencyKeys.releaseInWork(work, name);
  else if (name) await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { paidInvoice }));
  return paidInvoice;
}

/** Removes a voided payment from its invoice, which becomes sent, partially paid or overdue again. Refunds leave it paid. */
export async function paymentVoided(
  deps: Dependencies,
  work: Work,
  { tenantId, transactionId, actor, atMs }: ChangeEvents['payment.voided'],
): Promise<void> {
  const known = await findPaymentByTransaction(work, transactionId);
  if (!known) return;
  const row = await lockInvoice(work, known.invoice_id);
  const payment = await work.lockOne(INVOICE_PAYMENTS, { id: known.id });
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  if (payment?.status === 'pending') {
    const transactionStatus = { status: 'voided', decline_code: null, decline_reason: null };
    await recordOutcome(deps, work, actor, { row, payment, merchant, transaction: null }, transactionStatus);
  }
  if (payment?.status === 'succeeded') await removePayment(deps, work, { row, payment, merchant, reason: null }, actor, atMs);
}

/** Removes the payment by a check that the bank returned from its invoice, which is open again. */
export async function checkReturned(
  deps: Dependencies,
  work: Work,
  { tenantId, tenderId, invoiceId, reason, actor, atMs }: ChangeEvents['check.returned'],
): Promise<void> {
  const row = await lockInvoice(work, invoiceId);
  const payment = await work.one(INVOICE_PAYMENTS, { invoice_id: invoiceId, tender_id: tenderId });
  if (payment?.status !== 'succeeded') return;
  const merchant = await deps.merchants.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  await removePayment(deps, work, { row, payment, merchant, reason }, actor, atMs);
}

/** A payment that no longer pays its invoice. Both are locked. */
interface RemovedPayment {
  readonly row: InvoiceRow;
  readonly payment: InvoicePaymentRow;
  readonly merchant: Merchant;
  /** Sentence that the invoice shows with the payment. */
  readonly reason: string | null;
}

export async function removePayment(
  deps: Dependencies,
  work: Work,
  { row, payment, merchant, reason }: RemovedPayment,
  actor: AuditActor,
  atMs: TenantTime,
): Promise<void> {
  const now = timeAfter(atMs, row.updated_at);
  const set = { status: 'voided', decline_reason: reason, receipt_email: null, ...released(null) } as const;
  await work.update(INVOICE_PAYMENTS, { id: payment.id }, set);
  const changes = afterVoid(row, payment.amount_minor, now, merchant.timezone);
  const isOverdueNow = changes.status === 'overdue' && row.overdue_at === null;
  const next = await writeInvoice(deps, work, row, { ...changes, ...(isOverdueNow ? { overdue_at: isoTime(now) } : {}) }, merchant, now, {
    transactionId: payment.transaction_id,
    status: 'voided',
    declineCode: null,
    declineReason: reason,
    retryAdvice: null,
  });
  auditInvoice(deps, work, actor, 'payment_voided', row, next, paymentFields({ ...payment, ...set }));
  if (isOverdueNow) await emitInvoiceEvent(deps, work, 'invoice.overdue', next, null, now);
}

/** Records a payment whose outcome was found. An error is logged, and the job tries again. */
export async function paymentConfirmed(
  deps: Dependencies,
  { tenantId, transactionId }: CommittedEvents['payment.confirmed'],
): Promise<void> {
  const payment = await findPaymentByTransaction(deps.database.read(tenantId), transactionId, 'pending');
  if (!payment) return;
  try {
    await checkPayment(deps, payment);
  } catch (cause) {
    deps.report('The outcome of an invoice payment could not be recorded. The job will retry', { id: payment.id, cause });
  }
}

async function checkPayment(deps: Dependencies, { tenant_id, id, transaction_id }: InvoicePaymentRow): Promise<boolean> {
  const transaction = await deps.payments.find(tenant_id, transaction_id ?? '');
  if (transaction.status === 'pending') return false;
  await settle(deps, serviceActor(tenant_id), id, transaction);
  return true;
}

/** Releases the amount that a payment reserved, unless it was sent to a gateway. */
export async function releaseUnsent(deps: Dependencies, tenantId: string, paymentId: string): Promise<void> {
  const found = await deps.database.read(tenantId).one(INVOICE_PAYMENTS, { id: paymentId });
  if (!found) return;
  await deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await lockInvoice(work, found.invoice_id);
    const payment = await work.lockOne(INVOICE_PAYMENTS, { id: paymentId });
    if (payment?.status !== 'pending' || payment.transaction_id !== null) return;
    await work.delete(INVOICE_PAYMENTS, { id: paymentId });
    const updated_at = isoTime(timeAfter(deps.clockOf(tenantId).now(), row.updated_at));
    await work.update(INVOICES, { id: row.id }, { ...afterReservation(row, -payment.amount_minor), updated_at });
    notifyScreens(deps, work, row);
  });
}

/** Sends the receipt that a payer asked for, once, even if the request has ended. */
async function mailReceipt(
  deps: Dependencies,
  { tenant_id, id, fence, transaction_id, receipt_email }: InvoicePaymentRow,
): Promise<string> {
  const clearReceipt = async (work: Work) =>
    (await work.update(INVOICE_PAYMENTS, { id, fence }, { receipt_email: null, ...released(null) })) === 1;
  if (transaction_id === null || receipt_email === null) {
    await deps.database.unitOfWork.transaction(tenant_id, clearReceipt);
    return 'skipped';
  }
  await deps.mailReceipt(tenant_id, { transactionId: transaction_id, email: receipt_email }, clearReceipt);
  return 'mailed';
}

/**
 * Job that records the outcome of payments whose request was lost after the gateway's answer, and emails receipts. It uses real time,
 * because a crash does not follow a test clock.
 */
export function settleJob(deps: Dependencies): Job<InvoicePaymentRow> {
  return {
    name: SETTLE_JOB,
    table: INVOICE_PAYMENTS,
    clock: 'real',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    async run(payment) {
      if (payment.status === 'pending' && payment.transaction_id === null) {
        await releaseUnsent(deps, payment.tenant_id, payment.id);
        return 'released';
      }
      if (payment.status === 'pending' && (await checkPayment(deps, payment))) return 'settled';
      if (payment.status === 'succeeded') return mailReceipt(deps, payment);
      const { tenant_id, id, fence } = payment;
      await deps.database.unitOfWork.transaction(tenant_id, (work) =>
        work.update(INVOICE_PAYMENTS, { id, fence }, released(payment.status === 'pending' ? later(realNow(), RECHECK_MS) : null)),
      );
      return 'asked';
    },
  };
}

/** Reschedules work left by the previous process immediately: the data directory is exclusive, so no other process is working on it. */
export async function resumeLeftovers(deps: Dependencies): Promise<void> {
  if (deps.database.kind !== 'sqlite') return;
  await deps.database.unitOfWork.transaction(null, (work) =>
    work.execute(
      queriesOn(INVOICE_PAYMENTS)
        .updateTable('invoice_payments')
        .set({ due_ms: realNow() })
        .where('due_ms', 'is not', null)
        .where('status', '=', lit('pending')),
    ),
  );
}
