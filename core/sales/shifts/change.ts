import type { Work } from '#core/database';
import {
  type Actor,
  type Currency,
  dateIn,
  formatDecimal,
  isoTime,
  money,
  newId,
  parseMoney,
  ServiceError,
  type TenantTime,
  timeAfter,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { CardTotals } from '#core/sales/payments';
import { drawerFrom, findShift, isPerPerson, moveCash, openKeysOf, seesExpected, shiftNotFound, takeZNumber } from './apply.ts';
import { claimCards } from './cards.ts';
import { type CashCount, checkCount } from './count.ts';
import type { Dependencies } from './dependencies.ts';
import { checkPayOut } from './pay-outs.ts';
import type { ReportLine, Shift, ShiftReport } from './records.ts';
import { reportOf } from './report.ts';
import { CASH_EFFECT, SHIFT_MOVEMENTS, SHIFTS, type ShiftRow } from './schema.ts';
import { toShift } from './shift.ts';

export interface NewShift extends CashCount {
  readonly drawer?: string;
  readonly merchantId?: string;
}

/** Cash that is put into or taken out of a drawer without a sale. */
export interface CashMovement {
  readonly amount: string | number;
  readonly reason: string;
}

/** Runs a change whose response is stored under the idempotency key of the request. */
async function runChange(deps: Dependencies, actor: Actor, change: (work: Work) => Promise<Shift>): Promise<Shift> {
  const { shift } = await runIdempotent(deps, actor, async (work) => {
    const shift = await change(work);
    work.afterCommit(() => deps.changed(actor.tenantId, 'shifts', shift.merchantId));
    return { shift };
  });
  return shift;
}

/**
 * Opens a shift with a counted float. @throws ServiceError RESOURCE_CONFLICT with `details.shiftId` if one is open at the drawer (or of the
 * person at the drawer, by the settings of the merchant); INVALID_AMOUNT, REQUIRED_FIELD_MISSING, MERCHANT_NOT_FOUND.
 */
export async function openShift(deps: Dependencies, actor: Actor, input: NewShift): Promise<Shift> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const drawer = drawerFrom(input.drawer);
  const float = checkCount(input, merchant.currency, 'amount').total;
  const open_key = openKeysOf(merchant, drawer, actor).own;
  return runChange(deps, actor, async (work) => {
    await work.advisoryLock(`shift ${JSON.stringify([merchant.merchantId, drawer.toLowerCase()])}`);
    const present = await conflictingShift(work, merchant, drawer, actor);
    if (present !== undefined)
      throw new ServiceError('RESOURCE_CONFLICT', `A shift at ${drawer} is open since ${present.created_at}. Close it first.`, {
        details: { reason: 'shift_open', shiftId: present.id, openedBy: present.opened_by },
      });
    const now = deps.clockOf(actor.tenantId).now();
    const at = isoTime(now);
    const row: ShiftRow = {
      tenant_id: actor.tenantId,
      id: newId('shf', now),
      merchant_id: merchant.merchantId,
      drawer,
      open_key,
      status: 'open',
      currency: merchant.currency,
      float_minor: float.minor,
      expected_minor: float.minor,
      counted_minor: null,
      variance_minor: null,
      note: null,
      note_by: null,
      z_number: null,
      report: null,
      opened_by: actor.name,
      created_at: at,
      closed_by: null,
      closed_at: null,
      closed_day: null,
      updated_at: at,
    };
    work.insert(SHIFTS, row);
    work.afterCommit(() => deps.openShifts.delete(actor.tenantId));
    moveCash(deps, work, actor, row, merchant, now, { kind: 'float', amountMinor: float.minor });
    auditShift(deps, work, actor, 'opened', row, { floatAmount: formatDecimal(float) });
    deps.emit(work, { ...eventBase(row, now), type: 'shift.opened', data: { ...eventData(row), openedAt: at } });
    return toShift(row, seesExpected(actor));
  });
}

/**
 * Returns the open shift because of which none can be opened at a drawer. It may have been opened before `shiftPer` was changed: a shift of
 * the whole drawer excludes those of persons, and the other way around.
 */
async function conflictingShift(work: Work, merchant: Merchant, drawer: string, { name }: Actor): Promise<ShiftRow | undefined> {
  const open = await work.find(SHIFTS, { merchant_id: merchant.merchantId, status: 'open' });
  const isPerPersonNow = merchant.vtSettings.shiftPer === 'person';
  return open.find(
    (row) => row.drawer.toLowerCase() === drawer.toLowerCase() && (!isPerPersonNow || !isPerPerson(row) || row.opened_by === name),
  );
}

