import type { Work } from '#core/database';
import { type Actor, type Caller, isoTime, ServiceError, timeAfter } from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import type { ChangeEvents } from '#core/processing/domain-events';
import { announce, giftCardNotFound, lockCard } from './card.ts';
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
  return runIdempotent(deps, actor, run, (result) => 'issuedGiftCard' in result);
}

/** Returns a card of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findCard(
  deps: Pick<Dependencies, 'database' | 'merchantFor'>,
  actor: Caller,
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

/** Returns true for store credit of a deleted customer, which nobody can spend. */
export const isClosed = ({ kind, status }: Pick<GiftCardRow, 'kind' | 'status'>): boolean =>
  kind === 'store_credit' && status === 'canceled';

/** @throws ServiceError RESOURCE_CONFLICT unless the card is active. */
export function checkIsActive(row: GiftCardRow): void {
  const { id: giftCardId, status } = row;
  if (isClosed(row)) throw conflict(row, 'store_credit_closed', 'The customer of this store credit was deleted.');
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

/**
 * Takes a deleted customer off its gift cards and closes its store credit, in the unit of work of the deletion. The caller has locked the customer, so no store
 * credit is added. @throws ServiceError RESOURCE_CONFLICT if the customer has store credit.
 */
export async function customerDeleted(
  deps: Pick<Dependencies, 'clockOf' | 'emit' | 'audit' | 'changed'>,
  work: Work,
  { actor, customerId }: ChangeEvents['customer.deleted'],
): Promise<void> {
  const rows: GiftCardRow[] = [];
  for (const { id } of await work.find(GIFT_CARDS, { customer_id: customerId }, { orderBy: [['id', 'asc']] }))
    rows.push(await lockCard(work, id));
  const spendable = rows.filter(({ kind, balance_minor }) => kind === 'store_credit' && balance_minor > 0);
  if (spendable.length > 0)
    throw new ServiceError(
      'RESOURCE_CONFLICT',
      'This customer has store credit, which nobody could spend. Delete the customer once it is spent.',
      { details: { reason: 'store_credit', giftCardIds: spendable.map(({ id }) => id) } },
    );
  for (const row of rows.filter(({ customer_id }) => customer_id === customerId)) {
    const atMs = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
    const isCredit = row.kind === 'store_credit';
    const set = { ...(isCredit ? { status: 'canceled' as const } : { customer_id: null }), updated_at: isoTime(atMs) };
    await work.update(GIFT_CARDS, { id: row.id }, set);
    const type = isCredit ? 'gift_card.canceled' : 'gift_card.assigned';
    announce(deps, work, type, { row: { ...row, ...set }, actor, atMs, former: row });
  }
}
