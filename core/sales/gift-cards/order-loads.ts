import type { Read, Work } from '#core/database';
import { type Actor, assert, type Currency, isoTime, type Money, money, parseMoney, ServiceError, timeAfter } from '#core/kernel';
import type { ShiftPlace } from '#core/processing/domain-events';
import type { AuditActor } from '#core/records/audit';
import type { NewLineItem } from '#core/sales/items';
import { announce, changeBalance, lockCard } from './card.ts';
import type { Dependencies } from './dependencies.ts';
import { newCardRow, type PreparedCode, prepareCode } from './issue.ts';
import { checkCanLoad, findCard } from './operation.ts';
import type { OrderGiftCard } from './records.ts';
import { GIFT_CARD_ENTRIES, GIFT_CARD_LOADS, GIFT_CARDS, type GiftCardLoadRow, type GiftCardRow } from './schema.ts';

/** A gift card that a request for an order sells: a new one, or one that is reloaded. */
export interface NewOrderGiftCard {
  readonly amount: string | number;
  /** Code of a card that the merchant has printed; by default a new code. */
  readonly code?: string;
  readonly pin?: string;
  /** Card that is reloaded. */
  readonly giftCardId?: string;
}

/** A gift card that an order is about to sell. */
export interface PreparedGiftCard {
  readonly amount: Money;
  /** Code of a new card; null for a reload. */
  readonly code: PreparedCode | null;
  readonly giftCardId: string | null;
  /** Customer of reloaded store credit; null for others. */
  readonly creditOf: string | null;
  readonly lastCharacters: string | null;
  /** Line of the order that the card adds. */
  readonly line: NewLineItem;
}

/** Checks the gift cards of a new order. @throws ServiceError INVALID_AMOUNT, VALIDATION_ERROR, NOT_FOUND, RESOURCE_CONFLICT. */
export async function prepareGiftCards(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  currency: Currency,
  given: readonly NewOrderGiftCard[],
): Promise<PreparedGiftCard[]> {
  const prepared: PreparedGiftCard[] = [];
  for (const [index, { giftCardId, code, pin, ...card }] of given.entries()) {
    const fieldOf = (name: string) => `giftCards.${index}.${name}`;
    const amount = parseMoney(card.amount, currency, fieldOf('amount'));
    if (giftCardId === undefined) {
      const fresh = await prepareCode(deps, actor, merchantId, { ...(code !== undefined && { code }), ...(pin !== undefined && { pin }) });
      prepared.push({
        amount,
        code: fresh,
        giftCardId: null,
        creditOf: null,
        lastCharacters: fresh.last4,
        line: lineOf(card.amount, 'Gift card', fresh.last4),
      });
      continue;
    }
    if (code !== undefined || pin !== undefined)
      throw new ServiceError('VALIDATION_ERROR', 'A reload names `giftCardId` only. Leave `code` and `pin` out.', {
        field: fieldOf('code'),
      });
    if (prepared.some((other) => other.giftCardId === giftCardId))
      throw new ServiceError('VALIDATION_ERROR', 'An order reloads a card once. Add the amounts.', { field: fieldOf('giftCardId') });
    const row = await findCard(deps, actor, giftCardId);
    checkReload(row, merchantId, currency, fieldOf('giftCardId'));
    const name = row.kind === 'gift_card' ? 'Gift card reload' : 'Store credit';
    const creditOf = row.kind === 'gift_card' ? null : row.customer_id;
    prepared.push({ amount, code: null, giftCardId, creditOf, lastCharacters: row.last4, line: lineOf(card.amount, name, row.last4) });
  }
  return prepared;
}

function checkReload(row: GiftCardRow, merchantId: string, currency: Currency, field: string): void {
  checkCanLoad(row);
  if (row.merchant_id !== merchantId) throw new ServiceError('VALIDATION_ERROR', 'This gift card belongs to another merchant.', { field });
  if (row.currency !== currency) throw new ServiceError('VALIDATION_ERROR', `This gift card is in ${row.currency}.`, { field });
}

/** No sales tax is due for money that is only exchanged for a card. */
const lineOf = (amount: string | number, name: string, last4: string | null): NewLineItem => ({
  description: last4 === null ? name : `${name} ${last4}`,
  unitPrice: amount,
  taxRate: null,
});

