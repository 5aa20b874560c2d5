import type { Work } from '#core/database';
import { keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import { type Dependencies, notifyScreens } from './dependencies.ts';
import type { Plan } from './progress.ts';
import { loadPlan, planNotFound } from './read.ts';
import type { InstallmentPlan } from './records.ts';
import { INSTALLMENT_PLANS, INSTALLMENTS, type PlanRow } from './schema.ts';

/** Stores the response of the request that waits for a plan under its idempotency key, in the unit of work in which the request ends. */
export async function completeRequest(deps: Dependencies, work: Work, row: PlanRow): Promise<InstallmentPlan> {
  const installmentPlan = await loadPlan(deps, work, row);
  const name = keyNameOf(row);
  if (name) {
    await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { installmentPlan }));
    await work.update(INSTALLMENT_PLANS, { id: row.id }, NO_IDEMPOTENCY_KEY);
  }
  return installmentPlan;
}

/**
 * Returns a plan after the request that created or retried it. If its payment is unconfirmed, the response of the request is stored as it is now; the
 * outcome of any other payment was stored with its response.
 */
export async function storeResponse(deps: Dependencies, tenantId: string, id: string): Promise<InstallmentPlan> {
  return deps.database.unitOfWork.transaction(tenantId, async (work) => {
    const row = await work.lockOne(INSTALLMENT_PLANS, { id });
    if (!row) throw planNotFound(id);
    return completeRequest(deps, work, row);
  });
}

/**
 * Writes all columns of a plan and the changed installments, and notifies open screens. Unless a payment is pending or being prepared, this ends the
 * request that waits for the plan.
 */
export async function writePlan(deps: Dependencies, work: Work, before: Plan, after: Plan): Promise<PlanRow> {
  const next = { ...after.row, fence: before.row.fence + 1 };
  const { tenant_id, id, ...set } = next;
  await work.update(INSTALLMENT_PLANS, { id }, set);
  for (const [index, each] of after.installments.entries()) {
    if (each === before.installments[index]) continue;
    const { number, paid_minor, paid_at, transaction_id } = each;
    await work.update(INSTALLMENTS, { plan_id: id, number }, { paid_minor, paid_at, transaction_id });
  }
  if (next.idempotency_key !== null && next.pending_transaction === null && next.lease_ms === 0) await completeRequest(deps, work, next);
  notifyScreens(deps, work, before.row);
  return next;
}