/**
 * Puts cash into a drawer, or takes it out. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT for a closed shift; INVALID_AMOUNT, also for a pay-out
 * above the expected cash or the merchant's limit; PERMISSION_DENIED for the shift of another person, which requires `shifts:manage`;
 * ApprovalRequired by the rule for pay-outs.
 */
export function payInOrOut(
  deps: Dependencies,
  actor: Actor,
  shiftId: string,
  kind: 'pay_in' | 'pay_out',
  input: CashMovement,
): Promise<Shift> {
  return changeOpen(deps, actor, shiftId, async (work, row, merchant, now) => {
    const amount = parseMoney(input.amount, row.currency as Currency);
    const reason = input.reason.trim();
    if (reason === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`reason` is required.', { field: 'reason' });
    checkPerson(row, actor);
    if (kind === 'pay_out') await checkPayOut(deps, work, actor, row, { amount, reason, merchant, now });
    moveCash(deps, work, actor, row, merchant, now, { kind, amountMinor: amount.minor, reason });
    const set = { expected_minor: row.expected_minor + CASH_EFFECT[kind] * amount.minor, updated_at: isoTime(now) };
    await work.update(SHIFTS, { id: row.id }, set);
    auditShift(deps, work, actor, kind === 'pay_in' ? 'paid_in' : 'paid_out', row, { amount: formatDecimal(amount), reason });
    return { ...row, ...set };
  });
}

/**
 * Closes a shift with a count that was made without knowing the expected cash. The Z report is numbered and stored as it is, and the cash leaves
 * the drawer. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT for a closed shift; PERMISSION_DENIED for the shift of another person, which
 * requires `shifts:manage`; the errors of a count.
 */
export function closeShift(
  deps: Dependencies,
  actor: Actor,
  shiftId: string,
  input: CashCount & { readonly note?: string },
): Promise<Shift> {
  return changeOpen(deps, actor, shiftId, async (work, row, merchant, now) => {
    checkPerson(row, actor);
    const currency = row.currency as Currency;
    const counted = checkCount(input, currency, 'amount');
    const at = isoTime(now);
    const zNumber = await takeZNumber(work, row.merchant_id);
    const cards = await claimCards(work, row);
    const movements = await work.find(SHIFT_MOVEMENTS, { shift_id: row.id });
    const closing = { zNumber, closedBy: actor.name, counted };
    const report = reportOf(row, movements, at, { cards, closing, seesExpected: true });
    const variance_minor = counted.total.minor - row.expected_minor;
    const kind = variance_minor > 0 ? 'over' : 'short';
    moveCash(deps, work, actor, row, merchant, now, { kind, amountMinor: Math.abs(variance_minor) });
    moveCash(deps, work, actor, row, merchant, now, { kind: 'removed', amountMinor: counted.total.minor });
    const note = input.note?.trim() || null;
    const set = {
      status: 'closed',
      open_key: null,
      counted_minor: counted.total.minor,
      variance_minor,
      note,
      note_by: note === null ? null : actor.name,
      z_number: zNumber,
      report: JSON.stringify(report),
      closed_by: actor.name,
      closed_at: at,
      closed_day: dateIn(merchant.timezone, now),
      updated_at: at,
    } as const;
    await work.update(SHIFTS, { id: row.id }, set);
    work.afterCommit(() => deps.openShifts.delete(actor.tenantId));
    const amounts = {
      expectedAmount: money(row.expected_minor, currency),
      countedAmount: counted.total,
      varianceAmount: money(variance_minor, currency),
    };
    const texts = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatDecimal(amount)]));
    auditShift(deps, work, actor, 'closed', row, { zNumber, ...texts, denominations: counted.denominations, note });
    deps.emit(work, {
      ...eventBase(row, now),
      type: 'shift.closed',
      data: {
        ...eventData(row),
        zNumber,
        expectedAmount: amounts.expectedAmount,
        countedAmount: amounts.countedAmount,
        varianceAmount: amounts.varianceAmount,
        ...eventTotals(report, cards.totals),
        closedBy: actor.name,
        closedAt: at,
      },
    });
    return { ...row, ...set };
  });
}

/** Explains the variance of a closed shift, once. @throws ServiceError NOT_FOUND; RESOURCE_CONFLICT for an open shift, or if it has a note. */
export async function explainVariance(deps: Dependencies, actor: Actor, shiftId: string, text: string): Promise<Shift> {
  await findShift(deps, actor, shiftId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await work.lockOne(SHIFTS, { id: shiftId });
    if (!row) throw shiftNotFound(shiftId);
    const note = text.trim();
    if (note === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`note` is required.', { field: 'note' });
    checkExplain(row);
    const set = { note, note_by: actor.name };
    await work.update(SHIFTS, { id: shiftId }, set);
    auditShift(deps, work, actor, 'explained', row, { note });
    work.afterCommit(() => deps.changed(actor.tenantId, 'shifts', row.merchant_id));
    return toShift({ ...row, ...set }, true);
  });
}

