import { type Actor, actionsOf, step, type WithActions } from '#core/kernel';
import { checkRelease, findRow } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { toQueuedPayment } from './queued-payment.ts';
import type { QueuedPayment } from './records.ts';
import { QUEUED_PAYMENT_STEPS } from './steps.ts';

export type QueuedPaymentAction = 'release' | 'cancel' | 'replace';

/** Returns a queued payment with what can be done with it now, by the checks of the operations themselves. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getWithActions(
  deps: Dependencies,
  actor: Actor,
  id: string,
): Promise<QueuedPayment & WithActions<QueuedPaymentAction>> {
  const row = await findRow(deps, actor, id);
  const merchant = await deps.merchantFor(actor, row.merchant_id);
  const check = (operation: 'cancel' | 'replace') => () => {
    step(QUEUED_PAYMENT_STEPS, row.status, operation);
    return {};
  };
  const actions = await actionsOf({
    release: async () => {
      await checkRelease(deps.database.read(actor.tenantId), merchant, row);
      return {};
    },
    cancel: check('cancel'),
    replace: check('replace'),
  });
  return { ...toQueuedPayment(row), actions };
}