/**
 * Stores the gift cards of a new order in its unit of work. New ones are pending until the order is paid. Returns their IDs.
 * @throws ServiceError RESOURCE_CONFLICT if a reloaded card was blocked or replaced in the meantime; CUSTOMER_NOT_FOUND.
 */
export async function addGiftCards(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { orderId, merchantId }: { readonly orderId: string; readonly merchantId: string },
  cards: readonly PreparedGiftCard[],
): Promise<string[]> {
  const ids: string[] = [];
  for (const { amount, code, giftCardId, creditOf } of cards) {
    // The deletion of a customer finds each order that reloads its store credit.
    if (creditOf !== null) await deps.customers.lock(work, creditOf);
    let id = giftCardId;
    if (id === null) {
      const row = newCardRow(actor, merchantId, amount.currency, deps.clockOf(actor.tenantId).now(), code, {
        status: 'pending',
        customer_id: null,
      });
      work.insert(GIFT_CARDS, row);
      id = row.id;
    } else checkCanLoad(await lockCard(work, id));
    work.insert(GIFT_CARD_LOADS, {
      tenant_id: actor.tenantId,
      order_id: orderId,
      gift_card_id: id,
      amount_minor: amount.minor,
      loaded_minor: 0,
    });
    ids.push(id);
  }
  work.afterCommit(() => deps.changed(actor.tenantId, 'gift-cards', merchantId));
  return ids;
}

/** Money of an order, in minor units. */
export interface OrderMoney {
  readonly amountMinor: number;
  /** Money of the paid order that the merchant keeps; 0 if the order is not paid. */
  readonly keptMinor: number;
  /** Part of the amount that the merchant does not have. */
  readonly missingMinor: number;
  /** Part of the missing amount that the merchant gave back, and that neither the bank nor a chargeback took. */
  readonly givenBackMinor: number;
  /** Part that is about to be returned. Blocked cards give it before other goods. */
  readonly returningMinor: number;
}

/** State of an order, as far as it decides about the gift cards that it sells. */
export interface OrderCoverage {
  readonly orderId: string;
  readonly place: ShiftPlace;
  readonly actor: AuditActor;
  readonly money: () => Promise<OrderMoney>;
  /** True if the money can stay with the merchant, so that a spent card refuses the change. False if it has left already. */
  readonly canRefuse: boolean;
  /** True if the merchant may keep more than before, so that the cards are loaded with it. */
  readonly canLoad: boolean;
}

/**
 * Puts the amounts of an order on its gift cards, or takes them off again, so that the cards never hold more than what the merchant keeps of the order.
 * Refunds return blocked cards first, then other goods, then the other cards. The caller has locked the order.
 * @throws ServiceError NOT_REFUNDABLE if a card was spent.
 */
export async function settleGiftCards(deps: Dependencies, work: Work, coverage: OrderCoverage): Promise<void> {
  const { orderId, place, actor, canRefuse } = coverage;
  const loads = await lockLoads(work, orderId);
  if (loads.length === 0) return;
  const money = await coverage.money();
  let rest = changeOf(loads, money, coverage.canLoad);
  let loaded = sumOf(loads, 'loaded_minor');
  const blockedFirst = loads.toSorted((a, b) => Number(b.row.status === 'blocked') - Number(a.row.status === 'blocked'));
  for (const { load, row: found, hasExpired } of rest < 0 ? blockedFirst : blockedFirst.toReversed()) {
    const expiredMinor = hasExpired && !canRefuse ? Math.min(load.loaded_minor, -rest, found.expired_minor) : 0;
    const row = await reinstate(deps, work, found, expiredMinor, coverage);
    // The balance of a card was put on it after an expiry.
    const removable = Math.min(load.loaded_minor, hasExpired ? row.balance_minor - found.balance_minor : row.balance_minor);
    const room = rest > 0 ? load.amount_minor - load.loaded_minor : -removable;
    const changeMinor = rest > 0 ? Math.min(rest, room) : Math.max(rest, room);
    if (changeMinor === 0) continue;
    rest -= changeMinor;
    loaded += changeMinor;
    await applyLoad(deps, work, row, load, { changeMinor, place, actor });
  }
  if (canRefuse && loaded > 0 && money.givenBackMinor > returnableOf(loads, loaded, money)) throw spent(orderId, loads);
}

