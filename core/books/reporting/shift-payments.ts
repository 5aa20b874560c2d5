import { listOf, queriesOn, type Read, TENANT } from '#core/database';
import { type Currency, money } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { cardsOfDay } from '#core/sales/payments';
import { READABLE_SHIFT_MOVEMENTS, READABLE_SHIFTS, salesEffect, shiftOfLateId } from '#core/sales/shifts';
import type { ShiftPayments } from './records.ts';

/** A day or a range of days, both inclusive. */
interface Day {
  /** Absent for all merchants. */
  readonly merchantId: string | undefined;
  readonly startDate: string;
  readonly endDate: string;
  readonly currency: Currency;
  /** Sales less refunds and credits of the day, in minor units. */
  readonly totalMinor: number;
  /** Net sales of the Z reports of the day in minor units, by their shift. */
  readonly zReports: ReadonlyMap<string, number>;
}

const queries = queriesOn(READABLE_SHIFTS, READABLE_SHIFT_MOVEMENTS, READABLE_MERCHANTS);
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);

/** Assigns the payments of a day to Z reports, open shifts, and the rest (decision record 124). */
export async function shiftPayments(read: Read, { zReports, totalMinor, ...day }: Day): Promise<ShiftPayments> {
  const [tenders, cards] = await Promise.all([tendersOfDay(read, day), cardsOfDay(read, day)]);
  const shifts = await shiftsOf(read, [
    ...[...tenders.keys()].map((id) => shiftOfLateId(id) ?? id),
    ...cards.map(({ shiftId }) => shiftId),
  ]);
  let [inReports, inOtherReports, open] = [0, 0, 0];
  const late = new Map<string, { count: number; minor: number }>();
  const addReported = (reportId: string, minor: number) => {
    if (zReports.has(reportId)) inReports += minor;
    else inOtherReports += minor;
  };
  for (const { shiftId, reportId, count, minor } of cards) {
    if (reportId !== null) addReported(reportId, minor);
    else if (shifts.get(shiftId)?.status === 'open') open += minor;
    else late.set(shiftId, { count, minor });
  }
  for (const [shiftId, minor] of tenders) {
    const lateShift = shiftOfLateId(shiftId);
    if (lateShift !== null)
      late.set(lateShift, { count: late.get(lateShift)?.count ?? 0, minor: (late.get(lateShift)?.minor ?? 0) + minor });
    else if (shifts.get(shiftId)?.status === 'closed') addReported(shiftId, minor);
    else open += minor;
  }
  const amount = (minor: number) => money(minor, day.currency);
  const zMinor = [...zReports.values()].reduce((sum, minor) => sum + minor, 0);
  const lateMinor = [...late.values()].reduce((sum, { minor }) => sum + minor, 0);
  return {
    zReportsAmount: amount(zMinor),
    fromOtherDaysAmount: amount(zMinor - inReports),
    inOtherReportsAmount: amount(inOtherReports),
    openShiftsAmount: amount(open),
    lateAmount: amount(lateMinor),
    late: [...late].map(([shiftId, { count, minor }]) => {
      const { z_number, drawer = '', opened_by = '' } = shifts.get(shiftId) ?? {};
      return { shiftId, zNumber: Number(z_number ?? 0), drawer, openedBy: opened_by, count, amount: amount(minor) };
    }),
    withoutShiftAmount: amount(totalMinor - inReports - inOtherReports - open - lateMinor),
    totalAmount: amount(totalMinor),
  };
}

/** Returns the tenders of a day less their refunds and less sold gift cards in minor units, by shift. */
async function tendersOfDay(
  read: Read,
  { merchantId, startDate, endDate, currency }: Omit<Day, 'zReports' | 'totalMinor'>,
): Promise<Map<string, number>> {
  const rows = await read.rows(
    queries
      .selectFrom('shift_movements')
      .select(({ fn }) => ['shift_id', 'kind', fn.sum<number>('amount_minor').as('amount')])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
      .where('day', '>=', startDate)
      .where('day', '<=', endDate)
      .where('currency', '=', currency)
      .groupBy(['shift_id', 'kind']),
  );
  const sums = new Map<string, number>();
  for (const { shift_id, kind, amount } of rows) {
    const sign = salesEffect(kind);
    if (sign !== 0) sums.set(shift_id, (sums.get(shift_id) ?? 0) + sign * Number(amount));
  }
  return sums;
}

async function shiftsOf(read: Read, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>();
  const rows = await read.rows(
    queries
      .selectFrom('shifts')
      .select(['id', 'status', 'z_number', 'drawer', 'opened_by'])
      .where('tenant_id', '=', TENANT)
      .where('id', 'in', listOf([...new Set(ids)])),
  );
  return new Map(rows.map((row) => [row.id, row]));
}
