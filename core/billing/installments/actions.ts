import { type Action, type Actor, actionOf, actionsOf, type WithActions } from '#core/kernel';
import { checkOpen } from '#core/processing/merchants';
import { checkChange } from './change.ts';
import { refuseSecondPlan } from './create.ts';
import type { Dependencies } from './dependencies.ts';
import { findPlan, loadPlan } from './read.ts';
import type { InstallmentPlan } from './records.ts';
import type { PlanOperation } from './steps.ts';

/** Returns a plan with what can be done with it now, by the checks of the operations themselves. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getWithActions(deps: Dependencies, actor: Actor, id: string): Promise<InstallmentPlan & WithActions<PlanOperation>> {
  const { row } = await findPlan(deps, actor, id);
  const check = (operation: PlanOperation) => () => {
    checkChange(row, operation);
    return {};
  };
  const actions = await actionsOf({
    pause: check('pause'),
    resume: check('resume'),
    cancel: check('cancel'),
    update: check('update'),
    retry: check('retry'),
  });
  return { ...(await loadPlan(deps, deps.database.read(actor.tenantId), row)), actions };
}

/** Returns whether an invoice can be paid in installments now. The payment method and its consent are part of the request. */
export const createAction = (deps: Dependencies, actor: Actor, invoiceId: string): Promise<Action> =>
  actionOf(async () => {
    const { balance } = await deps.invoicing.balanceOf(actor, invoiceId);
    await refuseSecondPlan(deps.database.read(actor.tenantId), invoiceId);
    const { merchantId } = await deps.customers.payer(actor, balance.customerId);
    checkOpen(await deps.merchantFor(actor, merchantId));
    return {};
  });
