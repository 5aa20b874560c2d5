import type { Work } from '#core/database';
import { bind } from '#core/kernel';
import { assignCard, blockCard, replaceCard, unblockCard } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { emailCode } from './email-code.ts';
import { expiryJob } from './expiry-job.ts';
import { extendCard } from './extend.ts';
import { importGiftCards } from './import.ts';
import { give, giveTo } from './issue.ts';
import { customerDeleted } from './operation.ts';
import {
  addGiftCards,
  cancelGiftCards,
  giftCardsOfOrder,
  ordersReloading,
  prepareGiftCards,
  settleGiftCards,
  soldByOrder,
} from './order-loads.ts';
import { getWithActions, page } from './read.ts';
import { balanceByCode, isReturnClosed, redeem, referredCard, restore } from './redeem.ts';
import { loadRefundTarget, prepareRefundTarget, reserveRefundTarget } from './refund-target.ts';
import { GIFT_CARD_ENTRIES, GIFT_CARD_LOADS, GIFT_CARDS } from './schema.ts';

export type { GiftCardResult } from './dependencies.ts';
export { withFreeCode } from './issue.ts';
export type { NewOrderGiftCard, OrderMoney } from './order-loads.ts';
export { codeInAddress } from './read.ts';
export { READABLE_GIFT_CARD_ENTRIES, READABLE_GIFT_CARD_LOADS } from './read-model.ts';
export {
  GiftCard,
  GiftCardBalance,
  GiftCardDetail,
  GiftCardImport,
  GiftCardMapping,
  IssuedGiftCard,
  ListedGiftCard,
  OrderGiftCard,
} from './records.ts';
export { storeCreditClosed } from './redeem.ts';
export type { RefundTarget, RefundTargetInput } from './refund-target.ts';
export { GIFT_CARD_KINDS, GIFT_CARD_STATUSES } from './schema.ts';

export const TABLES = [GIFT_CARDS, GIFT_CARD_ENTRIES, GIFT_CARD_LOADS];

export type GiftCards = ReturnType<typeof createGiftCards>;

/** Gift cards and store credit: a liability of the merchant, which tenders redeem. */
export function createGiftCards(deps: Dependencies) {
  deps.scheduler.register(expiryJob(deps));
  return {
    ...bind(deps, { give, giveTo }),
    ...bind(deps, { import: importGiftCards, assign: assignCard, replace: replaceCard, extend: extendCard, getWithActions, referredCard }),
    ...bind(deps, { redeem, restore, prepareRefundTarget, reserveRefundTarget, loadRefundTarget, prepareForOrder: prepareGiftCards }),
    ...bind(deps, { addToOrder: addGiftCards, settleOrder: settleGiftCards, orderCanceled: cancelGiftCards }),
    ...bind(deps, { block: blockCard, unblock: unblockCard }),
    ...bind(deps, { email: emailCode, balance: balanceByCode, page }),
    /** Returns true if refunds of a payment need another target than the card that paid. */
    isReturnClosed,
    /** Returns the sum of the gift cards that an order sells, in minor units. */
    soldByOrder,
    /** Returns the orders that reload the store credit of a customer. */
    ordersReloading: (work: Work, customerId: string) => ordersReloading(work, customerId),
    ...bind(deps, { customerDeleted, ofOrder: giftCardsOfOrder }),
  };
}
