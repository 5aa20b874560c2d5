import { Cache, lit, type Work } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import { countObstacles } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { getWithActions } from './actions.ts';
import { addGiftCard, addOpening, addTender, type GiftCardMovement, type TenderMovement } from './apply.ts';
import { openShiftOf } from './cards.ts';
import { type CashMovement, closeShift, explainVariance, type NewShift, openShift, payInOrOut } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { current, get, lines, page, report, totals } from './read.ts';
import { SHIFT_MOVEMENTS, SHIFT_NUMBERS, SHIFTS } from './schema.ts';

export { drawerFrom, roundingId, shiftOfLateId } from './apply.ts';
export type { ShiftResult } from './dependencies.ts';
export type { ShiftFilter, ShiftLine } from './read.ts';
export { READABLE_SHIFT_MOVEMENTS, READABLE_SHIFTS } from './read-model.ts';
export { CurrentShift, type ReportLine, Shift, ShiftDetail, type ShiftReport, ShownReport, shownReport } from './records.ts';
export { type ShiftMovementKind, salesEffect } from './schema.ts';
export { type ReportSums, reportSums } from './shift.ts';

export const TABLES = [SHIFTS, SHIFT_MOVEMENTS, SHIFT_NUMBERS];

export type Shifts = ReturnType<typeof createShifts>;

/** Shifts at cash drawers: float, pay-ins and pay-outs, blind count and numbered reports. */
export function createShifts(options: Omit<Dependencies, 'openShifts'>) {
  const deps: Dependencies = { ...options, openShifts: new Cache(options.database, 'open-shifts') };
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [countObstacles(SHIFTS, 'open_shifts', (shift) => shift('status', '=', lit('open')))],
    open: (actor: Actor, input: NewShift) => openShift(deps, actor, input),
    payIn: (actor: Actor, shiftId: string, input: CashMovement) => payInOrOut(deps, actor, shiftId, 'pay_in', input),
    payOut: (actor: Actor, shiftId: string, input: CashMovement) => payInOrOut(deps, actor, shiftId, 'pay_out', input),
    ...bind(deps, { close: closeShift, explain: explainVariance, page, totals, lines, current, get }),
    /** Same as `get()`, with what can be done with the shift now. */
    getWithActions: (actor: Actor, shiftId: string) => getWithActions(deps, actor, shiftId),
    report: (actor: Actor, shiftId: string) => report(deps, actor, shiftId),
    /** Returns the open shift to which a card or bank payment of a request belongs. */
    openShiftOf: (actor: Actor, merchantId: string, currency: string) => openShiftOf(deps, actor, merchantId, currency),
    /** Forgets the open shifts of a tenant whose data were removed. */
    forgetOpen: (tenantId: string) => deps.openShifts.delete(tenantId),
    /** Records an opening of a drawer without a sale in its open shift; returns the shift or null. */
    addOpening: (work: Work, actor: Pick<Actor, 'tenantId' | 'name'>, merchant: Merchant, opening: { drawer: string; reason: string }) =>
      addOpening(deps, work, actor, merchant, opening),
    /** Adds a sold gift card, or what is taken back of it, to the open shift of its payment. */
    addGiftCard: (work: Work, actor: Pick<Actor, 'tenantId' | 'name'>, merchant: Merchant, movement: GiftCardMovement) =>
      addGiftCard(deps, work, actor, merchant, movement),
    /** Adds a tender or refund to the open shift of its drawer; returns the shift or null. */
    addTender: (work: Work, actor: Pick<Actor, 'tenantId' | 'name' | 'permissions'>, merchant: Merchant, movement: TenderMovement) =>
      addTender(deps, work, actor, merchant, movement),
  };
}
