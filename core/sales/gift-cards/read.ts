import { type Condition, conditionsOn, newestPage, orderOf, type Page, type PageRequest, searchCondition } from '#core/database';
import { type Actions, type Actor, actionsOf, money, ServiceError, storedCurrency } from '#core/kernel';
import { isWholeGiftCardCode } from '#shared/gift-card-code';
import { toGiftCard } from './card.ts';
import { checkAssign, checkBlock, checkReplace, checkUnblock } from './change.ts';
import { lastCharactersOf, SHOWN } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { statusAt } from './expiry.ts';
import { checkExtend } from './extend.ts';
import { checkCanLoad, findCard } from './operation.ts';
import type { GiftCard, GiftCardDetail, ListedGiftCard } from './records.ts';
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

/** A search text that can be the name, the email address or the phone number of a customer. Shorter digits are the last characters of a code. */
const OF_CUSTOMER = /\p{L}{2}|(?:\d[\s().-]*){7}/u;

/** Error of a search for a whole code. Proxies and browsers keep addresses. */
export const codeInAddress = (): ServiceError =>
  new ServiceError('VALIDATION_ERROR', 'A whole gift card code must not be part of an address. Send it to `POST /gift-cards/balance`.', {
    field: 'q',
  });

/** Columns of the fields by which the list can be sorted. */
const SORTS = { createdAt: 'id', balance: 'balance_minor' };

/** Returns the gift cards that the caller may see, by default newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED; VALIDATION_ERROR for a whole code in `q`. */
export async function page(deps: Dependencies, actor: Actor, filter: GiftCardFilter, request: PageRequest): Promise<Page<ListedGiftCard>> {
  const q = filter.q?.trim() ?? '';
  if (isWholeGiftCardCode(q)) throw codeInAddress();
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const where = { merchant_id: merchantId, kind: filter.kind, status: filter.status, customer_id: filter.customerId };
  const conditions = q === '' ? [] : [await foundBy(deps, actor, q)];
  const order = orderOf(SORTS, request.sort);
  const rows = await newestPage(deps.database.read(actor.tenantId), GIFT_CARDS, 'gcd', where, request, conditions, undefined, order);
  const names = await customerNames(deps, actor, rows.items);
  const items = rows.items.map(async (row) => ({ ...(await shown(deps, row)), customerName: names.get(row.customer_id ?? '') ?? null }));
  return { ...rows, items: await Promise.all(items) };
}

/** Returns the names of the customers of cards by their IDs. */
async function customerNames({ customers }: Pick<Dependencies, 'customers'>, actor: Actor, rows: readonly GiftCardRow[]) {
  const ids = actor.permissions.has('customers:read') ? rows.flatMap(({ customer_id }) => customer_id ?? []) : [];
  const payers = await customers.payersOf(
    actor.tenantId,
    ids.map((customerId) => ({ customerId, methodId: null })),
  );
  return new Map(payers.map(({ name, email }, index) => [ids[index] ?? '', name ?? email]));
}

/** Returns the condition for the cards that a text finds; by their customers only for callers who may read customers. */
async function foundBy({ customers, database }: Pick<Dependencies, 'customers' | 'database'>, actor: Actor, q: string): Promise<Condition> {
  const named = OF_CUSTOMER.test(q) && actor.permissions.has('customers:read') ? await customers.foundBy(actor.tenantId, q) : null;
  const exact = [card('id', '=', q), ...(q.length === SHOWN ? [card('last4', '=', lastCharactersOf(q))] : [])];
  return searchCondition(database.read(actor.tenantId), GIFT_CARDS, exact, named && card('customer_id', 'in', named));
}

/** Returns a card with its status of the present time. */
async function shown(deps: Dependencies, row: GiftCardRow): Promise<GiftCard> {
  if (row.expires_on === null) return toGiftCard(row);
  const merchant = await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.merchant_id);
  return toGiftCard({ ...row, status: statusAt(row, merchant, deps.clockOf(row.tenant_id).now()) });
}

async function detailOf(deps: Dependencies, row: GiftCardRow): Promise<GiftCardDetail> {
  const currency = storedCurrency(row.currency);
  const entries = await deps.database.read(row.tenant_id).find(GIFT_CARD_ENTRIES, { gift_card_id: row.id }, { orderBy: [['id', 'asc']] });
  return {
    ...(await shown(deps, row)),
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
    block: check(() => checkBlock(row, merchant, now)),
    unblock: check(() => checkUnblock(row, merchant, now)),
    replace: check(() => checkReplace(row, merchant, now)),
    extend: check(checkExtend),
    assign: check(checkAssign),
  });
  return { ...(await detailOf(deps, row)), actions };
}
