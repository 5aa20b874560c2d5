import { READABLE_DISPUTE_MOVEMENTS } from '#core/books/disputes';
import { lit, queriesOn } from '#core/database';
import { type Caller, isoTime, money } from '#core/kernel';
import { READABLE_BALANCES, READABLE_UNSETTLED_LINES } from '#core/records/ledger';
import type { Dependencies } from './dependencies.ts';
import type { SettlementStatus } from './records.ts';
import { nextCutoffOf, scheduleOf } from './schedule.ts';
import { PAYOUTS, SETTLEMENTS } from './schema.ts';
import { reportScope, scopeRows } from './scope.ts';

const queries = queriesOn(SETTLEMENTS, PAYOUTS, READABLE_UNSETTLED_LINES, READABLE_BALANCES, READABLE_DISPUTE_MOVEMENTS);

const PAID_DAYS = 30;
const DAY_MS = 86_400_000;

type ScopeColumns = ReturnType<typeof scopeRows> & { readonly currency: string };

/**
 * Returns the query for the unsettled amount. The ledger enters a settlement when it is closed, so the lines of assembling settlements are
 * deducted.
 * A single statement reads all figures at the same moment.
 */
const unsettled = (scopeColumns: ScopeColumns) =>
  queries.selectNoFrom(({ selectFrom }) => [
    selectFrom('ledger_unsettled_lines')
      .select(({ fn }) => fn.sum<number | null>('n').as('n'))
      .where(({ and }) => and(scopeColumns))
      .as('count'),
    selectFrom('ledger_balances')
      .select(({ fn }) => fn.sum<number | null>('n').as('n'))
      .where(({ and }) => and(scopeColumns))
      .where('account', '=', lit('unsettled'))
      .as('balance'),
    selectFrom('settlements')
      .select(({ fn, eb, ref }) =>
        fn.sum<number | null>(eb(eb('captures_minor', '-', ref('refunds_minor')), '+', ref('disputes_minor'))).as('n'),
      )
      .where(({ and }) => and(scopeColumns))
      .where('status', '=', lit('assembling'))
      .as('assembling'),
    selectFrom('dispute_movements')
      .select(({ fn }) => fn.sum<number | null>('amount_minor').as('n'))
      .where(({ and }) => and(scopeColumns))
      .where('settled_at', 'is', null)
      .as('disputes'),
  ]);

const settledUnpaid = (scopeColumns: ScopeColumns) =>
  queries
    .selectFrom('settlements')
    .select(({ fn, neg, case: when, eb, ref }) => [
      fn
        .sum<number | null>(
          when()
            .when(
              eb(eb(eb('captures_minor', '-', ref('refunds_minor')), '+', ref('disputes_minor')), '-', ref('fees_minor')),
              '<>',
              ref('paid_minor'),
            )
            .then(lit(1))
            .else(lit(0))
            .end(),
        )
        .as('count'),
      fn.sum<number | null>('captures_minor').as('captures'),
      fn.sum<number | null>('refunds_minor').as('refunds'),
      fn.sum<number | null>('fees_minor').as('fees'),
      fn.sum<number | null>(neg('disputes_minor')).as('withheld'),
      fn.sum<number | null>('paid_minor').as('paid'),
    ])
    .where(({ and }) => and(scopeColumns))
    .where('status', '=', lit('pending'));

const paidSince = (scopeColumns: ScopeColumns, since: string) =>
  queries
    .selectFrom('payouts')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('amount_minor').as('paid')])
    .where(({ and }) => and(scopeColumns))
    .where('status', '=', lit('paid'))
    .where('paid_at', '>=', since);

const inTransit = (scopeColumns: ScopeColumns) =>
  queries
    .selectFrom('payouts')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.sum<number | null>('amount_minor').as('paid')])
    .where(({ and }) => and(scopeColumns))
    .where('status', 'in', [lit('pending'), lit('processing')]);

/**
 * Returns the unsettled, unpaid, expected and recently paid amounts. Unsettled amounts are read from counters, so the number of lines does not
 * matter.
 */
export async function settlementSummary(deps: Dependencies, actor: Caller, requestedMerchantId?: string): Promise<SettlementStatus> {
  const scope = await reportScope(deps, actor, { merchantId: requestedMerchantId });
  const { merchantId, merchant, currency } = scope;
  const since = isoTime(deps.clockOf(actor.tenantId).now() - PAID_DAYS * DAY_MS);
  const read = deps.database.read(actor.tenantId);
  const scopeColumns = { ...scopeRows(scope), currency };
  const [open, closed, moving, paid, schedule] = await Promise.all([
    read.row(unsettled(scopeColumns)),
    read.row(settledUnpaid(scopeColumns)),
    read.row(inTransit(scopeColumns)),
    read.row(paidSince(scopeColumns, since)),
    merchantId === undefined ? null : scheduleOf(deps, actor.tenantId, merchantId),
  ]);
  const sum = (count: number | null | undefined, plus: number | null | undefined, ...minus: (number | null | undefined)[]) => ({
    count: Number(count ?? 0),
    amount: money(
      minus.reduce<number>((rest, each) => rest - Number(each ?? 0), Number(plus ?? 0)),
      currency,
    ),
  });
  const nextMs = schedule === null ? null : nextCutoffOf(deps, schedule, merchant);
  return {
    merchantId: merchantId ?? null,
    currency,
    unsettled: sum(open?.count, 0, open?.balance, open?.assembling),
    unsettledDisputesAmount: money(Number(open?.disputes ?? 0), currency),
    settledUnpaid: sum(closed?.count, closed?.captures, closed?.refunds, closed?.withheld, closed?.fees, closed?.paid),
    inTransit: sum(moving?.count, moving?.paid),
    paidIn30Days: sum(paid?.count, paid?.paid),
    paidSince: since,
    frequency: schedule?.frequency ?? null,
    nextCutoffAt: nextMs === null ? null : isoTime(nextMs),
  };
}
