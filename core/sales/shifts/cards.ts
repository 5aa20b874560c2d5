import { queriesOn, type Read, TENANT, type Work } from '#core/database';
import type { Actor, Currency } from '#core/kernel';
import {
  type CardMovement,
  cardMovements,
  claimForReport,
  reportedRequests,
  type ShiftCards,
  shiftCards,
  unreportedRequests,
  unreportedShifts,
} from '#core/sales/payments';
import { drawerFrom, isPerPerson, lateId, openKeysOf } from './apply.ts';
import type { Dependencies, OpenShift } from './dependencies.ts';
import { SHIFT_MOVEMENTS, SHIFTS, type ShiftMovementRow, type ShiftRow } from './schema.ts';

const queries = queriesOn(SHIFTS);
const openShifts = queries
  .selectFrom('shifts')
  .select(['id', 'currency', 'open_key'])
  .where('tenant_id', '=', TENANT)
  .where('open_key', 'is not', null);

/**
 * Returns the open shift to which a card or bank payment of a request belongs; null if the request names no drawer, or if no shift in this
 * currency is open there. Takes no lock, so that payments of a drawer do not wait for each other.
 */
export async function openShiftOf(deps: Dependencies, actor: Actor, merchantId: string, currency: string): Promise<string | null> {
  if (!actor.drawer) return null;
  const open = await deps.openShifts.through(actor.tenantId, () => readOpenShifts(deps.database.read(actor.tenantId)));
  if (open.size === 0) return null;
  const merchant = await deps.merchantFor({ tenantId: actor.tenantId, merchantId: null }, merchantId);
  const { own, former } = openKeysOf(merchant, drawerFrom(actor.drawer), actor);
  const shift = open.get(own) ?? open.get(former);
  return shift?.currency === currency ? shift.id : null;
}

async function readOpenShifts(read: Read): Promise<ReadonlyMap<string, OpenShift>> {
  const rows = await read.rows(openShifts);
  return new Map(rows.flatMap(({ id, currency, open_key }) => (open_key === null ? [] : [[open_key, { id, currency }] as const])));
}

/** Returns the card and bank payments that the Z report of a shift counts: of an open one, those that it would count now. Oldest first. */
export async function cardsOf(read: Read, row: ShiftRow): Promise<CardMovement[]> {
  const requests = row.status === 'closed' ? reportedRequests(read, row.id) : unreportedRequests(read, await shiftsToReport(read, row));
  return cardMovements(read, await requests, row.currency as Currency);
}

/** Returns the movements of a shift, of an open one with those that wait for its Z report. Oldest first. */
export async function movementsOf(read: Read, row: ShiftRow): Promise<ShiftMovementRow[]> {
  const movements = await read.find(SHIFT_MOVEMENTS, { shift_id: row.id }, { orderBy: [['id', 'asc']] });
  if (row.status === 'closed') return movements;
  for (const id of await shiftsToReport(read, row)) movements.push(...(await read.find(SHIFT_MOVEMENTS, { shift_id: lateId(id) })));
  return movements.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

/**
 * Assigns payments, and gift cards that wait, to the Z report of a shift, under its lock, and returns the totals of the payments. The closed shifts before it
 * are locked first, because their late payments are decided under the same locks.
 */
export async function claimCards(work: Work, row: ShiftRow): Promise<ShiftCards> {
  const shiftIds = await shiftsToReport(work, row);
  for (const id of shiftIds) {
    if (id !== row.id) await work.lockOne(SHIFTS, { id });
    await work.update(SHIFT_MOVEMENTS, { shift_id: lateId(id) }, { shift_id: row.id });
  }
  const requests = await claimForReport(work, shiftIds, row.id);
  const currency = row.currency as Currency;
  return shiftCards(await cardMovements(work, requests, currency), currency);
}

/** Returns a shift and the closed ones before it at its drawer that have payments whose outcome arrived after their Z reports. */
async function shiftsToReport(read: Read, row: ShiftRow): Promise<string[]> {
  const ids = await unreportedShifts(read);
  const found = [row.id];
  for (const id of ids) {
    const other = id === row.id ? null : await read.one(SHIFTS, { id, merchant_id: row.merchant_id, status: 'closed' });
    if (other !== null && precedes(other, row)) found.push(id);
  }
  return found;
}

/** Returns true if a closed shift was at the same drawer, and of the same person if shifts are per person. */
function precedes(closed: ShiftRow, open: ShiftRow): boolean {
  const { drawer, currency, opened_by } = open;
  const isSameDrawer = closed.drawer.toLowerCase() === drawer.toLowerCase() && closed.currency === currency;
  return isSameDrawer && (!isPerPerson(open) || closed.opened_by === opened_by);
}