/** Puts the expired part of an amount on its card, so that a chargeback takes it off and nobody can reinstate it. The card keeps its status. */
async function reinstate(
  deps: Dependencies,
  work: Work,
  row: GiftCardRow,
  changeMinor: number,
  { orderId: subjectId, actor }: OrderCoverage,
): Promise<GiftCardRow> {
  if (changeMinor <= 0) return row;
  const change = { kind: 'reinstated', event: 'gift_card.reinstated', transfer: 'gift_card_reinstated' } as const;
  return changeBalance(deps, work, row, { ...change, changeMinor, actor, subjectId, set: { status: row.status } });
}

/**
 * Returns the part of an order that the merchant can give back, in minor units: other goods, and what was taken off the gift cards. Money that the bank or a
 * chargeback took is covered by the cards first.
 */
function returnableOf(
  loads: readonly LockedLoad[],
  loadedMinor: number,
  { amountMinor, missingMinor, givenBackMinor }: OrderMoney,
): number {
  const total = sumOf(loads, 'amount_minor');
  return amountMinor - total + Math.max(0, total - loadedMinor - (missingMinor - givenBackMinor));
}

const sumOf = (of: readonly LockedLoad[], column: 'amount_minor' | 'loaded_minor') => of.reduce((sum, { load }) => sum + load[column], 0);

interface LockedLoad {
  readonly load: GiftCardLoadRow;
  readonly row: GiftCardRow;
  /** True if the card has expired since the amount was put on it, and was not reinstated. */
  readonly hasExpired: boolean;
}

/** Locks the cards of an order. A card that is replaced meanwhile gives its loads to the next one, so the loads are read under the locks. */
async function lockLoads(work: Work, orderId: string): Promise<LockedLoad[]> {
  const find = () => work.find(GIFT_CARD_LOADS, { order_id: orderId }, { orderBy: [['gift_card_id', 'asc']] });
  const rows = new Map<string, GiftCardRow>();
  for (const { gift_card_id } of await find()) {
    let row = await lockCard(work, gift_card_id);
    while (row.replaced_by !== null) row = await lockCard(work, row.replaced_by);
    rows.set(row.id, row);
  }
  const loads: LockedLoad[] = [];
  for (const load of rows.size === 0 ? [] : await find()) {
    const row = rows.get(load.gift_card_id);
    assert(row !== undefined, 'A gift card of an order is not locked.');
    loads.push({ load, row, hasExpired: load.loaded_minor > 0 && row.expired_minor > 0 && (await expiredSince(work, row.id, orderId)) });
  }
  return loads;
}

/** Returns true if a card, or the one that it replaced, expired after an order put its amount on it. */
async function expiredSince(work: Work, giftCardId: string, orderId: string): Promise<boolean> {
  const entries = await work.find(GIFT_CARD_ENTRIES, { gift_card_id: giftCardId }, { orderBy: [['id', 'desc']] });
  for (const { kind, subject_id } of entries) {
    if (kind === 'expired') return true;
    if (kind === 'sold' && subject_id === orderId) return false;
    if (kind === 'moved_in' && subject_id !== null) return expiredSince(work, subject_id, orderId);
  }
  return false;
}

/** Returns the change of the loaded sum of an order, in minor units. */
function changeOf(loads: readonly LockedLoad[], { amountMinor, returningMinor, keptMinor }: OrderMoney, canLoad: boolean): number {
  const total = sumOf(loads, 'amount_minor');
  const loaded = sumOf(loads, 'loaded_minor');
  const blocked = sumOf(
    loads.filter(({ row }) => row.status === 'blocked'),
    'amount_minor',
  );
  const excess = loaded - Math.min(total, keptMinor);
  // What remains on the cards if everything that was returned was taken off the blocked ones first.
  const returned = Math.max(0, amountMinor - keptMinor);
  const goods = Math.max(0, amountMinor - total);
  const left = Math.max(0, blocked - returned) + Math.max(0, total - blocked - Math.max(0, returned - blocked - goods));
  if (left > loaded && excess < 0) return canLoad ? Math.min(left - loaded, -excess) : 0;
  return -Math.max(0, excess, Math.min(returningMinor, loaded - left));
}

