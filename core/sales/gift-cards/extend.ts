import { type Actor, dateIn, isoTime, money, parseDate, ServiceError, storedCurrency, timeAfter } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { announce, changeBalance, lockCard, toGiftCard } from './card.ts';
import type { Dependencies } from './dependencies.ts';
import { dueTimeOf, EXPIRY_JOB } from './expiry.ts';
import { checkGift, checkReason, lockGifts } from './issue.ts';
import { checkCanLoad, conflict, findCard, inWork } from './operation.ts';
import type { GiftCard } from './records.ts';
import { GIFT_CARDS, type GiftCardRow } from './schema.ts';

/** Checks that the last day of a card can be moved. @throws ServiceError RESOURCE_CONFLICT. */
export function checkExtend(row: GiftCardRow): void {
  if (row.status !== 'blocked') checkCanLoad(row);
  if (row.expires_on === null && row.expired_minor === 0) throw conflict(row, 'no_expiry', 'This gift card does not expire.');
}

/**
 * Moves the last day of a card, or removes it. An expired balance is put on the card again, which counts as a gift. @throws ApprovalRequired; ServiceError NOT_FOUND,
 * INVALID_DATE, VALIDATION_ERROR, RESOURCE_CONFLICT.
 */
export async function extendCard(
  deps: Dependencies,
  actor: Actor,
  giftCardId: string,
  { expiresOn, reason: given }: { readonly expiresOn: string | null; readonly reason: string },
): Promise<GiftCard> {
  const { merchant_id: merchantId } = await findCard(deps, actor, giftCardId);
  const merchant = await deps.merchantFor(actor, merchantId);
  const reason = checkReason(given);
  if (expiresOn !== null) parseDate(expiresOn, 'expiresOn');
  const { giftCard } = await inWork(deps, actor, async (work) => {
    await lockGifts(work, merchantId);
    const row = await lockCard(work, giftCardId);
    checkExtend(row);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const earliest = dateIn(merchant.timezone, now);
    if (expiresOn !== null && (expiresOn < earliest || (row.expires_on !== null && expiresOn <= row.expires_on)))
      throw new ServiceError('VALIDATION_ERROR', '`expiresOn` must be later than the present last day, and not in the past.', {
        field: 'expiresOn',
      });
    if (row.expired_minor > 0) {
      const amount = money(row.expired_minor, storedCurrency(row.currency));
      const details = { reason, giftCardId, ...(expiresOn !== null && { expiresOn }) };
      await checkGift(deps, work, actor, merchantId, { amount, details, resource: `gift-cards/${giftCardId}` });
      const next = await changeBalance(deps, work, row, {
        kind: 'reinstated',
        changeMinor: amount.minor,
        event: 'gift_card.reinstated',
        transfer: 'gift_card_reinstated',
        actor,
        subjectId: null,
        reason,
        set: { expires_on: expiresOn },
      });
      return { giftCard: toGiftCard(next) };
    }
    const set = { expires_on: expiresOn, updated_at: isoTime(now) };
    const next = { ...row, ...set, ...released(dueTimeOf({ ...row, ...set }, merchant)) };
    await work.update(GIFT_CARDS, { id: giftCardId }, { ...set, ...released(next.due_ms) });
    if (next.due_ms !== null) work.afterCommit(() => deps.scheduler.wake(EXPIRY_JOB, row.tenant_id));
    announce(deps, work, 'gift_card.extended', { row: next, actor, atMs: now, reason, former: row });
    return { giftCard: toGiftCard(next) };
  });
  return giftCard;
}
