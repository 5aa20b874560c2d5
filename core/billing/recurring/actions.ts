import { type Actor, actionsOf, type WithActions } from '#core/kernel';
import { checkChange } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { findSubscription, loadSubscription } from './read.ts';
import type { Subscription } from './records.ts';
import type { SubscriptionOperation } from './steps.ts';

/**
 * Returns a subscription with what can be done with it now, by the checks of the operations themselves. @throws ServiceError
 * SUBSCRIPTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function getWithActions(
  deps: Dependencies,
  actor: Actor,
  id: string,
): Promise<Subscription & WithActions<SubscriptionOperation>> {
  const { row, merchant } = await findSubscription(deps, actor, id);
  const check = (operation: SubscriptionOperation) => () => {
    checkChange(row, operation);
    return {};
  };
  const actions = await actionsOf({
    pause: check('pause'),
    resume: check('resume'),
    skip: check('skip'),
    cancel: check('cancel'),
    update: check('update'),
    retry: check('retry'),
  });
  return { ...(await loadSubscription(deps, row, merchant.timezone)), actions };
}
