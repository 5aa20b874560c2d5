import { conditionsOn, newestPage, type Page, type PageRequest } from '#core/database';
import { type Actions, type Actor, actionsOf, money, storedCurrency } from '#core/kernel';
import { toGiftCard } from './card.ts';
import { checkAssign, checkReplace, checkUnblock } from './change.ts';
import { lastCharactersOf, SHOWN } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { checkExtend } from './extend.ts';
import { checkCanLoad, checkIsActive, findCard } from './operation.ts';
import type { GiftCard, GiftCardDetail } from './records.ts';
import { GIFT_CARD_ENTRIES, GIFT_CARDS, type GiftCardKind, type GiftCardRow, type GiftCardStatus } from './schema.ts';

const card = conditionsOn(GIFT_CARDS);

/** Filters of the list; absent ones do not narrow. */
export interface GiftCardFilter {
  readonly kind?: GiftCardKind;
  readonly status?: GiftCardStatus;
  readonly customerId?: string;
  readonly merchantId?: string;
  /** ID, last characters, or text that finds the customer. */
  readonly q?: string;
}

/** A search text that can be the name of a customer. */
const NAME = /\p{L}{2}/u;

/** Returns the gift cards that the caller may see, newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function page(deps: Dependencies, actor: Actor, filter: GiftCardFilter, request: PageRequest): Promise<Page<GiftCard>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const q = filter.q?.trim() ?? '';
  const customers = NAME.test(q) ? deps.customers.foundBy(q) : null;
  const conditions = [
    ...(merchantId === undefined ? [] : [card('merchant_id', '=', merchantId)]),
    ...(filter.kind === undefined ? [] : [card('kind', '=', filter.kind)]),
    ...(filter.status === undefined ? [] : [card('status', '=', filter.status)]),
    ...(filter.customerId === undefined ? [] : [card('customer_id', '=', filter.customerId)]),
    ...(q === ''
      ? []
      : [
          card.or([
            card('id', '=', q),
            ...(q.length > SHOWN ? [] : [card('last4', '=', lastCharactersOf(q))]),
            ...(customers === null ? [] : [card('customer_id', 'in', customers)]),
          ]),
        ]),
  ];
  const rows = await newestPage(deps.database.read(actor.tenantId), GIFT_CARDS, 'gcd', {}, request, conditions);
  return { ...rows, items: rows.items.map(toGiftCard) };
}

async function detailOf(deps: Dependencies, row: GiftCardRow): Promise<GiftCardDetail> {
  const currency = storedCurrency(row.currency);
  const entries = await deps.database.read(row.tenant_id).find(GIFT_CARD_ENTRIES, { gift_card_id: row.id }, { orderBy: [['id', 'asc']] });
  return {
    ...toGiftCard(row),
    entries: entries.map((entry) => ({
      entryId: entry.id,
      kind: entry.kind,
      amount: money(entry.amount_minor, currency),
      balance: money(entry.balance_minor, currency),
      subjectId: entry.subject_id,
      reason: entry.reason,
      createdBy: entry.created_by,
      approvedBy: entry.approved_by,
      createdAt: entry.created_at,
    })),
  };
}

export type GiftCardAction = 'reload' | 'block' | 'unblock' | 'replace' | 'extend' | 'assign';

/** Returns a card with its entries and with what can be done with it now. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getWithActions(
  deps: Dependencies,
  actor: Actor,
  giftCardId: string,
): Promise<GiftCardDetail & { readonly actions: Actions<GiftCardAction> }> {
  const row = await findCard(deps, actor, giftCardId);
  const merchant = await deps.merchantFor(actor, row.merchant_id);
  const now = deps.clockOf(actor.tenantId).now();
  const check = (of: (row: GiftCardRow) => void) => () => {
    of(row);
    return {};
  };
  const actions = await actionsOf({
    reload: check(checkCanLoad),
    block: check(checkIsActive),
    unblock: check(() => checkUnblock(row, merchant, now)),
    replace: check(() => checkReplace(row, merchant, now)),
    extend: check(checkExtend),
    assign: check(checkAssign),
  });
  return { ...(await detailOf(deps, row)), actions };
}
