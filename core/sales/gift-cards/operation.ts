import type { Work } from '#core/database';
import { type Actor, ServiceError } from '#core/kernel';
import { withClaimedKey } from '#core/platform/idempotency';
import { giftCardNotFound } from './card.ts';
import type { Dependencies, GiftCardResult } from './dependencies.ts';
import { GIFT_CARDS, type GiftCardRow, type GiftCardStatus } from './schema.ts';

export const conflict = ({ id: giftCardId, status }: GiftCardRow, reason: string, message: string) =>
  new ServiceError('RESOURCE_CONFLICT', message, { details: { reason, giftCardId, status } });

/** Runs an operation in one unit of work, with the stored response of its idempotency key. */
export function inWork<Result extends GiftCardResult>(
  deps: Dependencies,
  actor: Actor,
  run: (work: Work) => Promise<Result>,
): Promise<Result> {
  return withClaimedKey(() =>
    deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
      deps.idempotencyKeys.claim(work, actor);
      const result = await run(work);
      if (actor.idempotencyKey) {
        const response = deps.renderResponse(actor.idempotencyKey.route, result);
        await deps.idempotencyKeys.completeInWork(work, actor.idempotencyKey, response, { isSecret: 'issuedGiftCard' in result });
      }
      return result;
    }),
  );
}

/** Returns a card of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findCard(
  deps: Pick<Dependencies, 'database' | 'merchantFor'>,
  actor: Pick<Actor, 'tenantId' | 'merchantId'>,
  giftCardId: string,
): Promise<GiftCardRow> {
  const row = await deps.database.read(actor.tenantId).one(GIFT_CARDS, { id: giftCardId });
  if (row === null) throw giftCardNotFound(giftCardId);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

const REFUSALS: Readonly<Record<Exclude<GiftCardStatus, 'active'>, string>> = {
  pending: 'This gift card is not paid yet.',
  blocked: 'This gift card is blocked.',
  expired: 'This gift card has expired.',
  replaced: 'This gift card was replaced by another one.',
  canceled: 'The order that sold this gift card was canceled.',
};

/** @throws ServiceError RESOURCE_CONFLICT unless the card is active. */
export function checkIsActive({ id: giftCardId, status }: GiftCardRow): void {
  if (status !== 'active')
    throw new ServiceError('RESOURCE_CONFLICT', REFUSALS[status], { details: { reason: `gift_card_${status}`, giftCardId } });
}

/** @throws ServiceError RESOURCE_CONFLICT unless an amount can be put on the card. An expired card becomes active by it. */
export function checkCanLoad(row: GiftCardRow): void {
  if (row.status !== 'expired') checkIsActive(row);
}

/** Locks the store credit of a customer in a currency. Returns null if the customer has none yet. */
export async function lockStoreCredit(work: Work, merchantId: string, customerId: string, currency: string): Promise<GiftCardRow | null> {
  await work.advisoryLock(`store credit ${work.tenantId} ${merchantId} ${customerId} ${currency}`);
  return work.lockOne(GIFT_CARDS, { merchant_id: merchantId, customer_id: customerId, currency, kind: 'store_credit' });
}

/** Takes a deleted customer off its gift cards, in the unit of work of the deletion. @throws ServiceError RESOURCE_CONFLICT if it has store credit. */
export async function customerDeleted(work: Work, customerId: string): Promise<void> {
  const giftCardIds: string[] = [];
  for (const { id } of await work.find(GIFT_CARDS, { customer_id: customerId }, { orderBy: [['id', 'asc']] })) {
    const row = await work.lockOne(GIFT_CARDS, { id });
    if (row?.kind === 'gift_card') await work.update(GIFT_CARDS, { id }, { customer_id: null });
    else if (row !== null && row.balance_minor > 0) giftCardIds.push(id);
  }
  if (giftCardIds.length > 0)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'This customer has store credit, which nobody could spend. Delete the customer once it is spent.',
      {
        details: { reason: 'store_credit', giftCardIds },
      },
    );
}
