import type { Work } from '#core/database';
import type { TenantTime } from '#core/kernel';
import { money, storedCurrency } from '#core/kernel';
import type { AuditActor } from '#core/records/audit';
import type { TypedEvent } from '#core/records/webhooks';
import type { Dependencies } from './dependencies.ts';
import { auditFields, eventData } from './installment-plan.ts';
import type { Plan } from './progress.ts';
import type { AttemptRow, InstallmentRow, PlanRow } from './schema.ts';

type PlanData = ReturnType<typeof eventData>;

/** Emits an event of a plan in the unit of work of its cause. */
function emitPlanEvent(deps: Dependencies, work: Work, plan: Plan, now: TenantTime, eventOf: (data: PlanData) => TypedEvent): void {
  const { row } = plan;
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    ...eventOf(eventData(plan)),
  });
}

export function emitCreated(deps: Dependencies, work: Work, plan: Plan, now: TenantTime): void {
  emitPlanEvent(deps, work, plan, now, (data) => ({ type: 'installment_plan.created', data }));
}

/** Emits the events of installments that a change paid, and of the new status of the plan. */
export function emitProgress(deps: Dependencies, work: Work, before: Plan, after: Plan, now: TenantTime): void {
  for (const [index, each] of after.installments.entries()) {
    if (each.paid_at !== null && before.installments[index]?.paid_at === null) emitPaid(deps, work, after, each, now);
  }
  const { status } = after.row;
  if (status === before.row.status) return;
  if (status === 'completed') emitPlanEvent(deps, work, after, now, (data) => ({ type: 'installment_plan.completed', data }));
  if (status === 'past_due') emitPlanEvent(deps, work, after, now, (data) => ({ type: 'installment_plan.past_due', data }));
  if (status === 'canceled') {
    const { cancel_reason: reason } = after.row;
    emitPlanEvent(deps, work, after, now, (data) => ({ type: 'installment_plan.canceled', data: { ...data, reason } }));
  }
}

function emitPaid(deps: Dependencies, work: Work, plan: Plan, installment: InstallmentRow, now: TenantTime): void {
  const { number, due_date: dueDate, amount_minor, transaction_id: transactionId } = installment;
  const installmentAmount = money(amount_minor, storedCurrency(plan.row.currency));
  emitPlanEvent(deps, work, plan, now, (data) => ({
    type: 'installment.paid',
    data: { ...data, number, dueDate, installmentAmount, transactionId },
  }));
}

/** Emits the event of a failed attempt. */
export function emitFailed(
  deps: Dependencies,
  work: Work,
  plan: Plan,
  { number, attempt, amount_minor, transaction_id: transactionId }: AttemptRow,
  failure: { readonly declineCode: string; readonly declineReason: string },
  now: TenantTime,
): void {
  const { retry_ms, currency } = plan.row;
  const installmentAmount = money(amount_minor, storedCurrency(currency));
  const nextRetryAt = retry_ms === null ? null : new Date(retry_ms).toISOString();
  emitPlanEvent(deps, work, plan, now, (data) => ({
    type: 'installment.failed',
    data: { ...data, number, installmentAmount, transactionId, attempt, nextRetryAt, ...failure },
  }));
}

export function auditPlan(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  action: string,
  before: PlanRow | null,
  after: PlanRow,
  more: Record<string, unknown> = {},
): void {
  deps.audit(work, {
    actor,
    action: `installment_plan.${action}`,
    resource: `installment-plans/${after.id}`,
    merchantId: after.merchant_id,
    before: before === null ? null : auditFields(before),
    after: { ...auditFields(after), ...more },
  });
}
