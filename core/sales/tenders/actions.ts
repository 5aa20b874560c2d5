import { type Actor, actionsOf, type WithActions } from '#core/kernel';
import { storeCreditClosed } from '#core/sales/gift-cards';
import type { Dependencies } from './dependencies.ts';
import { detailOf, findTender } from './read.ts';
import type { TenderDetail } from './records.ts';
import { refundableAmount } from './refund.ts';
import { checkReturnable } from './return-check.ts';

export type TenderAction = 'refund' | 'return';

/**
 * Returns a tender with what can be done with it now, by the checks of the operations themselves. `refund` has the remaining amount; a refund in cash also needs an
 * open shift if the merchant requires one. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED.
 */
export async function getWithActions(
  deps: Dependencies,
  actor: Actor,
  tenderId: string,
): Promise<TenderDetail & WithActions<TenderAction>> {
  const { row } = await findTender(deps, actor, tenderId);
  const actions = await actionsOf({
    refund: async () => {
      const maxAmount = refundableAmount(row);
      const { gift_card_id: cardId } = row;
      if (cardId !== null && (await deps.giftCards.isReturnClosed(deps.database.read(actor.tenantId), cardId)))
        throw storeCreditClosed(cardId);
      return { maxAmount };
    },
    return: () => {
      checkReturnable(row);
      return {};
    },
  });
  return { ...(await detailOf(deps, row)), actions };
}