async function applyLoad(
  deps: Dependencies,
  work: Work,
  row: GiftCardRow,
  { order_id, loaded_minor }: GiftCardLoadRow,
  { changeMinor, place, actor }: Pick<OrderCoverage, 'place' | 'actor'> & { readonly changeMinor: number },
): Promise<void> {
  const isNew = row.status === 'pending';
  const updated = await work.update(GIFT_CARD_LOADS, { order_id, gift_card_id: row.id }, { loaded_minor: loaded_minor + changeMinor });
  assert(updated === 1, 'The gift card of an order was replaced while it was locked.');
  await changeBalance(deps, work, row, {
    ...(changeMinor > 0
      ? { kind: 'sold', event: isNew ? 'gift_card.issued' : 'gift_card.loaded', transfer: 'gift_card_sold' }
      : { kind: 'taken_back', event: 'gift_card.reduced', transfer: 'gift_card_taken_back' }),
    changeMinor,
    actor,
    subjectId: order_id,
    place,
    ...(isNew && { set: { status: 'active' } }),
  });
}

function spent(orderId: string, loads: readonly LockedLoad[]): ServiceError {
  const expired = loads.filter(({ hasExpired }) => hasExpired);
  if (expired.length > 0)
    return new ServiceError('NOT_REFUNDABLE', 'This sale includes a gift card that has expired. Reinstate the card first.', {
      details: { reason: 'gift_card_expired', orderId, giftCardIds: expired.map(({ row }) => row.id) },
    });
  return new ServiceError(
    'NOT_REFUNDABLE',
    'This sale includes a gift card that was spent in the meantime. Refund only what remains of it and of the other goods.',
    {
      details: {
        reason: 'gift_card_spent',
        orderId,
        giftCardIds: loads.map(({ row }) => row.id),
      },
    },
  );
}

/** Returns the sum of the gift cards that an order sells, in minor units. */
export async function soldByOrder(read: Read, orderId: string): Promise<number> {
  return (await read.find(GIFT_CARD_LOADS, { order_id: orderId })).reduce((sum, { amount_minor }) => sum + amount_minor, 0);
}

/** Returns the orders that reload the store credit of a customer, also canceled and paid ones. */
export async function ordersReloading(work: Work, customerId: string): Promise<string[]> {
  const credits = await work.find(GIFT_CARDS, { customer_id: customerId, kind: 'store_credit' });
  const loads = await Promise.all(credits.map(({ id }) => work.find(GIFT_CARD_LOADS, { gift_card_id: id })));
  return loads.flat().map(({ order_id }) => order_id);
}

/** Cancels the pending gift cards of a canceled order, in its unit of work. */
export async function cancelGiftCards(deps: Dependencies, work: Work, orderId: string, actor: AuditActor): Promise<void> {
  for (const { gift_card_id: id } of await work.find(GIFT_CARD_LOADS, { order_id: orderId })) {
    const row = await lockCard(work, id);
    if (row.status !== 'pending') continue;
    const now = timeAfter(deps.clockOf(row.tenant_id).now(), row.updated_at);
    // A printed card that was not paid can be sold by another order.
    const set = { status: 'canceled', code_hash: null, number_hash: null, updated_at: isoTime(now) } as const;
    await work.update(GIFT_CARDS, { id }, set);
    announce(deps, work, 'gift_card.canceled', { row: { ...row, ...set }, actor, atMs: now });
  }
}

/** Returns the gift cards that an order sells. */
export async function giftCardsOfOrder(deps: Pick<Dependencies, 'database'>, tenantId: string, orderId: string): Promise<OrderGiftCard[]> {
  const read = deps.database.read(tenantId);
  const shown: OrderGiftCard[] = [];
  for (const load of await read.find(GIFT_CARD_LOADS, { order_id: orderId }, { orderBy: [['gift_card_id', 'asc']] })) {
    const row = await read.one(GIFT_CARDS, { id: load.gift_card_id });
    if (row === null) continue;
    const currency = row.currency as Currency;
    shown.push({
      giftCardId: row.id,
      lastCharacters: row.last4,
      amount: money(load.amount_minor, currency),
      loadedAmount: money(load.loaded_minor, currency),
    });
  }
  return shown;
}
