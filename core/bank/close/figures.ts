import { lit, queriesOn, type Read, TENANT } from '#core/database';
import { READABLE_TRANSFERS } from '#core/ledger';
import { READABLE_RUNS } from '#core/reconciliation';
import { READABLE_SETTLEMENTS } from '#core/settlement';
import { BANK_LINES, BANK_MATCHES, BANK_PAYOUTS } from '../schema.ts';
import type { Period } from './period.ts';

const queries = queriesOn(READABLE_TRANSFERS, READABLE_SETTLEMENTS, READABLE_RUNS, BANK_LINES, BANK_PAYOUTS, BANK_MATCHES);

/**
 * Names of the figures. `sales`: captures less refunds, by settlement date. `disputes`, `fees`: deducted in settlements. `payouts`: paid out. `bank`: movements of
 * the bank account.
 */
export const FIGURES = ['sales', 'disputes', 'fees', 'payouts', 'bank'] as const;
export type FigureName = (typeof FIGURES)[number];
export const SIDES = ['ledger', 'processor', 'bank'] as const;
export type Side = (typeof SIDES)[number];

/** A figure on the three sides, in minor units; null on a side that does not have it. */
export interface Figure {
  readonly name: FigureName;
  readonly ledger: number | null;
  readonly processor: number | null;
  readonly bank: number | null;
  /** Own ledger less the other side; 0 without another side. */
  readonly difference: number;
}

/** Figures of one currency. */
export interface CurrencyFigures {
  readonly currency: string;
  readonly figures: readonly Figure[];
  /** Bank lines that are marked as unrelated to payments; not part of the figures. */
  readonly unrelated: number;
}

const BANK_KINDS = [
  'bank_deposit',
  'bank_deposit_reversed',
  'bank_fee',
  'bank_fee_reversed',
  'bank_chargeback',
  'bank_chargeback_reversed',
] as const;

/** Sums of a day in minor units. */
export interface Sums {
  sales: number;
  disputes: number;
  fees: number;
  processor: number;
  payouts: number;
  covered: number;
  posted: number;
  lines: number;
  unrelated: number;
}

/** Sums of each day by currency. */
export type DailySums = ReadonlyMap<string, ReadonlyMap<string, Sums>>;

/** Reads the sums of each day of a range from the rows of each side. The processor's are those of the last comparison of the day. */
export async function readSums(read: Read, merchantId: string, { first, last }: Pick<Period, 'first' | 'last'>): Promise<DailySums> {
  const byDay = new Map<string, Map<string, Sums>>();
  const sumsOf = (day: string, currency: string): Sums => {
    const ofDay = byDay.get(day) ?? new Map<string, Sums>();
    byDay.set(day, ofDay);
    const sums = ofDay.get(currency) ?? noSums();
    ofDay.set(currency, sums);
    return sums;
  };
  const settlements = queries
    .selectFrom('settlements')
    .select(({ fn }) => [
      'settlement_date',
      'currency',
      fn.sum<number>('captures_minor').as('captures'),
      fn.sum<number>('refunds_minor').as('refunds'),
      fn.sum<number>('fees_minor').as('fees'),
      fn.sum<number>('disputes_minor').as('disputes'),
    ])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('settlement_date', '>=', first)
    .where('settlement_date', '<=', last)
    .where('status', '<>', lit('assembling'))
    .groupBy(['settlement_date', 'currency']);
  for (const row of await read.rows(settlements)) {
    const sums = sumsOf(row.settlement_date, row.currency);
    sums.sales += Number(row.captures) - Number(row.refunds);
    sums.fees += Number(row.fees);
    sums.disputes += Number(row.disputes);
  }
  const comparisons = queries
    .selectFrom('reconciliation_runs')
    .select(['date', 'totals'])
    .where('tenant_id', '=', TENANT)
    .where('id', 'in', ({ selectFrom, fn }) =>
      selectFrom('reconciliation_runs')
        .select(fn.max('id').as('id'))
        .where('tenant_id', '=', TENANT)
        .where('scope', '=', merchantId)
        .where('date', '>=', first)
        .where('date', '<=', last)
        .groupBy('date'),
    );
  for (const { date, totals } of await read.rows(comparisons))
    for (const { currency, settlements: minor } of JSON.parse(totals) as { currency: string; settlements: number }[])
      sumsOf(date, currency).processor += minor;
  const payouts = queries
    .selectFrom('ledger_transfers as t')
    .leftJoin('bank_payouts as p', (join) => join.onRef('p.tenant_id', '=', 't.tenant_id').onRef('p.payout_id', '=', 't.subject_id'))
    .select(({ fn }) => [
      't.day',
      't.currency',
      fn.sum<number>('t.amount_minor').as('paid'),
      fn.sum<number>(fn.coalesce('p.matched_minor', lit(0))).as('covered'),
    ])
    .where('t.tenant_id', '=', TENANT)
    .where('t.merchant_id', '=', merchantId)
    .where('t.day', '>=', first)
    .where('t.day', '<=', last)
    .where('t.kind', '=', 'payout')
    .groupBy(['t.day', 't.currency']);
  for (const row of await read.rows(payouts)) {
    const sums = sumsOf(row.day, row.currency);
    sums.payouts += Number(row.paid);
    sums.covered += Number(row.covered);
  }
  const movements = queries
    .selectFrom('ledger_transfers')
    .select(({ fn }) => ['day', 'currency', 'debit', fn.sum<number>('amount_minor').as('amount')])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('day', '>=', first)
    .where('day', '<=', last)
    .where('kind', 'in', [...BANK_KINDS])
    .groupBy(['day', 'currency', 'debit']);
  // The bank account is credited with what it receives (docs/settlement.md).
  for (const row of await read.rows(movements))
    sumsOf(row.day, row.currency).posted += row.debit === 'bank' ? -Number(row.amount) : Number(row.amount);
  const lines = queries
    .selectFrom('bank_lines')
    .select(({ fn }) => [
      'booked_day',
      'currency',
      fn.sum<number>('amount_minor').as('amount'),
      fn.sum<number>('unrelated_minor').as('unrelated'),
    ])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('booked_day', '>=', first)
    .where('booked_day', '<=', last)
    .groupBy(['booked_day', 'currency']);
  for (const row of await read.rows(lines)) {
    const sums = sumsOf(row.booked_day, row.currency);
    sums.unrelated += Number(row.unrelated);
    sums.lines += Number(row.amount) - Number(row.unrelated);
  }
  return byDay;
}

