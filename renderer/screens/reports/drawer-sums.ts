import type { DailySummary } from '#renderer/base/client';
import { t } from '#renderer/base/language';

/** Cash of all drawers on a day in the order of a count, without lines that moved nothing. */
export function drawerSums({ shifts }: DailySummary): readonly (readonly [name: string, amount: number])[] {
  const { openCount, closedCount } = shifts;
  if (openCount + closedCount + shifts.floatAmount === 0) return [];
  const lines = [
    [t('Floats'), shifts.floatAmount],
    [t('Cash sales'), shifts.cashSalesAmount],
    [t('Cash refunds'), -shifts.cashRefundsAmount],
    [t('Cash rounding'), shifts.cashRoundingAmount],
    [t('Paid in'), shifts.payInsAmount],
    [t('Paid out', { context: 'cash' }), -shifts.payOutsAmount],
  ] as const;
  const counted =
    closedCount === 0
      ? []
      : ([
          [t('Counted'), shifts.countedAmount],
          [t('Variance'), shifts.varianceAmount],
        ] as const);
  return [...lines.filter(([, amount]) => amount !== 0), ...counted];
}

/** Payments of a day by the Z report that counts them. The lines before the last one add up to it. Empty without shifts. */
export function shiftPaymentSums({
  shifts: { openCount, closedCount, payments },
}: DailySummary): readonly (readonly [name: string, amount: number])[] {
  if (payments === null || (openCount + closedCount + payments.late.length === 0 && payments.inOtherReportsAmount === 0)) return [];
  const lines = [
    [t('In Z reports'), payments.zReportsAmount],
    [t('Of other days in these Z reports'), -payments.fromOtherDaysAmount],
    [t('In Z reports of other days'), payments.inOtherReportsAmount],
    [t('In open shifts'), payments.openShiftsAmount],
    [t('After the close of a shift'), payments.lateAmount],
    [t('Not in a shift'), payments.withoutShiftAmount],
  ] as const;
  return [...lines.filter(([, amount]) => amount !== 0), [t('Sales less refunds'), payments.totalAmount]];
}

/** Describes the shifts of a day: "2 closed, 1 open". */
export function shiftCounts({ shifts: { closedCount, openCount } }: DailySummary): string {
  return [
    closedCount > 0 && t('{{count, number}} closed', { count: closedCount }),
    openCount > 0 && t('{{count, number}} open', { count: openCount }),
  ]
    .filter(Boolean)
    .join(', ');
}
