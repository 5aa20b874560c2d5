import { READABLE_RUNS } from '#core/books/reconciliation';
import { READABLE_SETTLEMENTS } from '#core/books/settlement';
import { listOf, lit, queriesOn, type Read, TENANT } from '#core/database';
import { BANK_TRANSFER_KINDS, READABLE_TRANSFERS } from '#core/records/ledger';
import type { FigureName } from '../records.ts';
import { BANK_DAY_SUMS, BANK_PAYOUTS, type LineMeasure } from '../schema.ts';
import { daysOf, type Period } from './period.ts';

const queries = queriesOn(READABLE_TRANSFERS, READABLE_SETTLEMENTS, READABLE_RUNS, BANK_DAY_SUMS, BANK_PAYOUTS);

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

/** Sums of a day in minor units. */
export interface Sums {
  sales: number;
  disputes: number;
  fees: number;
  processor: number;
  payouts: number;
  covered: number;
  posted: number;
  /** Bank lines, without their parts that are unrelated to payments. */
  lines: number;
  unrelated: number;
  /** Number of bank lines, and of those that are open. */
  lineCount: number;
  openLineCount: number;
}

const noSums = (): Sums => ({
  sales: 0,
  disputes: 0,
  fees: 0,
  processor: 0,
  payouts: 0,
  covered: 0,
  posted: 0,
  lines: 0,
  unrelated: 0,
  lineCount: 0,
  openLineCount: 0,
});

/** Sums of each day by currency. */
export type DailySums = ReadonlyMap<string, ReadonlyMap<string, Sums>>;

const ADD_MEASURE: Readonly<Record<LineMeasure, (sums: Sums, n: number) => void>> = {
  lines: (sums, n) => {
    sums.lineCount += n;
  },
  open_lines: (sums, n) => {
    sums.openLineCount += n;
  },
  amount: (sums, n) => {
    sums.lines += n;
  },
  unrelated: (sums, n) => {
    sums.unrelated += n;
    sums.lines -= n;
  },
};

const LIST_MAX = 512;

/**
 * Returns the days of a range as lists for `in` conditions. With single days, the index of the ledger finds the movements of a kind without the
 * captures of the range, of which there are many more.
 */
function listsOfDays(range: Pick<Period, 'first' | 'last'>): string[][] {
  const days = daysOf(range);
  return Array.from({ length: Math.ceil(days.length / LIST_MAX) }, (_, index) =>
    listOf(days.slice(index * LIST_MAX, (index + 1) * LIST_MAX)),
  );
}

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
  for (const days of listsOfDays({ first, last })) {
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
      .where('t.day', 'in', days)
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
      .where('day', 'in', days)
      .where('kind', 'in', [...BANK_TRANSFER_KINDS])
      .groupBy(['day', 'currency', 'debit']);
    // The bank account is credited with what it receives (docs/settlement.md).
    for (const row of await read.rows(movements))
      sumsOf(row.day, row.currency).posted += row.debit === 'bank' ? -Number(row.amount) : Number(row.amount);
  }
  const lines = queries
    .selectFrom('bank_day_sums')
    .select(['booked_day', 'currency', 'measure', 'n'])
    .where('tenant_id', '=', TENANT)
    .where('merchant_id', '=', merchantId)
    .where('booked_day', '>=', first)
    .where('booked_day', '<=', last)
    // The counters of removed lines are zero.
    .where('n', '<>', lit(0));
  for (const { booked_day, currency, measure, n } of await read.rows(lines)) ADD_MEASURE[measure](sumsOf(booked_day, currency), Number(n));
  return byDay;
}

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

/** A payout that bank lines do not cover, or only in part. */
export interface UncoveredPayout {
  readonly day: string;
  readonly currency: string;
  readonly payoutId: string;
}

/** Returns the payouts of a period that bank lines do not fully cover. Only days on which the sums differ are read. */
export async function uncoveredPayouts(
  read: Read,
  merchantId: string,
  sums: DailySums,
  currencies: ReadonlySet<string>,
): Promise<UncoveredPayout[]> {
  const days = [...sums].flatMap(([day, ofDay]) =>
    [...ofDay].some(([currency, { payouts, covered }]) => currencies.has(currency) && covered < payouts) ? [day] : [],
  );
  if (days.length === 0) return [];
  const rows = await read.rows(
    queries
      .selectFrom('ledger_transfers as t')
      .leftJoin('bank_payouts as p', (join) => join.onRef('p.tenant_id', '=', 't.tenant_id').onRef('p.payout_id', '=', 't.subject_id'))
      .select(['t.day', 't.currency', 't.subject_id as payout'])
      .where('t.tenant_id', '=', TENANT)
      .where('t.merchant_id', '=', merchantId)
      .where('t.day', 'in', listOf(days))
      .where('t.kind', '=', 'payout')
      .where(({ eb, fn, ref }) => eb(fn.coalesce('p.matched_minor', lit(0)), '<', ref('t.amount_minor'))),
  );
  return rows.flatMap(({ day, currency, payout }) => (currencies.has(currency) ? [{ day, currency, payoutId: payout }] : []));
}
