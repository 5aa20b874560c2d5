import { type ActionLimits, type Actions, type Actor, actionsOf, money, storedCurrency } from '#core/kernel';
import { checkScope } from './capture/change.ts';
import { type ChangeOperation, capabilitiesFor, checkChange } from './capture/check-change.ts';
import type { Dependencies } from './dependencies.ts';
import { checkRefund } from './eligibility.ts';
import { checkState } from './sale/create-payment.ts';
import { checkRerun } from './sale/rerun.ts';

export type PaymentAction = 'refund' | 'capture' | 'void' | 'adjust' | 'tip' | 'cancelCapture' | 'credit' | 'rerun';

/**
 * Returns what can be done with a payment now, by the checks of the operations themselves. `refund` and `capture` have the largest amount that they
 * accept. @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function paymentActions(deps: Dependencies, actor: Actor, transactionId: string): Promise<Actions<PaymentAction>> {
  const row = await checkScope(deps, actor, transactionId);
  const currency = storedCurrency(row.currency);
  const change = async (operation: ChangeOperation, limits: ActionLimits = {}) => {
    checkChange(row, operation, await capabilitiesFor(deps, operation, row));
    return limits;
  };
  return actionsOf({
    refund: () => ({ maxAmount: checkRefund(row, undefined) }),
    capture: () => change('capture', { maxAmount: money(row.amount_minor, currency) }),
    void: () => change('void'),
    adjust: () => change('adjustAuthorization'),
    tip: () => change('adjustTip'),
    cancelCapture: () => change('cancelCapture'),
    credit: () => {
      checkState(row, 'credit');
      return {};
    },
    rerun: async () => {
      await checkRerun(deps, actor, row);
      return {};
    },
  });
}
