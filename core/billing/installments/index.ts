import { lit, queriesOn, TENANT } from '#core/database';
import { bind } from '#core/kernel';
import { countObstacles } from '#core/processing/domain-events';
import { createAction, getWithActions } from './actions.ts';
import { agreedCharges } from './agreed-charges.ts';
import { cancel, changeMethod, pause, resume, retryNow } from './change.ts';
import { installmentJob } from './charge.ts';
import { create } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import {
  customerDeleted,
  invoiceChanged,
  paymentMethodChanged,
  paymentMethodRemoved,
  paymentMethodReplaced,
  paymentReturned,
} from './outcome.ts';
import { get, installmentOf, methodsOfOpenPlans, openPlanOf, page, preview } from './read.ts';
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
    ...bind(deps, {
      create,
      createAction,
      preview,
      page,
      get,
      getWithActions,
      openPlanOf,
      installmentOf,
      pause,
      resume,
      cancel,
      changeMethod,
      retryNow,
    }),
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
    ...bind(deps, { agreedCharges, customerDeleted, invoiceChanged, paymentReturned, paymentMethodChanged, paymentMethodReplaced }),
    paymentMethodRemoved,
    methodsOfOpenPlans,
  };
}
