import type { Work } from '#core/database';
import { type Actor, isoTime, money, ServiceError, step, storedCurrency, type TenantTime, timeAfter } from '#core/kernel';
import { idempotencyColumns, withClaimedKey } from '#core/platform/idempotency';
import { claimRow } from '#core/platform/scheduling';
import { chargeNow } from './charge.ts';
import { type NewInstallmentPlan, termsOf } from './create.ts';
import { type Dependencies, LEASE_MS, lockPlan, notifyScreens } from './dependencies.ts';
import { auditPlan, emitProgress } from './events.ts';
import { afterCancellation, claimCharge, withNewMethod } from './outcome.ts';
import { hasFailed, nextInstallment, type Plan, remainingOf, withDue } from './progress.ts';
import { findPlan, get, planNotFound } from './read.ts';
import type { InstallmentPlan } from './records.ts';
import { INSTALLMENT_PLANS, type PlanRow } from './schema.ts';
import { PLAN_STEPS, type PlanOperation } from './steps.ts';
import { storeResponse, writePlan } from './write.ts';

type Transition = (plan: Plan, context: { readonly now: TenantTime; readonly zone: string }) => PlanRow;

/** Checks that a plan allows an operation. @throws ServiceError RESOURCE_CONFLICT. */
export function checkChange(row: PlanRow, operation: PlanOperation): void {
  step(PLAN_STEPS, row.status, operation, { status: row.status });
  if (operation !== 'retry') return;
  if (row.pending_transaction !== null) throw paymentPending(row.pending_transaction);
  if (!hasFailed(row))
    throw new ServiceError('RESOURCE_CONFLICT', 'No installment of this plan has failed.', { details: { reason: 'not_past_due' } });
}

/** Locks a plan, checks the operation and writes the change with its audit entry. `first` takes other locks before. */
async function change(
  deps: Dependencies,
  actor: Actor,
  id: string,
  { operation, action }: { readonly operation: PlanOperation; readonly action: string },
  transition: Transition,
  first?: (work: Work) => Promise<void>,
): Promise<InstallmentPlan> {
  const { merchant } = await findPlan(deps, actor, id);
  await deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    await first?.(work);
    const plan = await lockPlan(work, id);
    if (plan === null) throw planNotFound(id);
    checkChange(plan.row, operation);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), plan.row.updated_at);
    const next = { ...plan, row: { ...transition(plan, { now, zone: merchant.timezone }), updated_at: isoTime(now) } };
    await claimCharge(deps, work, actor, next, now);
    const row = await writePlan(deps, work, plan, next);
    auditPlan(deps, work, actor, action, plan.row, row);
    emitProgress(deps, work, plan, { ...next, row }, now);
  });
  return get(deps, actor, id);
}

/** Pauses a plan: nothing is charged until it is resumed. A pending payment still counts. @throws ServiceError RESOURCE_CONFLICT. */
export function pause(deps: Dependencies, actor: Actor, id: string): Promise<InstallmentPlan> {
  return change(deps, actor, id, { operation: 'pause', action: 'paused' }, ({ row }, { now }) => ({
    ...row,
    status: step(PLAN_STEPS, row.status, 'pause'),
    pause_reason: 'person',
    paused_at: isoTime(now),
    failed_attempts: 0,
    unsent_tries: 0,
    retry_ms: null,
    past_due_at: null,
    due_ms: null,
    lease_ms: 0,
  }));
}

/** Resumes a plan. Installments whose date has passed are charged one after the other, the first one immediately. */
export function resume(deps: Dependencies, actor: Actor, id: string): Promise<InstallmentPlan> {
  return change(deps, actor, id, { operation: 'resume', action: 'resumed' }, (plan, context) => {
    const status = step(PLAN_STEPS, plan.row.status, 'resume');
    return withDue({ ...plan, row: { ...plan.row, status, pause_reason: null, paused_at: null } }, context);
  });
}

/** Cancels a plan permanently. The rest of the invoice stays due. A pending payment still counts. */
export function cancel(deps: Dependencies, actor: Actor, id: string, reason?: string): Promise<InstallmentPlan> {
  return change(deps, actor, id, { operation: 'cancel', action: 'canceled' }, ({ row }, { now }) =>
    afterCancellation(row, now, actor.name, reason?.trim() || null),
  );
}

/**
 * Charges another stored payment method from now on. A failed installment is retried with it immediately, and a pending one if it fails. @throws ServiceError NOT_FOUND for a
 * method of another customer, RESOURCE_CONFLICT with the reason `no_consent`.
 */
export async function changeMethod(
  deps: Dependencies,
  actor: Actor,
  id: string,
  input: { readonly paymentMethodId: string } & Pick<NewInstallmentPlan, 'consentText' | 'agreementChannel'>,
): Promise<InstallmentPlan> {
  const { row: current, merchant } = await findPlan(deps, actor, id);
  const payer = await deps.customers.payer(actor, current.customer_id, input.paymentMethodId);
  const terms = await termsOf(deps, actor, payer, { merchant, currency: current.currency }, input);
  const setMethod: Transition = ({ row }, { now }) => {
    const moved = {
      ...row,
      payment_method_id: terms.paymentMethodId,
      consent_text: terms.consentText,
      consent_at: terms.consentAt,
      agreement_channel: terms.agreementChannel,
    };
    return withNewMethod(moved, now);
  };
  return change(deps, actor, id, { operation: 'update', action: 'payment_method_changed' }, setMethod, (work) =>
    deps.customers.lock(work, current.customer_id, terms.paymentMethodId),
  );
}

/**
 * Retries the failed installment of a plan before the response. The request claims the plan with a lease: a retry parallel to another one or to
 * the scheduler is rejected. The amount counts against the spending limits of the caller's API key. @throws ServiceError RESOURCE_CONFLICT if nothing
 * failed or a payment is pending; PERMISSION_DENIED above a spending limit.
 */
export async function retryNow(deps: Dependencies, actor: Actor, id: string): Promise<InstallmentPlan> {
  await findPlan(deps, actor, id);
  const openRetry = async (work: Work) => {
    const plan = await lockPlan(work, id);
    if (plan === null) throw planNotFound(id);
    deps.idempotencyKeys.claim(work, actor);
    const { row } = plan;
    checkChange(row, 'retry');
    const claimed = await claimRow(deps.database, work, INSTALLMENT_PLANS, id, LEASE_MS);
    if (claimed === null) throw paymentPending(null);
    const failed = nextInstallment(plan);
    if (failed !== null) await deps.claimSpending(work, actor, money(remainingOf(failed), storedCurrency(row.currency)));
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { ...idempotencyColumns(actor), due_ms: now, updated_at: isoTime(now) };
    await work.update(INSTALLMENT_PLANS, { id }, set);
    auditPlan(deps, work, actor, 'retried', row, { ...claimed, ...set });
    notifyScreens(deps, work, row);
    return { ...claimed, ...set };
  };
  const claimed = await withClaimedKey(() => deps.database.unitOfWork.transaction(actor.tenantId, openRetry));
  await chargeNow(deps, claimed);
  return storeResponse(deps, actor.tenantId, id);
}

/** Returns the error of a retry while a payment is pending. `transactionId` is null while the payment is being prepared. */
function paymentPending(transactionId: string | null): ServiceError {
  return new ServiceError('RESOURCE_CONFLICT', 'A payment of this plan is pending. Wait for its outcome.', {
    details: { reason: 'operation_in_progress', ...(transactionId === null ? {} : { transactionId }) },
  });
}
