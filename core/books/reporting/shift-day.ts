import { queriesOn, TENANT } from '#core/database';
import { type Currency, money, subtract } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { READABLE_SHIFT_MOVEMENTS, READABLE_SHIFTS, type ReportSums, reportSums, type ShiftMovementKind } from '#core/sales/shifts';
import type { Dependencies } from './dependencies.ts';
import type { ShiftDay } from './records.ts';
import { shiftPayments } from './shift-payments.ts';

interface DayScope {
  readonly tenantId: string;
  /** Absent for all merchants. */
  readonly merchantId: string | undefined;
  readonly startDate: string;
  readonly endDate: string;
  readonly currency: Currency;
  /** Sales less refunds and credits of the day, in minor units. */
  readonly totalMinor: number;
}

/** Every closed shift has a report; a missing one counts nothing. */
const NO_SUMS: ReportSums = { cardsMinor: 0, netMinor: 0 };
const queries = queriesOn(READABLE_SHIFTS, READABLE_SHIFT_MOVEMENTS, READABLE_MERCHANTS);
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);

/** Sums the shifts of a day, or of several days. */
export async function shiftDay(
  deps: Dependencies,
  { tenantId, merchantId, startDate, endDate, currency, totalMinor }: DayScope,
): Promise<ShiftDay> {
  const read = deps.database.read(tenantId);
  const moved = queries
    .selectFrom('shift_movements')
    .select(({ fn }) => ['kind', fn.sum<number>('amount_minor').as('amount')])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
    .where('day', '>=', startDate)
    .where('day', '<=', endDate)
    .where('currency', '=', currency)
    .groupBy('kind');
  const shifts = queries
    .selectFrom('shifts')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
    .where('currency', '=', currency);
  const [movements, closedRows, open, any] = await Promise.all([
    read.rows(moved),
    read.rows(
      shifts
        .select(['id', 'z_number', 'drawer', 'closed_by', 'counted_minor', 'variance_minor', 'report'])
        .where('closed_day', '>=', startDate)
        .where('closed_day', '<=', endDate)
        .orderBy('id'),
    ),
    read.row(shifts.select(({ fn }) => fn.countAll<number>().as('n')).where('status', '=', 'open')),
    read.row(shifts.select('id').limit(1)),
  ]);
  const closed = closedRows.map((row) => ({ ...row, ...(row.report === null ? NO_SUMS : reportSums(row.report)) }));
  const zReports = new Map(closed.map(({ id, netMinor }) => [id, netMinor]));
  const amount = (minor: number) => money(minor, currency);
  const sumOf = (kind: ShiftMovementKind) => amount(Number(movements.find((row) => row.kind === kind)?.amount ?? 0));
  const total = (column: 'counted_minor' | 'variance_minor') => amount(closed.reduce((sum, row) => sum + Number(row[column] ?? 0), 0));
  return {
    openCount: Number(open?.n ?? 0),
    closedCount: closed.length,
    floatAmount: sumOf('float'),
    payInsAmount: sumOf('pay_in'),
    payOutsAmount: sumOf('pay_out'),
    cashSalesAmount: sumOf('cash_sale'),
    cashRefundsAmount: sumOf('cash_refund'),
    cashRoundingAmount: subtract(sumOf('rounded_up'), sumOf('rounded_down')),
    countedAmount: total('counted_minor'),
    varianceAmount: total('variance_minor'),
    cardsAmount: amount(closed.reduce((sum, { cardsMinor }) => sum + cardsMinor, 0)),
    payments: any === null ? null : await shiftPayments(read, { merchantId, startDate, endDate, currency, totalMinor, zReports }),
    closed: closed.map((row) => ({
      shiftId: row.id,
      zNumber: Number(row.z_number ?? 0),
      drawer: row.drawer,
      closedBy: row.closed_by ?? '',
      countedAmount: amount(Number(row.counted_minor ?? 0)),
      varianceAmount: amount(Number(row.variance_minor ?? 0)),
      cardsAmount: amount(row.cardsMinor),
      netSalesAmount: amount(row.netMinor),
    })),
  };
}
