import { notifyFailedPayment, type Result, resultOf, returnedResult } from '#core/billing/recurring';
import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, money, ServiceError, serviceActor, step, storedCurrency, type TenantTime, timeAfter } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { Payer } from '#core/sales/customers';
import { type Dependencies, lockPlan } from './dependencies.ts';
import { auditPlan, emitFailed, emitProgress } from './events.ts';
import { methodOf } from './installment-plan.ts';
import { afterBalance, afterFailure, hasFailed, nextInstallment, type Plan, remainingOf, withDue } from './progress.ts';
import { type AttemptRow, INSTALLMENT_PAYMENTS, INSTALLMENT_PLANS, type PlanRow } from './schema.ts';
import { PAYMENT_STEPS, PLAN_STEPS } from './steps.ts';
import { writePlan } from './write.ts';

const queries = queriesOn(INSTALLMENT_PLANS);

type InvoiceChange = ChangeEvents['invoice.changed'];
type FailedResult = Extract<Result, { kind: 'failed' }>;

/**
 * Brings the plan of an invoice up to date, in the unit of work of the change: it records the outcome of the plan's own payment, counts payments
 * by others, completes or shortens the plan, and cancels it with its invoice. The invoice is locked. @throws ServiceError RESOURCE_CONFLICT if
 * the content of an invoice with an open plan would change.
 */
export async function invoiceChanged(deps: Dependencies, work: Work, change: InvoiceChange): Promise<void> {
  const plan = await planOf(work, change);
  if (plan === null) return;
  const { row } = plan;
  refuseOtherContent(row, change);
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  const context = { now: timeAfter(change.atMs, row.updated_at), zone: merchant.timezone, dunning: merchant.dunning };
  const { payment } = change;
  const isOwn = payment !== null && payment.transactionId !== null && payment.transactionId === row.pending_transaction;
  const released: Plan = isOwn
    ? { ...plan, row: { ...row, pending_transaction: null, pending_payment: null, renewed_during: null } }
    : plan;
  const wasRenewed = isOwn && row.renewed_during === row.pending_transaction;
  const isVoid = payment?.status === 'voided';
  let next = afterBalance(released, change.paidMinor, { transactionId: payment?.transactionId ?? null, isVoid }, context);
  if (change.isCancelled && PLAN_STEPS[next.row.status].cancel === 'canceled')
    next = { ...next, row: afterCancellation(next.row, context.now, 'service', 'invoice_canceled') };
  if (!isOwn) return finish(deps, work, plan, { ...next, row: withDue(next, context) }, context.now);
  const attempt = await work.one(INSTALLMENT_PAYMENTS, { id: row.pending_payment ?? '' });
  if (payment.status === 'voided') {
    await conclude(work, attempt, { status: 'voided', code: null, reason: null }, context.now);
    const status = step(PAYMENT_STEPS, next.row.status, 'reopen');
    const paused = status === next.row.status ? {} : ({ status, pause_reason: 'payment_voided', paused_at: isoTime(context.now) } as const);
    const stopped = { ...next, row: { ...next.row, ...paused } };
    return finish(deps, work, plan, { ...stopped, row: withDue(stopped, context) }, context.now);
  }
  const result = resultOf(payment, row.unsent_tries);
  if (result === null || result.kind === 'succeeded') {
    await conclude(work, attempt, { status: 'succeeded', code: null, reason: null }, context.now);
    const paid = { ...next, row: { ...next.row, last_payment_at: isoTime(context.now) } };
    return finish(deps, work, plan, { ...paid, row: withDue(paid, context) }, context.now);
  }
  const code = result.kind === 'failed' ? result.code : null;
  await conclude(work, attempt, { status: result.kind, code, reason: result.reason }, context.now);
  // The installment was paid otherwise in the meantime, so its failure has no consequence.
  const isPaidAnyway = attempt !== null && next.row.next_number !== attempt.number;
  const startedMs = attempt === null ? context.now : Date.parse(attempt.created_at);
  if (!isPaidAnyway) next = { ...next, row: afterFailure(next.row, result, context, startedMs) };
  next = { ...next, row: withDue(next, context) };
  if (!isPaidAnyway && wasRenewed) next = { ...next, row: withNewMethod(next.row, context.now) };
  await finish(deps, work, plan, next, context.now);
  if (result.kind === 'failed' && !isPaidAnyway && attempt !== null)
    await announceFailure(deps, work, merchant, next, attempt, result, context.now);
}

/** Returns the locked plan that a change of an invoice concerns; null if there is none. Most invoices have no plan. */
async function planOf(work: Work, { invoiceId, payment }: InvoiceChange): Promise<Plan | null> {
  const rows = await work.find(INSTALLMENT_PLANS, { invoice_id: invoiceId }, { orderBy: [['id', 'desc']] });
  const isOpen = ({ status }: PlanRow) => status !== 'canceled' && status !== 'completed';
  const busy = rows.find(({ pending_transaction }) => pending_transaction !== null && pending_transaction === payment?.transactionId);
  const found = busy ?? rows.find(isOpen) ?? rows.find(({ status }) => status === 'completed');
  return found === undefined ? null : lockPlan(work, found.id);
}

