import { queriesOn, TENANT } from '#core/database';
import { type Currency, type Money, money } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/merchants';
import { READABLE_SHIFT_MOVEMENTS, READABLE_SHIFTS, type ShiftMovementKind } from '#core/shifts';
import type { Dependencies } from './dependencies.ts';

/** Cash drawers of a day: the movements of all shifts on the day, and the shifts that were closed on it. */
export interface ShiftDay {
  /** Shifts that are open now. */
  readonly openCount: number;
  readonly closedCount: number;
  readonly floatAmount: Money;
  readonly payInsAmount: Money;
  readonly payOutsAmount: Money;
  /** Cash sales and refunds that belong to a shift. */
  readonly cashSalesAmount: Money;
  readonly cashRefundsAmount: Money;
  /** Counted cash of the shifts that were closed on the day. */
  readonly countedAmount: Money;
  /** Counted less expected cash of the shifts that were closed on the day. */
  readonly varianceAmount: Money;
  readonly closed: readonly ClosedShift[];
}

/** A shift that was closed on a day. */
export interface ClosedShift {
  readonly shiftId: string;
  readonly zNumber: number;
  readonly drawer: string;
  readonly closedBy: string;
  readonly countedAmount: Money;
  readonly varianceAmount: Money;
}

interface DayScope {
  readonly tenantId: string;
  /** Absent for all merchants. */
  readonly merchantId: string | undefined;
  readonly date: string;
  readonly currency: Currency;
}

const queries = queriesOn(READABLE_SHIFTS, READABLE_SHIFT_MOVEMENTS, READABLE_MERCHANTS);
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);

/** Sums the shifts of a day. */
export async function shiftDay(deps: Dependencies, { tenantId, merchantId, date, currency }: DayScope): Promise<ShiftDay> {
  const read = deps.database.read(tenantId);
  const moved = queries
    .selectFrom('shift_movements')
    .select(({ fn }) => ['kind', fn.sum<number>('amount_minor').as('amount')])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
    .where('day', '=', date)
    .where('currency', '=', currency)
    .groupBy('kind');
  const shifts = queries
    .selectFrom('shifts')
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
    .where('currency', '=', currency);
  const [movements, closed, open] = await Promise.all([
    read.rows(moved),
    read.rows(
      shifts
        .select(['id', 'z_number', 'drawer', 'closed_by', 'counted_minor', 'variance_minor'])
        .where('closed_day', '=', date)
        .orderBy('id'),
    ),
    read.row(shifts.select(({ fn }) => fn.countAll<number>().as('n')).where('status', '=', 'open')),
  ]);
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
    countedAmount: total('counted_minor'),
    varianceAmount: total('variance_minor'),
    closed: closed.map((row) => ({
      shiftId: row.id,
      zNumber: Number(row.z_number ?? 0),
      drawer: row.drawer,
      closedBy: row.closed_by ?? '',
      countedAmount: amount(Number(row.counted_minor ?? 0)),
      varianceAmount: amount(Number(row.variance_minor ?? 0)),
    })),
  };
}
