import { lit, queriesOn, type Read, sql, TENANT } from '#core/database';
import type { Currency } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { READABLE_TRANSFERS } from '#core/records/ledger';
import { ATTEMPTS } from '../schema.ts';

/** Card and bank payments of a day that were made in the same shift and are in the same Z report. */
interface DayShare {
  readonly shiftId: string;
  /** Shift whose Z report counts them; null if none does. */
  readonly reportId: string | null;
  /** Number of movements. */
  readonly count: number;
  /** Sales less refunds and credits, in minor units. */
  readonly minor: number;
}

/** A day or a range of days, both inclusive. */
interface Day {
  /** Absent for all merchants. */
  readonly merchantId: string | undefined;
  readonly startDate: string;
  readonly endDate: string;
  readonly currency: Currency;
}

const queries = queriesOn(ATTEMPTS, READABLE_TRANSFERS, READABLE_MERCHANTS);
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);
const ATTEMPT_ID_LENGTH = 30;

/** Returns the card and bank payments of a day that were made in shifts, by shift and Z report. */
export async function cardsOfDay(read: Read, { merchantId, startDate, endDate, currency }: Day): Promise<DayShare[]> {
  const rows = await read.rows(
    queries
      .selectFrom('ledger_transfers as t')
      // The ID of a transfer begins with the ID of its request.
      .innerJoin('attempts as a', (join) =>
        join.onRef('a.tenant_id', '=', 't.tenant_id').on('a.id', '=', sql<string>`substr(t.id, 1, ${lit(ATTEMPT_ID_LENGTH)})`),
      )
      .select(({ fn }) => [
        'a.shift_id',
        'a.shift_report_id',
        't.kind',
        fn.countAll<number>().as('n'),
        fn.sum<number>('t.amount_minor').as('amount'),
      ])
      .where('t.tenant_id', '=', TENANT)
      .where('t.merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
      .where('t.day', '>=', startDate)
      .where('t.day', '<=', endDate)
      .where('t.kind', 'in', [lit('capture'), lit('capture_reversed'), lit('refund'), lit('credit')])
      .where('t.currency', '=', currency)
      .where('a.shift_id', 'is not', null)
      .groupBy(['a.shift_id', 'a.shift_report_id', 't.kind']),
  );
  return [...Map.groupBy(rows, ({ shift_id, shift_report_id }) => `${shift_id} ${shift_report_id}`).values()].flatMap((group) => {
    const [first] = group;
    if (!first?.shift_id) return [];
    return {
      shiftId: first.shift_id,
      reportId: first.shift_report_id,
      count: group.reduce((sum, { n }) => sum + Number(n), 0),
      minor: group.reduce((sum, { kind, amount }) => sum + (kind === 'capture' ? Number(amount) : -Number(amount)), 0),
    };
  });
}
