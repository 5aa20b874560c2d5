import type { DailySummary } from '#renderer/client';

/** Cash of all drawers on a day in the order of a count, without lines that moved nothing. */
export function drawerSums({ shifts }: DailySummary): readonly (readonly [name: string, amount: number])[] {
  const { openCount, closedCount } = shifts;
  if (openCount + closedCount + shifts.floatAmount === 0) return [];
  const lines = [
    ['Floats', shifts.floatAmount],
    ['Cash sales', shifts.cashSalesAmount],
    ['Cash refunds', -shifts.cashRefundsAmount],
    ['Paid in', shifts.payInsAmount],
    ['Paid out', -shifts.payOutsAmount],
  ] as const;
  const counted =
    closedCount === 0
      ? []
      : ([
          ['Counted', shifts.countedAmount],
          ['Variance', shifts.varianceAmount],
        ] as const);
  return [...lines.filter(([, amount]) => amount !== 0), ...counted];
}

/** Payments of a day by the Z report that counts them. The lines before the last one add up to it. Empty without shifts. */
export function shiftPaymentSums({
  shifts: { openCount, closedCount, payments },
}: DailySummary): readonly (readonly [name: string, amount: number])[] {
  if (payments === null || (openCount + closedCount + payments.late.length === 0 && payments.inOtherReportsAmount === 0)) return [];
  const lines = [
    ['In Z reports', payments.zReportsAmount],
    ['Of other days in these Z reports', -payments.fromOtherDaysAmount],
    ['In Z reports of other days', payments.inOtherReportsAmount],
    ['In open shifts', payments.openShiftsAmount],
    ['After the close of a shift', payments.lateAmount],
    ['Not in a shift', payments.withoutShiftAmount],
  ] as const;
  return [...lines.filter(([, amount]) => amount !== 0), ['Sales less refunds', payments.totalAmount]];
}

/** Describes the shifts of a day: "2 closed, 1 open". */
export function shiftCounts({ shifts: { closedCount, openCount } }: DailySummary): string {
  return [closedCount > 0 && `${closedCount} closed`, openCount > 0 && `${openCount} open`].filter(Boolean).join(', ');
}