/** Checks that the variance of a shift can be explained. @throws ServiceError RESOURCE_CONFLICT. */
export function checkExplain(row: ShiftRow): void {
  if (row.status === 'open')
    throw new ServiceError('RESOURCE_CONFLICT', 'An open shift has no variance yet.', { details: { reason: 'shift_open' } });
  if (row.note !== null)
    throw new ServiceError('RESOURCE_CONFLICT', 'This shift has a note already.', { details: { reason: 'note_written' } });
}

/** Checks that the caller can close a shift or move its cash. @throws ServiceError RESOURCE_CONFLICT, PERMISSION_DENIED. */
export function checkChange(row: ShiftRow, actor: Actor): void {
  refuseClosed(row);
  checkPerson(row, actor);
}

function refuseClosed(row: ShiftRow): void {
  if (row.status === 'open') return;
  throw new ServiceError('RESOURCE_CONFLICT', `This shift was closed by ${row.closed_by ?? ''}.`, { details: { reason: 'shift_closed' } });
}

/** Changes an open shift under its lock. Of two closes, the second one finds it closed. */
async function changeOpen(
  deps: Dependencies,
  actor: Actor,
  shiftId: string,
  change: (work: Work, row: ShiftRow, merchant: Merchant, now: TenantTime) => Promise<ShiftRow>,
): Promise<Shift> {
  const { merchant } = await findShift(deps, actor, shiftId);
  return runChange(deps, actor, async (work) => {
    const row = await work.lockOne(SHIFTS, { id: shiftId });
    if (!row) throw shiftNotFound(shiftId);
    refuseClosed(row);
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    return toShift(await change(work, row, merchant, now), seesExpected(actor));
  });
}

/** Checks that the caller may close a shift or move its cash: everyone may at a drawer that everyone uses. */
function checkPerson(row: ShiftRow, actor: Actor): void {
  if (!isPerPerson(row) || row.opened_by === actor.name || seesExpected(actor)) return;
  throw new ServiceError(
    'PERMISSION_DENIED',
    `This is the shift of ${row.opened_by}. Changing it requires the permission \`shifts:manage\`.`,
    {
      details: { permission: 'shifts:manage' },
    },
  );
}

const eventBase = (row: ShiftRow, atMs: TenantTime) => ({
  tenantId: row.tenant_id,
  merchantId: row.merchant_id,
  resourceId: row.id,
  atMs,
});

const eventData = (row: ShiftRow) => ({
  shiftId: row.id,
  drawer: row.drawer,
  openedBy: row.opened_by,
  currency: row.currency,
  floatAmount: money(row.float_minor, row.currency as Currency),
});

/** Returns the sums of a Z report for its event. */
function eventTotals(report: ShiftReport, cards: CardTotals) {
  const sum = (line: ReportLine | null) => line?.amount ?? money(0, report.currency);
  return {
    salesCount: report.salesCount ?? 0,
    paymentsCount: report.paymentsCount ?? 0,
    cashSalesAmount: sum(report.cashSales),
    cashRefundsAmount: sum(report.cashRefunds),
    cashRoundingAmount: report.cashRounding ?? money(0, report.currency),
    checkSalesAmount: sum(report.checkSales),
    checkRefundsAmount: sum(report.checkRefunds),
    otherSalesAmount: sum(report.otherSales),
    otherRefundsAmount: sum(report.otherRefunds),
    giftCardSalesAmount: sum(report.giftCardSales),
    giftCardRefundsAmount: sum(report.giftCardRefunds),
    giftCardsSoldAmount: sum(report.giftCardsSold),
    giftCardsTakenBackAmount: sum(report.giftCardsTakenBack),
    payInsAmount: sum(report.payIns),
    payOutsAmount: sum(report.payOuts),
    cardTotalAmount: cards.total,
    tipAmount: cards.tip,
    surchargeAmount: cards.surcharge,
    taxAmount: cards.tax,
    netSalesAmount: report.netSalesAmount ?? money(0, report.currency),
    discountsAmount: sum(report.discounts),
  };
}

function auditShift(deps: Dependencies, work: Work, actor: Actor, action: string, row: ShiftRow, after: Record<string, unknown>): void {
  deps.audit(work, {
    actor,
    action: `shift.${action}`,
    resource: `shifts/${row.id}`,
    merchantId: row.merchant_id,
    after: { drawer: row.drawer, ...after },
  });
}
