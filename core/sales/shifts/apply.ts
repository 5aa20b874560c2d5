import { lit, queriesOn, TENANT, type Work } from '#core/database';
import {
  type Actor,
  amountAboveLimit,
  type Caller,
  type Currency,
  dateIn,
  formatDecimal,
  isoTime,
  type Money,
  money,
  newId,
  ServiceError,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import type { ShiftPlace } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import type { OrderPart, SoldGiftCardKind, TenderTransferKind } from '#core/records/ledger';
import type { Dependencies } from './dependencies.ts';
import { CASH_EFFECT, DRAWER_TRANSFERS, SHIFT_MOVEMENTS, SHIFT_NUMBERS, SHIFTS, type ShiftMovementKind, type ShiftRow } from './schema.ts';

/** Drawer of callers who name none. */
const DEFAULT_DRAWER = 'Drawer 1';
const DRAWER_MAX = 40;

const queries = queriesOn(SHIFT_NUMBERS);

/** Returns the trimmed name of a drawer, or the default one. */
export const drawerFrom = (name: string | undefined): string => name?.trim().slice(0, DRAWER_MAX) || DEFAULT_DRAWER;

/** Keys of the shifts that can be open at a drawer. */
interface OpenKeys {
  /** Key of a new shift, by the setting of the merchant: one per drawer, or one per drawer and person. */
  readonly own: string;
  /** Key by the other value of the setting, for a shift that was opened before the setting was changed. */
  readonly former: string;
}

/** Returns the keys by which the open shift of a caller at a drawer is found. */
export function openKeysOf({ merchantId, vtSettings }: Merchant, drawer: string, actor: Pick<Actor, 'name'>): OpenKeys {
  const place = [merchantId, drawer.toLowerCase()];
  const [perDrawer, perPerson] = [JSON.stringify(place), JSON.stringify([...place, actor.name])];
  return vtSettings.shiftPer === 'person' ? { own: perPerson, former: perDrawer } : { own: perDrawer, former: perPerson };
}

/** Returns true if an open shift belongs to one person, by the setting at the time when it was opened. */
export const isPerPerson = ({ open_key }: Pick<ShiftRow, 'open_key'>): boolean =>
  open_key !== null && (JSON.parse(open_key) as unknown[]).length > 2;

/** Locks and returns the open shift of a caller at a drawer; null if there is none. */
async function lockOpen(work: Work, merchant: Merchant, drawer: string, actor: Pick<Actor, 'name'>): Promise<ShiftRow | null> {
  const { own, former } = openKeysOf(merchant, drawer, actor);
  return (await work.lockOne(SHIFTS, { open_key: own })) ?? (await work.lockOne(SHIFTS, { open_key: former }));
}

/** Returns true if the caller may see the expected cash of an open shift. */
export const seesExpected = ({ permissions }: Pick<Actor, 'permissions'>): boolean => permissions.has('shifts:manage');

export const shiftNotFound = (shiftId: string) =>
  new ServiceError('NOT_FOUND', `There is no shift ${shiftId.slice(0, 60)}.`, { details: { shiftId } });

/** Returns a shift of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findShift(deps: Dependencies, actor: Caller, shiftId: string): Promise<{ row: ShiftRow; merchant: Merchant }> {
  const row = await deps.database.read(actor.tenantId).one(SHIFTS, { id: shiftId });
  if (!row) throw shiftNotFound(shiftId);
  return { row, merchant: await deps.merchantFor(actor, row.merchant_id) };
}

/**
 * Checks that a drawer holds the cash that is taken out. The amount in it is part of the answer only for callers who may see it, because the count at
 * the close is blind. @throws ServiceError INVALID_AMOUNT (422) with `details.reason` `drawer_cash`.
 */
export function checkCash(shift: Pick<ShiftRow, 'expected_minor' | 'drawer'>, actor: Pick<Actor, 'permissions'>, amount: Money): void {
  if (amount.minor <= shift.expected_minor) return;
  const details = { reason: 'drawer_cash', requestedAmount: amount };
  if (!seesExpected(actor))
    throw amountAboveLimit(`${shift.drawer} does not hold this much cash. Put cash in first, or take less.`, details);
  const expectedAmount = money(shift.expected_minor, amount.currency);
  const shown = `${formatDecimal(expectedAmount)} ${amount.currency}`;
  throw amountAboveLimit(`${shift.drawer} holds ${shown}. Put cash in first, or take less.`, { ...details, expectedAmount });
}

/** A movement of the drawer itself, not of a tender. */
interface DrawerMovement {
  readonly kind: keyof typeof DRAWER_TRANSFERS;
  readonly amountMinor: number;
  readonly reason?: string;
}

/** Writes a movement of a drawer with its ledger transfer. An amount of 0, such as an empty float, moves nothing. */
export function moveCash(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name'>,
  row: ShiftRow,
  merchant: Pick<Merchant, 'timezone'>,
  now: TenantTime,
  { kind, amountMinor, reason }: DrawerMovement,
): void {
  if (amountMinor === 0) return;
  const id = newId('shm', now);
  const [day, at] = [dateIn(merchant.timezone, now), isoTime(now)];
  const { tenantId } = actor;
  insertMovement(work, actor, merchant, row, { id, kind, amountMinor, now, ...(reason === undefined ? {} : { reason }) });
  const amount = money(amountMinor, row.currency as Currency);
  deps.post(work, { tenantId, merchantId: row.merchant_id, id, kind: DRAWER_TRANSFERS[kind], amount, subjectId: row.id, day, at });
}

/** Returns the ID under which the rounding of a tender or refund is booked. */
export const roundingId = (id: string): string => `${id}-rounding`;

const LATE = '-late';
/** Returns the ID under which gift cards of a closed shift wait for the next Z report. */
export const lateId = (shiftId: string): string => `${shiftId}${LATE}`;
/** Returns the closed shift whose gift cards wait under an ID; null for the ID of a shift. */
export const shiftOfLateId = (id: string): string | null => (id.endsWith(LATE) ? id.slice(0, -LATE.length) : null);

/** A tender or its refund, which belongs to the open shift of its drawer. */
export interface TenderMovement {
  /** ID of the tender or refund. */
  readonly id: string;
  readonly kind: TenderTransferKind;
  readonly drawer: string;
  readonly amount: Money;
  /** Cash that is received or returned less the amount, in minor units; 0 if it is not rounded. */
  readonly roundingMinor: number;
  /** Discount of the tender, in minor units; 0 for a refund. */
  readonly discountMinor: number;
  /** For a payment of an order. */
  readonly orderPart?: OrderPart | null;
  readonly now: TenantTime;
}

/**
 * Adds a tender or refund to the open shift of its drawer, under the lock of the shift. Returns the shift; null if none is open. Money in another
 * currency than that of the drawer belongs to no shift. @throws ServiceError RESOURCE_CONFLICT if the merchant takes cash in shifts only;
 * INVALID_AMOUNT (422) for a refund of more cash than the drawer holds.
 */
export async function addTender(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name' | 'permissions'>,
  merchant: Merchant,
  { id, kind, drawer, amount, roundingMinor, discountMinor, orderPart = null, now }: TenderMovement,
): Promise<string | null> {
  const shift = await lockOpen(work, merchant, drawer, actor);
  const effect = CASH_EFFECT[kind];
  if (shift === null || shift.currency !== amount.currency) {
    if (effect !== 0 && merchant.vtSettings.cashRequiresShift)
      throw new ServiceError('RESOURCE_CONFLICT', `Open a shift at ${drawer} before you take or return cash.`, {
        details: { reason: 'no_open_shift', drawer },
      });
    return null;
  }
  const moved = effect * (amount.minor + roundingMinor);
  if (moved < 0) checkCash(shift, actor, money(-moved, amount.currency));
  const at = timeAfter(now, shift.updated_at);
  insertMovement(work, actor, merchant, shift, { id, kind, amountMinor: amount.minor, discountMinor, orderPart, now });
  if (roundingMinor !== 0) {
    const rounded = effect * roundingMinor > 0 ? 'rounded_up' : 'rounded_down';
    insertMovement(work, actor, merchant, shift, { id: roundingId(id), kind: rounded, amountMinor: Math.abs(roundingMinor), now });
  }
  const expected_minor = shift.expected_minor + moved;
  await work.update(SHIFTS, { id: shift.id }, { expected_minor, updated_at: isoTime(at) });
  work.afterCommit(() => deps.changed(actor.tenantId, 'shifts', merchant.merchantId));
  return shift.id;
}

/** A gift card that an order sold, or what is taken back of it. */
export interface GiftCardMovement {
  /** ID of the ledger transfer. */
  readonly id: string;
  readonly kind: SoldGiftCardKind;
  readonly place: ShiftPlace;
  readonly amount: Money;
  readonly now: TenantTime;
}

/**
 * Adds a sold gift card to the shift of its payment, under the lock of the shift, so that the report that counts the payment leaves the card out of the sales.
 * If the payment is decided after the close, the next Z report at the drawer counts both.
 */
export async function addGiftCard(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name'>,
  merchant: Merchant,
  { id, kind, place, amount, now }: GiftCardMovement,
): Promise<void> {
  if (place === null) return;
  const shift = 'drawer' in place ? await lockOpen(work, merchant, place.drawer, actor) : await work.lockOne(SHIFTS, { id: place.shiftId });
  if (shift === null || shift.currency !== amount.currency) return;
  const counted = shift.status === 'open' ? shift : { ...shift, id: lateId(shift.id) };
  insertMovement(work, actor, merchant, counted, { id, kind, amountMinor: amount.minor, now });
  work.afterCommit(() => deps.changed(actor.tenantId, 'shifts', merchant.merchantId));
}

/**
 * Records an opening of a drawer without a sale in its open shift. Returns the shift; null if none is open.
 */
export async function addOpening(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name'>,
  merchant: Merchant,
  { drawer, reason }: { readonly drawer: string; readonly reason: string },
): Promise<string | null> {
  const shift = await lockOpen(work, merchant, drawer, actor);
  if (shift === null) return null;
  const now = timeAfter(deps.clockOf(actor.tenantId).now(), shift.updated_at);
  insertMovement(work, actor, merchant, shift, { id: newId('shm', now), kind: 'no_sale', amountMinor: 0, reason, now });
  await work.update(SHIFTS, { id: shift.id }, { updated_at: isoTime(now) });
  work.afterCommit(() => deps.changed(actor.tenantId, 'shifts', merchant.merchantId));
  return shift.id;
}

interface NewMovement {
  readonly id: string;
  readonly kind: ShiftMovementKind;
  readonly amountMinor: number;
  readonly discountMinor?: number;
  readonly orderPart?: OrderPart | null;
  readonly reason?: string;
  readonly now: TenantTime;
}

function insertMovement(
  work: Work,
  actor: Pick<Actor, 'tenantId' | 'name'>,
  { timezone }: Pick<Merchant, 'timezone'>,
  shift: ShiftRow,
  { id, kind, amountMinor, discountMinor = 0, orderPart = null, reason, now }: NewMovement,
): void {
  work.insert(SHIFT_MOVEMENTS, {
    tenant_id: actor.tenantId,
    id,
    shift_id: shift.id,
    merchant_id: shift.merchant_id,
    kind,
    currency: shift.currency,
    amount_minor: amountMinor,
    discount_minor: discountMinor,
    order_part: orderPart,
    reason: reason ?? null,
    actor: actor.name,
    day: dateIn(timezone, now),
    at: isoTime(now),
  });
}

/** Returns the next number of the Z reports of a merchant. A failed unit of work returns its number, so there are no gaps. */
export async function takeZNumber(work: Work, merchantId: string): Promise<number> {
  const taken = await work.row(
    queries
      .insertInto('shift_numbers')
      .values({ tenant_id: TENANT, merchant_id: merchantId, last: 1 })
      .onConflict((known) =>
        known.columns(['tenant_id', 'merchant_id']).doUpdateSet(({ eb }) => ({ last: eb('shift_numbers.last', '+', lit(1)) })),
      )
      .returning('last'),
  );
  return Number(taken?.last);
}