function refuseOtherContent({ status, invoice_minor, currency, customer_id, id }: PlanRow, change: InvoiceChange): void {
  if (status === 'canceled' || status === 'completed') return;
  if (change.amountMinor === invoice_minor && change.currency === currency && change.customerId === customer_id) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This invoice is paid in installments. Cancel the plan before you change the invoice.', {
    details: { reason: 'installment_plan', installmentPlanId: id },
  });
}

/** Returns the row after its cancellation. The outcome of a pending payment is still recorded. */
export function afterCancellation(row: PlanRow, now: TenantTime, by: string, reason: string | null): PlanRow {
  const at = isoTime(now);
  return {
    ...row,
    status: step(PLAN_STEPS, row.status, 'cancel'),
    retry_ms: null,
    failed_attempts: 0,
    canceled_at: at,
    canceled_by: by,
    cancel_reason: reason,
    due_ms: null,
    lease_ms: 0,
    updated_at: at,
  };
}

interface Conclusion {
  readonly status: AttemptRow['status'];
  readonly code: string | null;
  readonly reason: string | null;
}

async function conclude(work: Work, attempt: AttemptRow | null, { status, code, reason }: Conclusion, now: TenantTime): Promise<void> {
  if (attempt === null) return;
  await work.update(
    INSTALLMENT_PAYMENTS,
    { id: attempt.id },
    { status, decline_code: code, decline_reason: reason, concluded_at: isoTime(now) },
  );
}

/** Writes the plan with the audit entry of a new status and the events of its progress. */
async function finish(deps: Dependencies, work: Work, before: Plan, after: Plan, now: TenantTime): Promise<void> {
  const row = await writePlan(deps, work, before, after);
  if (row.status !== before.row.status) auditPlan(deps, work, serviceActor(row.tenant_id), row.status, before.row, row);
  emitProgress(deps, work, before, { ...after, row }, now);
}

/** Emits the event of a failed attempt and notifies the customer, with a link to replace the card or to pay. */
async function announceFailure(
  deps: Dependencies,
  work: Work,
  merchant: Merchant,
  plan: Plan,
  attempt: AttemptRow,
  { code: declineCode, reason: declineReason, declined: isDeclined }: FailedResult,
  now: TenantTime,
): Promise<void> {
  const { row } = plan;
  emitFailed(deps, work, plan, attempt, { declineCode, declineReason }, now);
  if (row.status !== 'active' && row.status !== 'past_due') return;
  const payer = await payerOf(deps, row);
  await notifyFailedPayment(
    deps,
    work,
    merchant,
    { ...payer, method: methodOf(row, payer) },
    {
      tenantId: row.tenant_id,
      resourceId: row.id,
      customerId: row.customer_id,
      amount: money(attempt.amount_minor, storedCurrency(row.currency)),
      isDeclined,
      next:
        row.retry_ms === null
          ? { kind: 'due', payUrl: await deps.invoicing.payAddress(work, row.invoice_id) }
          : { kind: 'retry', atMs: row.retry_ms },
      atMs: now,
    },
  );
}

/** Returns the customer of a plan, with the payment method that the plan charges or the default one. */
export async function payerOf(deps: Pick<Dependencies, 'customers'>, row: PlanRow): Promise<Payer> {
  const [payer] = await deps.customers.payersOf(row.tenant_id, [{ customerId: row.customer_id, methodId: row.payment_method_id }]);
  return payer as Payer;
}

/** Records an installment that could not be charged because nothing was sent. The plan is claimed by the caller. */
export async function recordUnsent(
  deps: Dependencies,
  work: Work,
  merchant: Merchant,
  plan: Plan,
  attempt: AttemptRow,
  result: Exclude<Result, { kind: 'succeeded' }>,
): Promise<void> {
  const now = timeAfter(deps.clockOf(plan.row.tenant_id).now(), plan.row.updated_at);
  const context = { now, zone: merchant.timezone, dunning: merchant.dunning };
  const code = result.kind === 'failed' ? result.code : null;
  work.insert(INSTALLMENT_PAYMENTS, {
    ...attempt,
    status: result.kind,
    decline_code: code,
    decline_reason: result.reason,
    concluded_at: isoTime(now),
  });
  const failed = { ...plan, row: afterFailure(plan.row, result, context) };
  const next = { ...failed, row: withDue(failed, context) };
  await finish(deps, work, plan, next, now);
  if (result.kind === 'failed') await announceFailure(deps, work, merchant, next, attempt, result, now);
}

/**
 * Records that the bank returned the payment of an installment. The void of the payment has reopened the installment before; it is retried as a
 * declined one if the bank allows it, otherwise the plan is past due.
 */