const noSums = (): Sums => ({ sales: 0, disputes: 0, fees: 0, processor: 0, payouts: 0, covered: 0, posted: 0, lines: 0, unrelated: 0 });

/** Returns the figures of the days from the first to the last one, by currency. */
export function figuresOf(sums: DailySums, { first, last }: Pick<Period, 'first' | 'last'>): CurrencyFigures[] {
  const byCurrency = new Map<string, Sums>();
  for (const [day, ofDay] of sums) {
    if (day < first || day > last) continue;
    for (const [currency, own] of ofDay) {
      const total = byCurrency.get(currency) ?? noSums();
      for (const name of Object.keys(own) as (keyof Sums)[]) total[name] += own[name];
      byCurrency.set(currency, total);
    }
  }
  return [...byCurrency]
    .map(([currency, total]) => toFigures(currency, total))
    .toSorted((left, right) => (left.currency < right.currency ? -1 : 1));
}

/** Returns the figures of sums; by default of a period without movements. */
export const toFigures = (currency: string, sums: Sums = noSums()): CurrencyFigures => ({
  currency,
  unrelated: sums.unrelated,
  figures: [
    { name: 'sales', ledger: sums.sales, processor: sums.processor, bank: null, difference: sums.sales - sums.processor },
    { name: 'disputes', ledger: sums.disputes, processor: null, bank: null, difference: 0 },
    { name: 'fees', ledger: sums.fees, processor: null, bank: null, difference: 0 },
    { name: 'payouts', ledger: sums.payouts, processor: null, bank: sums.covered, difference: sums.payouts - sums.covered },
    { name: 'bank', ledger: sums.posted, processor: null, bank: sums.lines, difference: sums.posted - sums.lines },
  ],
});

/** State of a side on one day. */
export interface DayCounts {
  /** Bank lines booked on the day, and those that are open. */
  readonly lines: number;
  readonly openLines: number;
}

/** Counts the bank lines of a period by day. */
export async function countLines(read: Read, merchantId: string, { first, last }: Period): Promise<ReadonlyMap<string, DayCounts>> {
  const rows = await read.rows(
    queries
      .selectFrom('bank_lines')
      .select(({ fn }) => ['booked_day', 'state', fn.countAll<number>().as('n')])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('booked_day', '>=', first)
      .where('booked_day', '<=', last)
      .groupBy(['booked_day', 'state']),
  );
  const days = new Map<string, { lines: number; openLines: number }>();
  for (const { booked_day, state, n } of rows) {
    const day = days.get(booked_day) ?? { lines: 0, openLines: 0 };
    day.lines += Number(n);
    if (state === 'open') day.openLines += Number(n);
    days.set(booked_day, day);
  }
  return days;
}

/** A payout of a period with its covered part. */
export interface PayoutOfPeriod {
  readonly day: string;
  readonly currency: string;
  readonly payoutId: string;
  readonly minor: number;
  readonly coveredMinor: number;
}

/** Returns the payouts of a period with the parts that bank lines cover, in order. */
export async function payoutsOfPeriod(read: Read, merchantId: string, { first, last }: Period): Promise<PayoutOfPeriod[]> {
  const rows = await read.rows(
    queries
      .selectFrom('ledger_transfers as t')
      .leftJoin('bank_payouts as p', (join) => join.onRef('p.tenant_id', '=', 't.tenant_id').onRef('p.payout_id', '=', 't.subject_id'))
      .select(({ fn }) => [
        't.day',
        't.currency',
        't.subject_id as payout',
        't.amount_minor as amount',
        fn.coalesce('p.matched_minor', lit(0)).as('covered'),
      ])
      .where('t.tenant_id', '=', TENANT)
      .where('t.merchant_id', '=', merchantId)
      .where('t.day', '>=', first)
      .where('t.day', '<=', last)
      .where('t.kind', '=', 'payout')
      .orderBy('t.day')
      .orderBy('t.id'),
  );
  return rows.map((row) => ({
    day: row.day,
    currency: row.currency,
    payoutId: row.payout,
    minor: Number(row.amount),
    coveredMinor: Number(row.covered),
  }));
}
