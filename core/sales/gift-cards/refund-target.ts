import type { Work } from '#core/database';
import { type Actor, type Currency, type Money, newId, ServiceError } from '#core/kernel';
import { changeBalance, lockCard, toGiftCard } from './card.ts';
import type { Dependencies } from './dependencies.ts';
import { newCardRow, type PreparedCode, prepareCode } from './issue.ts';
import { checkCanLoad, findCard } from './operation.ts';
import type { IssuedGiftCard } from './records.ts';
import { GIFT_CARDS } from './schema.ts';

/** Names the target of a refund: the store credit of a customer, a card, or by default a new card. */
export interface RefundTargetInput {
  readonly customerId?: string | undefined;
  readonly giftCardId?: string | undefined;
}

/** A checked target of a refund. */
export interface RefundTarget {
  readonly merchantId: string;
  readonly currency: Currency;
  readonly customerId: string | null;
  /** Card that exists; null for a new card, and for store credit. */
  readonly giftCardId: string | null;
  /** Code of a new card. */
  readonly code: PreparedCode | null;
  /** Facts for an approver. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Checks the target of a refund. @throws ServiceError NOT_FOUND, CUSTOMER_NOT_FOUND, VALIDATION_ERROR, RESOURCE_CONFLICT. */
export async function prepareRefundTarget(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  currency: Currency,
  { customerId, giftCardId }: RefundTargetInput,
): Promise<RefundTarget> {
  const target = { merchantId, currency, customerId: customerId ?? null, giftCardId: giftCardId ?? null, code: null, facts: {} };
  if (customerId !== undefined && giftCardId !== undefined)
    throw new ServiceError('VALIDATION_ERROR', 'Send `customerId` or `giftCardId`, not both.', { field: 'giftCardId' });
  if (customerId !== undefined) {
    const { name } = await deps.customers.payerAt(actor, merchantId, customerId);
    return { ...target, facts: { customerId, customerName: name } };
  }
  if (giftCardId === undefined) return { ...target, code: await prepareCode(deps, actor, merchantId, {}) };
  const row = await findCard(deps, actor, giftCardId);
  if (row.merchant_id !== merchantId)
    throw new ServiceError('VALIDATION_ERROR', 'This gift card belongs to another merchant.', { field: 'giftCardId' });
  if (row.currency !== currency)
    throw new ServiceError('VALIDATION_ERROR', `This gift card is in ${row.currency}.`, { field: 'giftCardId' });
  checkCanLoad(row);
  return { ...target, facts: { giftCardId, giftCardLastCharacters: row.last4 } };
}

/**
 * Returns the ID of the card that gets a refund, before the payments are locked: gift cards are locked after orders.
 */
export async function reserveRefundTarget(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { merchantId, currency, customerId, giftCardId }: RefundTarget,
): Promise<string> {
  if (giftCardId !== null) return giftCardId;
  const fresh = newId('gcd', deps.clockOf(actor.tenantId).now());
  if (customerId === null) return fresh;
  await deps.customers.lock(work, customerId);
  await work.advisoryLock(`store credit ${work.tenantId} ${merchantId} ${customerId} ${currency}`);
  const found = await work.one(GIFT_CARDS, { merchant_id: merchantId, customer_id: customerId, currency, kind: 'store_credit' });
  return found?.id ?? fresh;
}

/** Puts refunds on their card in the unit of work of the refunds. @throws ServiceError RESOURCE_CONFLICT unless the card is active or expired. */
export async function loadRefundTarget(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { merchantId, currency, customerId, code }: RefundTarget,
  giftCardId: string,
  refunds: readonly { readonly refundId: string; readonly amount: Money }[],
): Promise<IssuedGiftCard> {
  const exists = (await work.one(GIFT_CARDS, { id: giftCardId })) !== null;
  if (!exists)
    work.insert(GIFT_CARDS, {
      ...newCardRow(actor, merchantId, currency, deps.clockOf(actor.tenantId).now(), code, { status: 'active', customer_id: customerId }),
      id: giftCardId,
    });
  let row = await lockCard(work, giftCardId);
  checkCanLoad(row);
  for (const [index, { refundId, amount }] of refunds.entries())
    row = await changeBalance(deps, work, row, {
      kind: 'refunded',
      changeMinor: amount.minor,
      event: exists || index > 0 ? 'gift_card.refunded' : 'gift_card.issued',
      transfer: null,
      actor,
      subjectId: refundId,
    });
  return { ...toGiftCard(row), code: code?.shown ?? null };
}
