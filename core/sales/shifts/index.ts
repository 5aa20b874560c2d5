import { Cache, lit } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import { countObstacles } from '#core/processing/domain-events';
import { getWithActions } from './actions.ts';
import { addGiftCard, addOpening, addTender } from './apply.ts';
import { openShiftOf } from './cards.ts';
import { type CashMovement, closeShift, explainVariance, openShift, payInOrOut } from './change.ts';
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
    payIn: (actor: Actor, shiftId: string, input: CashMovement) => payInOrOut(deps, actor, shiftId, 'pay_in', input),
    payOut: (actor: Actor, shiftId: string, input: CashMovement) => payInOrOut(deps, actor, shiftId, 'pay_out', input),
    ...bind(deps, {
      open: openShift,
      close: closeShift,
      explain: explainVariance,
      page,
      totals,
      lines,
      current,
      get,
      getWithActions,
      report,
    }),
    ...bind(deps, { openShiftOf, addOpening, addGiftCard, addTender }),
    /** Forgets the open shifts of a tenant whose data were removed. */
    forgetOpen: (tenantId: string) => deps.openShifts.delete(tenantId),
  };
}
