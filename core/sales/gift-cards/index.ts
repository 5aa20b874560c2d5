import type { Work } from '#core/database';
import { type Actor, bind, type Currency, type Money } from '#core/kernel';
import type { AuditActor } from '#core/records/audit';
import { assignCard, blockCard, replaceCard, unblockCard } from './change.ts';
import type { CodeInput } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { emailCode } from './email-code.ts';
import { expiryJob } from './expiry-job.ts';
import { extendCard } from './extend.ts';
import { type GiftCardImportInput, importGiftCards } from './import.ts';
import { give, giveTo } from './issue.ts';
import { customerDeleted } from './operation.ts';
import {
  addGiftCards,
  cancelGiftCards,
  giftCardsOfOrder,
  type NewOrderGiftCard,
  type OrderCoverage,
  ordersReloading,
  type PreparedGiftCard,
  prepareGiftCards,
  settleGiftCards,
  soldByOrder,
} from './order-loads.ts';
import { getWithActions, page } from './read.ts';
import { balanceByCode, type GiftCardPayment, type GiftCardReference, isReturnClosed, redeem, referredCard, restore } from './redeem.ts';
import { loadRefundTarget, prepareRefundTarget, type RefundTarget, type RefundTargetInput, reserveRefundTarget } from './refund-target.ts';
import { GIFT_CARD_ENTRIES, GIFT_CARD_LOADS, GIFT_CARDS } from './schema.ts';

export type { GiftCardResult } from './dependencies.ts';
export { withFreeCode } from './issue.ts';
export type { NewOrderGiftCard, OrderMoney } from './order-loads.ts';
export { codeInAddress } from './read.ts';
export { READABLE_GIFT_CARD_ENTRIES } from './read-model.ts';
export { GiftCard, GiftCardBalance, GiftCardDetail, GiftCardImport, IssuedGiftCard, OrderGiftCard } from './records.ts';
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
    /** Imports balances of another product from a CSV file. */
    import: (actor: Actor, input: GiftCardImportInput) => importGiftCards(deps, actor, input),
    ...bind(deps, { block: blockCard, unblock: unblockCard }),
    /** Names the customer of a gift card, or none. */
    assign: (actor: Actor, giftCardId: string, input: { readonly customerId: string | null }) => assignCard(deps, actor, giftCardId, input),
    replace: (actor: Actor, giftCardId: string, input: Partial<CodeInput> & { readonly reason?: string }) =>
      replaceCard(deps, actor, giftCardId, input),
    /** Moves the last day of a card, and puts its expired balance on it again. */
    extend: (actor: Actor, giftCardId: string, input: { readonly expiresOn: string | null; readonly reason: string }) =>
      extendCard(deps, actor, giftCardId, input),
    ...bind(deps, { email: emailCode, balance: balanceByCode, page }),
    /** Returns a card with its entries and with what can be done with it now. */
    getWithActions: (actor: Actor, giftCardId: string) => getWithActions(deps, actor, giftCardId),
    /** Returns the ID of the card that pays a tender. */
    referredCard: (actor: Actor, merchantId: string, reference: GiftCardReference) => referredCard(deps, actor, merchantId, reference),
    /** Takes a payment off a card in the unit of work of its tender. */
    redeem: (work: Work, actor: AuditActor, payment: GiftCardPayment) => redeem(deps, work, actor, payment),
    /** Returns a refund to its card in the unit of work of the refund. */
    restore: (work: Work, actor: AuditActor, payment: GiftCardPayment) => restore(deps, work, actor, payment),
    /** Returns true if refunds of a payment need another target than the card that paid. */
    isReturnClosed,
    /** Checks what gets a refund. */
    prepareRefundTarget: (actor: Actor, merchantId: string, currency: Currency, input: RefundTargetInput) =>
      prepareRefundTarget(deps, actor, merchantId, currency, input),
    /** Returns the ID of the card that gets a refund, before the payments are locked. */
    reserveRefundTarget: (work: Work, actor: Actor, target: RefundTarget) => reserveRefundTarget(deps, work, actor, target),
    /** Puts refunds on their card in the unit of work of the refunds. */
    loadRefundTarget: (
      work: Work,
      actor: Actor,
      target: RefundTarget,
      giftCardId: string,
      refunds: readonly { readonly refundId: string; readonly amount: Money }[],
    ) => loadRefundTarget(deps, work, actor, target, giftCardId, refunds),
    /** Checks the gift cards of a new order. */
    prepareForOrder: (actor: Actor, merchantId: string, currency: Currency, given: readonly NewOrderGiftCard[]) =>
      prepareGiftCards(deps, actor, merchantId, currency, given),
    /** Stores the gift cards of a new order in its unit of work. */
    addToOrder: (
      work: Work,
      actor: Actor,
      order: { readonly orderId: string; readonly merchantId: string },
      cards: readonly PreparedGiftCard[],
    ) => addGiftCards(deps, work, actor, order, cards),
    /** Loads or takes back the gift cards of an order, in the unit of work that changes its money. */
    settleOrder: (work: Work, coverage: OrderCoverage) => settleGiftCards(deps, work, coverage),
    /** Returns the sum of the gift cards that an order sells, in minor units. */
    soldByOrder,
    orderCanceled: (work: Work, orderId: string, actor: AuditActor) => cancelGiftCards(deps, work, orderId, actor),
    /** Returns the orders that reload the store credit of a customer. */
    ordersReloading: (work: Work, customerId: string) => ordersReloading(work, customerId),
    ...bind(deps, { customerDeleted, ofOrder: giftCardsOfOrder }),
  };
}