export async function paymentReturned(deps: Dependencies, work: Work, returned: ChangeEvents['payment.returned']): Promise<void> {
  const { tenantId, transactionId, atMs } = returned;
  if (returned.invoiceId === null) return;
  const attempt = await work.one(INSTALLMENT_PAYMENTS, { transaction_id: transactionId, status: 'succeeded' });
  const plan = attempt && (await lockPlan(work, attempt.plan_id));
  if (!plan) return;
  const now = timeAfter(atMs, plan.row.updated_at);
  const result = returnedResult(returned.returnCode, returned.reason);
  await conclude(work, attempt, { status: 'failed', code: result.code, reason: result.reason }, now);
  const { row } = plan;
  if (row.status !== 'paused' || row.pause_reason !== 'payment_voided') return;
  const merchant = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const context = { now, zone: merchant.timezone, dunning: merchant.dunning };
  const active = { ...row, status: step(PLAN_STEPS, row.status, 'resume'), pause_reason: null, paused_at: null };
  const failed = { ...plan, row: afterFailure(active, result, context) };
  const next = { ...failed, row: withDue(failed, context) };
  await finish(deps, work, plan, next, now);
  await announceFailure(deps, work, merchant, next, attempt, result, now);
}

/** Cancels the open plans of a customer, in the unit of work that deletes the customer. The invoices stay due. */
export async function customerDeleted(
  deps: Dependencies,
  work: Work,
  { actor, customerId }: ChangeEvents['customer.deleted'],
): Promise<void> {
  for (const { id } of await work.find(INSTALLMENT_PLANS, { customer_id: customerId }, { orderBy: [['id', 'asc']] })) {
    const plan = await lockPlan(work, id);
    if (plan === null || PLAN_STEPS[plan.row.status].cancel !== 'canceled') continue;
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), plan.row.updated_at);
    await finish(deps, work, plan, { ...plan, row: afterCancellation(plan.row, now, actor.name, 'customer_deleted') }, now);
  }
}

/** Makes the failed installments of a renewed payment method due for an immediate retry, and pending ones if they fail. */
export async function paymentMethodChanged(deps: Dependencies, work: Work, changed: ChangeEvents['payment-method.changed']): Promise<void> {
  const { customerId, paymentMethodId, actor } = changed;
  await moveMethod(deps, work, { customerId, fromId: paymentMethodId, toId: paymentMethodId, actor });
}

/** Moves plans from a replaced payment method to its successor, and retries failed installments immediately. */
export async function paymentMethodReplaced(
  deps: Dependencies,
  work: Work,
  { customerId, replacedId, paymentMethodId }: ChangeEvents['payment-method.replaced'],
): Promise<void> {
  await moveMethod(deps, work, { customerId, fromId: replacedId, toId: paymentMethodId, actor: null });
}

interface MethodMove {
  readonly customerId: string;
  readonly fromId: string;
  readonly toId: string;
  /** Caller whose spending limits count an immediate retry; null for the payer. */
  readonly actor: Actor | null;
}

async function moveMethod(deps: Dependencies, work: Work, { customerId, fromId, toId, actor }: MethodMove): Promise<void> {
  const rows = await work.find(INSTALLMENT_PLANS, { customer_id: customerId, payment_method_id: fromId }, { orderBy: [['id', 'asc']] });
  for (const { id } of rows) {
    const plan = await lockPlan(work, id);
    if (plan === null || plan.row.payment_method_id !== fromId) continue;
    const now = timeAfter(deps.clockOf(plan.row.tenant_id).now(), plan.row.updated_at);
    const row = { ...plan.row, payment_method_id: toId };
    const renewed = withNewMethod(row, now);
    if (actor !== null) await claimCharge(deps, work, actor, { ...plan, row: renewed }, now);
    if (fromId !== toId || renewed !== row) await writePlan(deps, work, plan, { ...plan, row: renewed });
  }
}

/** Counts the installment that a change of a plan charges immediately against the spending limits of the caller, so that a limited key cannot try any number of cards. */
export async function claimCharge(
  deps: Pick<Dependencies, 'claimSpending'>,
  work: Work,
  actor: Actor,
  plan: Plan,
  now: TenantTime,
): Promise<void> {
  const { status, due_ms, currency, pending_transaction, renewed_during } = plan.row;
  const next = nextInstallment(plan);
  // A pending charge is repeated with the renewed method if it fails.
  const isRepeated = status === 'active' && pending_transaction !== null && renewed_during === pending_transaction;
  if (next !== null && (isRepeated || (due_ms !== null && due_ms <= now)))
    await deps.claimSpending(work, actor, money(remainingOf(next), storedCurrency(currency)));
}

/** Returns the row with a changed or renewed payment method. A failed installment is retried with it immediately, a pending one if it fails. */
export function withNewMethod(row: PlanRow, now: TenantTime): PlanRow {
  if (row.pending_transaction !== null) return { ...row, renewed_during: row.pending_transaction };
  return hasFailed(row) ? { ...row, due_ms: now, lease_ms: 0 } : row;
}

/** Leaves the plans of a removed payment method without one: they never charge another method. */
export async function paymentMethodRemoved(
  work: Work,
  { customerId, paymentMethodId }: ChangeEvents['payment-method.removed'],
): Promise<void> {
  await work.execute(
    queries
      .updateTable('installment_plans')
      .set(({ eb, lit }) => ({ payment_method_id: null, fence: eb('fence', '+', lit(1)) }))
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('payment_method_id', '=', paymentMethodId),
  );
}
