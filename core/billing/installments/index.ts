import { lit, type PageRequest, queriesOn, TENANT, type Work } from '#core/database';
import type { Actor } from '#core/kernel';
import { type ChangeEvents, countObstacles } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { createAction, getWithActions } from './actions.ts';
import { agreedCharges } from './agreed-charges.ts';
import { cancel, changeMethod, pause, resume, retryNow } from './change.ts';
import { installmentJob } from './charge.ts';
import { create, type NewInstallmentPlan } from './create.ts';
import type { Caller, Dependencies } from './dependencies.ts';
import {
  customerDeleted,
  invoiceChanged,
  paymentMethodChanged,
  paymentMethodRemoved,
  paymentMethodReplaced,
  paymentReturned,
} from './outcome.ts';
import { get, installmentOf, methodsOfOpenPlans, openPlanOf, type PlanFilter, page, preview } from './read.ts';
import type { ScheduleInput } from './schedule.ts';
import { INSTALLMENT_PAYMENTS, INSTALLMENT_PLANS, INSTALLMENTS } from './schema.ts';
import { storeResponse } from './write.ts';

export type { InstallmentPlanResult } from './dependencies.ts';
export { type ChargedInstallment, invoicesInInstallments } from './read.ts';
export { InstallmentPlan, InstallmentPreview } from './records.ts';
export { COUNT_MAX, COUNT_MIN } from './schedule.ts';
export { INTERVALS, PLAN_STATUSES } from './schema.ts';

export const TABLES = [INSTALLMENT_PLANS, INSTALLMENTS, INSTALLMENT_PAYMENTS];

export type Installments = ReturnType<typeof createInstallments>;

/** Plans that pay an invoice in dated automatic charges (decision record 108). */
export function createInstallments(deps: Dependencies) {
  deps.scheduler.register(installmentJob(deps));
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(INSTALLMENT_PLANS, 'active_installment_plans', (plan) =>
        plan('status', 'in', [lit('active'), lit('past_due'), lit('paused')]),
      ),
    ],
    create: (actor: Actor, input: NewInstallmentPlan) => create(deps, actor, input),
    preview: (actor: Actor, input: ScheduleInput & { readonly invoiceId: string }) => preview(deps, actor, input),
    page: (actor: Caller, filter: PlanFilter, request: PageRequest) => page(deps, actor, filter, request),
    get: (actor: Caller, id: string) => get(deps, actor, id),
    /** Same as `get()`, with what can be done with the plan now. */
    getWithActions: (actor: Actor, id: string) => getWithActions(deps, actor, id),
    /** Returns whether an invoice can be paid in installments now. */
    createAction: (actor: Actor, invoiceId: string) => createAction(deps, actor, invoiceId),
    openPlanOf: (tenantId: string, invoiceId: string) => openPlanOf(deps, tenantId, invoiceId),
    installmentOf: (tenantId: string, transactionId: string) => installmentOf(deps, tenantId, transactionId),
    pause: (actor: Actor, id: string) => pause(deps, actor, id),
    resume: (actor: Actor, id: string) => resume(deps, actor, id),
    cancel: (actor: Actor, id: string, reason?: string) => cancel(deps, actor, id, reason),
    changeMethod: (actor: Actor, id: string, input: { readonly paymentMethodId: string; readonly consentText?: string }) =>
      changeMethod(deps, actor, id, input),
    retryNow: (actor: Actor, id: string) => retryNow(deps, actor, id),
    /** Completes the keys of requests that have ended without one, such as those that an earlier version left open. */
    async cleanUp(tenantId: string): Promise<void> {
      const open = await deps.database.read(tenantId).rows(
        queriesOn(INSTALLMENT_PLANS)
          .selectFrom('installment_plans')
          .select('id')
          .where('tenant_id', '=', TENANT)
          .where('idempotency_key', 'is not', null)
          .where('lease_ms', '=', lit(0))
          .where(({ or, eb }) => or([eb('pending_transaction', 'is', null), eb('due_ms', 'is', null)])),
      );
      for (const { id } of open) await storeResponse(deps, tenantId, id);
    },
    agreedCharges: (actor: Actor, merchants: readonly Merchant[]) => agreedCharges(deps, actor, merchants),
    customerDeleted: (work: Work, event: ChangeEvents['customer.deleted']) => customerDeleted(deps, work, event),
    invoiceChanged: (work: Work, event: ChangeEvents['invoice.changed']) => invoiceChanged(deps, work, event),
    paymentReturned: (work: Work, event: ChangeEvents['payment.returned']) => paymentReturned(deps, work, event),
    paymentMethodChanged: (work: Work, event: ChangeEvents['payment-method.changed']) => paymentMethodChanged(deps, work, event),
    paymentMethodReplaced: (work: Work, event: ChangeEvents['payment-method.replaced']) => paymentMethodReplaced(deps, work, event),
    paymentMethodRemoved,
    methodsOfOpenPlans,
  };
}
