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

/** Describes the shifts of a day: "2 closed, 1 open". */
export function shiftCounts({ shifts: { closedCount, openCount } }: DailySummary): string {
  return [closedCount > 0 && `${closedCount} closed`, openCount > 0 && `${openCount} open`].filter(Boolean).join(', ');
}
