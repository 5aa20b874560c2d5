import type { Work } from '#core/database';
import { type Actor, isoTime, money, storedCurrency, type TenantTime, timeAfter } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { announce, changeBalance, type GiftCardEvent, lockCard, toGiftCard } from './card.ts';
import type { Dependencies } from './dependencies.ts';
import { dueTimeOf, EXPIRY_JOB, isPastExpiry, statusAt, type Terms } from './expiry.ts';
import { newCardRow, prepareCode, withFreeCode } from './issue.ts';
import { checkCanLoad, checkIsActive, conflict, findCard, inWork, isClosed } from './operation.ts';
import type { GiftCard, IssuedGiftCard } from './records.ts';
import { GIFT_CARD_LOADS, GIFT_CARDS, type GiftCardRow } from './schema.ts';

/** Checks that a card can be blocked. A card past its last day expires instead. @throws ServiceError RESOURCE_CONFLICT. */
export const checkBlock = (row: GiftCardRow, merchant: Terms, now: TenantTime): void =>
  checkIsActive({ ...row, status: statusAt(row, merchant, now) });

/** Checks that a blocked card can pay again. @throws ServiceError RESOURCE_CONFLICT. */
export function checkUnblock(row: GiftCardRow, merchant: Terms, now: TenantTime): void {
  if (row.status !== 'blocked') throw conflict(row, 'not_blocked', 'This gift card is not blocked.');
  checkLastDay(row, merchant, now);
}

/** The job would take the balance of the card as soon as it is active. */
function checkLastDay(row: GiftCardRow, merchant: Terms, now: TenantTime): void {
  if (isPastExpiry(row, merchant, now))
    throw conflict(row, 'past_expiry', 'The last day of this gift card has passed. Extend the card first.');
}

/** Checks that a card can be replaced. @throws ServiceError RESOURCE_CONFLICT. */
export function checkReplace(row: GiftCardRow, merchant: Terms, now: TenantTime): void {
  // A disputed order can put its amount on store credit of a deleted customer, where nobody could spend it.
  if (isClosed(row) && row.balance_minor > 0) return;
  if (row.kind === 'store_credit') throw conflict(row, 'store_credit', 'Store credit has no code, so it cannot be replaced.');
  if (row.status !== 'blocked') checkIsActive(row);
  checkLastDay(row, merchant, now);
}

/** Blocks a card, so that it pays nothing and does not expire. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
export const blockCard = (deps: Dependencies, actor: Actor, id: string, { reason }: { readonly reason?: string }): Promise<GiftCard> =>
  changeStatus(deps, actor, id, 'gift_card.blocked', (row, merchant, now) => {
    checkBlock(row, merchant, now);
    return { status: 'blocked', block_reason: reason?.trim() || null };
  });

export const unblockCard = (deps: Dependencies, actor: Actor, id: string): Promise<GiftCard> =>
  changeStatus(deps, actor, id, 'gift_card.unblocked', (row, merchant, now) => {
    checkUnblock(row, merchant, now);
    return { status: 'active', block_reason: null };
  });

async function changeStatus(
  deps: Dependencies,
  actor: Actor,
  id: string,
  event: GiftCardEvent,
  changesOf: (row: GiftCardRow, merchant: Terms, now: TenantTime) => Pick<GiftCardRow, 'status' | 'block_reason'>,
): Promise<GiftCard> {
  const { merchant_id: merchantId } = await findCard(deps, actor, id);
  const merchant = await deps.merchantFor(actor, merchantId);
  const { giftCard } = await inWork(deps, actor, async (work) => {
    const row = await lockCard(work, id);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const changes = { ...changesOf(row, merchant, now), updated_at: isoTime(now) };
    const set = { ...changes, ...released(dueTimeOf({ ...row, ...changes }, merchant)) };
    await work.update(GIFT_CARDS, { id }, set);
    if (set.due_ms !== null) work.afterCommit(() => deps.scheduler.wake(EXPIRY_JOB, row.tenant_id));
    const next = { ...row, ...set };
    announce(deps, work, event, { row: next, actor, atMs: now, reason: set.block_reason });
    return { giftCard: toGiftCard(next) };
  });
  return giftCard;
}

/** Checks that a card can name a customer. @throws ServiceError RESOURCE_CONFLICT. */
export function checkAssign(row: GiftCardRow): void {
  if (row.kind === 'store_credit') throw conflict(row, 'store_credit', 'Store credit belongs to its customer.');
  if (row.status !== 'blocked') checkCanLoad(row);
}

