import { cutPage, idCursorOf, lit, type Page, type PageRequest, queriesOn, type Read, rowsToRead } from '#core/database';
import { addDays, type Caller, type Currency, dateIn, money, parseDate, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import type { FundingSums, FundingTotals, Settlement } from './records.ts';
import { SETTLEMENTS, type SettlementRow } from './schema.ts';
import { type ReportScope, reportScope, scopeRows } from './scope.ts';
import { toSettlement } from './settlement.ts';

const queries = queriesOn(SETTLEMENTS);

const REPORT_DAYS = 30;
const BLOCK = 500;
const NOTHING = { count: 0, captures: 0, refunds: 0, disputes: 0, fees: 0 };

/** Query of a funding report; default the thirty days until today. Without a merchant it covers all merchants of the caller. */
export interface FundingQuery {
  readonly startDate?: string;
  readonly endDate?: string;
  readonly merchantId?: string;
  readonly currency?: string;
}

/** A page of the settlements of a report, and its totals. */
export interface FundingPage {
  readonly totals: FundingTotals;
  readonly settlements: Page<Settlement>;
}

/** The same report with every settlement, read a block at a time. */
export interface FundingStream {
  readonly settlements: AsyncGenerator<Settlement>;
  /** Totals of the settlements read. */
  readonly totals: () => FundingTotals;
}

export interface FundingLines extends Omit<Period, 'currency'> {
  readonly sums: FundingSums[];
  readonly settlements: AsyncGenerator<Settlement>;
}

interface Period extends ReportScope {
  readonly startDate: string;
  readonly endDate: string;
}

/** Returns the scope and dates of a report. @throws ServiceError INVALID_DATE; VALIDATION_ERROR if the end is before the start. */
async function periodOf(deps: Dependencies, actor: Caller, query: FundingQuery): Promise<Period> {
  const scope = await reportScope(deps, actor, query);
  const today = dateIn(scope.merchant.timezone, deps.clockOf(actor.tenantId).now());
  const endDate = query.endDate === undefined ? today : parseDate(query.endDate, 'endDate');
  const startDate = query.startDate === undefined ? addDays(endDate, -REPORT_DAYS) : parseDate(query.startDate, 'startDate');
  if (endDate < startDate) throw new ServiceError('VALIDATION_ERROR', '`endDate` must not be before `startDate`.', { field: 'endDate' });
  return { ...scope, startDate, endDate };
}

const inPeriod = (period: Period) =>
  queries
    .selectFrom('settlements')
    .where(({ and }) => and(scopeRows(period)))
    .where('status', '<>', lit('assembling'))
    .where('settlement_date', '>=', period.startDate)
    .where('settlement_date', '<=', period.endDate);

function sumsOf(currency: Currency, sums: typeof NOTHING): FundingSums {
  return {
    currency,
    count: sums.count,
    totalCaptures: money(sums.captures, currency),
    totalRefunds: money(sums.refunds, currency),
    totalDisputes: money(sums.disputes, currency),
    totalAmount: money(sums.captures - sums.refunds + sums.disputes, currency),
    totalFees: money(sums.fees, currency),
    totalNet: money(sums.captures - sums.refunds + sums.disputes - sums.fees, currency),
  };
}

/** Totals of the period by currency, the merchant's own first. */
async function sumsByCurrency(read: Read, period: Period): Promise<FundingSums[]> {
  const rows = await read.rows(
    inPeriod(period)
      .select(({ fn }) => [
        'currency',
        fn.countAll<number>().as('count'),
        fn.sum<number>('captures_minor').as('captures'),
        fn.sum<number>('refunds_minor').as('refunds'),
        fn.sum<number>('disputes_minor').as('disputes'),
        fn.sum<number>('fees_minor').as('fees'),
      ])
      .groupBy('currency')
      .orderBy('currency'),
  );
  const all = rows.map(({ currency, count, captures, refunds, disputes, fees }) =>
    sumsOf(currency as Currency, {
      count: Number(count),
      captures: Number(captures),
      refunds: Number(refunds),
      disputes: Number(disputes),
      fees: Number(fees),
    }),
  );
  const rank = ({ currency }: FundingSums) => (currency === period.merchant.currency ? 0 : 1);
  return all.toSorted((left, right) => rank(left) - rank(right));
}

const totalsOf = ({ startDate, endDate }: Period, sums: FundingSums, all: readonly FundingSums[]): FundingTotals => ({
  startDate,
  endDate,
  ...sums,
  otherCurrencies: all.filter(({ currency }) => currency !== sums.currency),
});

async function rowsAfter(
  read: Read,
  period: Period,
  position: {
    readonly currency: Currency | null;
    readonly after: Pick<SettlementRow, 'settlement_date' | 'id'> | null;
    readonly offset: number;
  },
  limit: number,
): Promise<SettlementRow[]> {
  const { currency, after, offset } = position;
  let rows = inPeriod(period);
  if (currency !== null) rows = rows.where('currency', '=', currency);
  if (after !== null)
    rows = rows.where(({ eb, refTuple, tuple }) => eb(refTuple('settlement_date', 'id'), '>', tuple(after.settlement_date, after.id)));
  return read.rows(rows.selectAll().orderBy('settlement_date').orderBy('id').limit(limit).offset(offset));
}

/** Returns a page of the report, with the totals of the whole report. */
export async function fundingReport(
  deps: Dependencies,
  actor: Caller,
  query: FundingQuery,
  pageRequest: PageRequest,
): Promise<FundingPage> {
  const period = await periodOf(deps, actor, query);
  const { currency } = period;
  const read = deps.database.read(actor.tenantId);
  const limit = Math.trunc(pageRequest.limit);
  const cursor = idCursorOf(pageRequest, 'stl');
  const after = cursor === undefined ? null : await read.one(SETTLEMENTS, { id: cursor });
  const offset = after === null ? (Math.trunc(pageRequest.page) - 1) * limit : 0;
  const [all, rows] = await Promise.all([
    sumsByCurrency(read, period),
    rowsAfter(read, period, { currency, after, offset }, rowsToRead(limit)),
  ]);
  const sums = all.find((each) => each.currency === currency) ?? sumsOf(currency, NOTHING);
  const { items, nextCursor } = cutPage(rows, limit, ({ id }) => id);
  return {
    totals: totalsOf(period, sums, all),
    settlements: {
      items: items.map(toSettlement),
      page: pageRequest.page,
      limit,
      total: sums.count,
      nextCursor,
    },
  };
}

async function* everySettlement(read: Read, period: Period, currency: Currency | null): AsyncGenerator<Settlement> {
  for (let after: SettlementRow | null = null; ; ) {
    const rows: SettlementRow[] = await rowsAfter(read, period, { currency, after, offset: 0 }, BLOCK);
    for (const row of rows) yield toSettlement(row);
    after = rows.at(-1) ?? null;
    if (after === null || rows.length < BLOCK) return;
  }
}

/** Returns the whole report as a stream, in bounded memory. */
export async function fundingStream(deps: Dependencies, actor: Caller, query: FundingQuery): Promise<FundingStream> {
  const period = await periodOf(deps, actor, query);
  const { currency } = period;
  const read = deps.database.read(actor.tenantId);
  const all = await sumsByCurrency(read, period);
  const sumsSoFar = { ...NOTHING };
  return {
    settlements: (async function* () {
      for await (const settlement of everySettlement(read, period, currency)) {
        sumsSoFar.count += 1;
        sumsSoFar.captures += settlement.captures.minor;
        sumsSoFar.refunds += settlement.refunds.minor;
        sumsSoFar.disputes += settlement.disputes.minor;
        sumsSoFar.fees += settlement.fees.minor;
        yield settlement;
      }
    })(),
    totals: () => totalsOf(period, sumsOf(currency, sumsSoFar), all),
  };
}

/** Yields the settlements of a period in every currency, or in the named one, with the totals of each. */
export async function fundingLines(deps: Dependencies, actor: Caller, query: FundingQuery): Promise<FundingLines> {
  const period = await periodOf(deps, actor, query);
  const currency = query.currency === undefined ? null : period.currency;
  const read = deps.database.read(actor.tenantId);
  const all = await sumsByCurrency(read, period);
  return {
    merchantId: period.merchantId,
    merchant: period.merchant,
    startDate: period.startDate,
    endDate: period.endDate,
    sums: all.filter((each) => currency === null || each.currency === currency),
    settlements: everySettlement(read, period, currency),
  };
}
