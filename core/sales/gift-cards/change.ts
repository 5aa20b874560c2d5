import type { Work } from '#core/database';
import { type Actor, isoTime, ServiceError, storedCurrency, timeAfter } from '#core/kernel';
import { announce, changeBalance, type GiftCardEvent, lockCard, toGiftCard } from './card.ts';
import type { Dependencies } from './dependencies.ts';
import { newCardRow, prepareCode, withFreeCode } from './issue.ts';
import { checkIsActive, findCard, inWork } from './operation.ts';
import type { GiftCard, IssuedGiftCard } from './records.ts';
import { GIFT_CARD_LOADS, GIFT_CARDS, type GiftCardRow } from './schema.ts';

const conflict = ({ id: giftCardId, status }: GiftCardRow, reason: string, message: string) =>
  new ServiceError('RESOURCE_CONFLICT', message, { details: { reason, giftCardId, status } });

/** Checks that a blocked card can pay again. @throws ServiceError RESOURCE_CONFLICT. */
export function checkUnblock(row: GiftCardRow): void {
  if (row.status !== 'blocked') throw conflict(row, 'not_blocked', 'This gift card is not blocked.');
}

/** Checks that a card can be replaced. @throws ServiceError RESOURCE_CONFLICT. */
export function checkReplace(row: GiftCardRow): void {
  if (row.kind === 'store_credit') throw conflict(row, 'store_credit', 'Store credit has no code, so it cannot be replaced.');
  if (row.status !== 'blocked') checkIsActive(row);
}

/** Blocks a card, so that it pays nothing. @throws ServiceError NOT_FOUND, RESOURCE_CONFLICT. */
export const blockCard = (deps: Dependencies, actor: Actor, id: string, { reason }: { readonly reason?: string }): Promise<GiftCard> =>
  changeStatus(deps, actor, id, 'gift_card.blocked', (row) => {
    checkIsActive(row);
    return { status: 'blocked', block_reason: reason?.trim() || null };
  });

export const unblockCard = (deps: Dependencies, actor: Actor, id: string): Promise<GiftCard> =>
  changeStatus(deps, actor, id, 'gift_card.unblocked', (row) => {
    checkUnblock(row);
    return { status: 'active', block_reason: null };
  });

async function changeStatus(
  deps: Dependencies,
  actor: Actor,
  id: string,
  event: GiftCardEvent,
  changesOf: (row: GiftCardRow) => Pick<GiftCardRow, 'status' | 'block_reason'>,
): Promise<GiftCard> {
  await findCard(deps, actor, id);
  const { giftCard } = await inWork(deps, actor, async (work) => {
    const row = await lockCard(work, id);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const set = { ...changesOf(row), updated_at: isoTime(now) };
    await work.update(GIFT_CARDS, { id }, set);
    const next = { ...row, ...set };
    announce(deps, work, event, { row: next, actor, atMs: now, reason: set.block_reason });
    return { giftCard: toGiftCard(next) };
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
  const code = await prepareCode(deps, actor, merchantId, input);
  const reason = input.reason?.trim() || null;
  const { issuedGiftCard } = await withFreeCode(() =>
    inWork(deps, actor, async (work) => {
      const former = await lockCard(work, id);
      checkReplace(former);
      const now = timeAfter(deps.clockOf(actor.tenantId).now(), former.updated_at);
      const next = newCardRow(actor, former.merchant_id, storedCurrency(former.currency), now, code, {
        status: 'active',
        customer_id: former.customer_id,
      });
      work.insert(GIFT_CARDS, next);
      const shared = { transfer: null, actor, reason } as const;
      await changeBalance(deps, work, former, {
        ...shared,
        kind: 'moved_out',
        changeMinor: -former.balance_minor,
        event: 'gift_card.replaced',
        subjectId: next.id,
        set: { status: 'replaced', replaced_by: next.id },
      });
      const row = await changeBalance(deps, work, next, {
        ...shared,
        kind: 'moved_in',
        changeMinor: former.balance_minor,
        event: 'gift_card.issued',
        subjectId: former.id,
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