/** Names the customer of a gift card, or none. The card still pays by its code only. @throws ServiceError NOT_FOUND, CUSTOMER_NOT_FOUND, RESOURCE_CONFLICT. */
export async function assignCard(
  deps: Dependencies,
  actor: Actor,
  id: string,
  { customerId }: { readonly customerId: string | null },
): Promise<GiftCard> {
  const { merchant_id: merchantId } = await findCard(deps, actor, id);
  if (customerId !== null) await deps.customers.payerAt(actor, merchantId, customerId);
  const { giftCard } = await inWork(deps, actor, async (work) => {
    // The lock refuses a customer that was deleted in the meantime.
    if (customerId !== null) await deps.customers.lock(work, customerId);
    const row = await lockCard(work, id);
    checkAssign(row);
    if (row.customer_id === customerId) return { giftCard: toGiftCard(row) };
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { customer_id: customerId, updated_at: isoTime(now) };
    await work.update(GIFT_CARDS, { id }, set);
    announce(deps, work, 'gift_card.assigned', { row: { ...row, ...set }, actor, atMs: now, former: row });
    return { giftCard: toGiftCard({ ...row, ...set }) };
  });
  return giftCard;
}

/** Moves the balance of a lost card to a new one with another code. @throws ServiceError NOT_FOUND, VALIDATION_ERROR, RESOURCE_CONFLICT. */
export async function replaceCard(
  deps: Dependencies,
  actor: Actor,
  id: string,
  input: { readonly code?: string; readonly pin?: string; readonly reason?: string },
): Promise<IssuedGiftCard> {
  const { merchant_id: merchantId } = await findCard(deps, actor, id);
  const merchant = await deps.merchantFor(actor, merchantId);
  const code = await prepareCode(deps, actor, merchantId, input);
  const reason = input.reason?.trim() || null;
  const { issuedGiftCard } = await withFreeCode(() =>
    inWork(deps, actor, async (work) => {
      const former = await lockCard(work, id);
      const now = timeAfter(deps.clockOf(actor.tenantId).now(), former.updated_at);
      checkReplace(former, merchant, now);
      const currency = storedCurrency(former.currency);
      // The caller gets a code for money whose code only its holder knew.
      if (former.balance_minor > 0) await deps.claimSpending(work, actor, money(former.balance_minor, currency));
      const next = newCardRow(actor, former.merchant_id, currency, now, code, {
        status: 'active',
        customer_id: isClosed(former) ? null : former.customer_id,
      });
      work.insert(GIFT_CARDS, next);
      const shared = { transfer: null, actor, reason } as const;
      await changeBalance(deps, work, former, {
        ...shared,
        kind: 'moved_out',
        changeMinor: -former.balance_minor,
        event: 'gift_card.replaced',
        subjectId: next.id,
        set: { status: 'replaced', replaced_by: next.id, expired_minor: 0 },
      });
      const row = await changeBalance(deps, work, next, {
        ...shared,
        kind: 'moved_in',
        changeMinor: former.balance_minor,
        event: 'gift_card.issued',
        subjectId: former.id,
        set: { expires_on: former.expires_on, expired_minor: former.expired_minor },
      });
      await moveLoads(work, former.id, next.id);
      return { issuedGiftCard: { ...toGiftCard(row), code: code.shown } };
    }),
  );
  return issuedGiftCard;
}

/** Orders that put money on a replaced card take it back from the new one. */
async function moveLoads(work: Work, from: string, to: string): Promise<void> {
  for (const { order_id } of await work.find(GIFT_CARD_LOADS, { gift_card_id: from }))
    await work.update(GIFT_CARD_LOADS, { order_id, gift_card_id: from }, { gift_card_id: to });
}
