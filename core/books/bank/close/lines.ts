import { READABLE_SETTLEMENTS } from '#core/books/settlement';
import { lit, queriesOn, type Read, TENANT } from '#core/database';
import { type Caller, type Currency, money } from '#core/kernel';
import { READABLE_TRANSFERS } from '#core/records/ledger';
import type { Dependencies } from '../dependencies.ts';
import type { CloseLine, FigureName, Side } from '../records.ts';
import { BANK_LINES, BANK_MATCHES } from '../schema.ts';
import { readSums } from './figures.ts';
import { type Period, parsePeriod } from './period.ts';

const queries = queriesOn(READABLE_TRANSFERS, READABLE_SETTLEMENTS, BANK_LINES, BANK_MATCHES);
const LISTED_MAX = 1_000;

export interface FigureInput {
  readonly period: string;
  readonly figure: FigureName;
  readonly side: Side;
  readonly currency?: string;
  readonly merchantId?: string;
}

/** Returns the lines of which a figure of an open or closed period consists at present, in order of time, at most 1,000. */
export async function figureLines(deps: Dependencies, actor: Caller, input: FigureInput): Promise<CloseLine[]> {
  const merchant = await deps.merchantFor(actor, input.merchantId);
  const period = parsePeriod(input.period, 'period');
  const currency = (input.currency ?? merchant.currency) as Currency;
  const read = deps.database.read(actor.tenantId).heavy;
  const scope = { read, merchantId: merchant.merchantId, currency, period };
  if (input.side === 'processor') return input.figure === 'sales' ? comparisons(scope) : [];
  if (input.figure === 'sales' || input.figure === 'fees' || input.figure === 'disputes')
    return input.side === 'ledger' ? settlements(scope, input.figure) : [];
  if (input.figure === 'payouts') return input.side === 'ledger' ? movements(scope, 'payouts') : coveringMatches(scope);
  return input.side === 'ledger' ? movements(scope, 'bank') : bankLines(scope);
}

interface LineScope {
  readonly read: Read;
  readonly merchantId: string;
  readonly currency: Currency;
  readonly period: Period;
}

/** Returns what the processor reported for each day of a period. */
async function comparisons({ read, merchantId, currency, period }: LineScope): Promise<CloseLine[]> {
  const sums = await readSums(read, merchantId, period);
  return [...sums].toSorted().flatMap(([date, ofDay]): CloseLine[] => {
    const minor = ofDay.get(currency)?.processor ?? 0;
    return minor === 0
      ? []
      : [{ date, id: date, kind: 'comparison', text: 'Report of the processor', currency, amount: money(minor, currency) }];
  });
}

async function settlements({ read, merchantId, currency, period }: LineScope, figure: 'sales' | 'fees' | 'disputes'): Promise<CloseLine[]> {
  const rows = await read.rows(
    queries
      .selectFrom('settlements')
      .select(['id', 'settlement_date', 'captures_minor', 'refunds_minor', 'fees_minor', 'disputes_minor'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('currency', '=', currency)
      .where('settlement_date', '>=', period.first)
      .where('settlement_date', '<=', period.last)
      .where('status', '<>', lit('assembling'))
      .orderBy('settlement_date')
      .orderBy('id')
      .limit(LISTED_MAX),
  );
  return rows.map((row) => ({
    date: row.settlement_date,
    id: row.id,
    kind: 'settlement',
    text: 'Settlement',
    currency,
    amount: money(
      {
        fees: Number(row.fees_minor),
        disputes: Number(row.disputes_minor),
        sales: Number(row.captures_minor) - Number(row.refunds_minor),
      }[figure],
      currency,
    ),
  }));
}

const MOVEMENT_TEXT: Readonly<Record<string, string>> = {
  payout: 'Payout',
  bank_deposit: 'Payout received',
  bank_deposit_reversed: 'Match undone: payout received',
  bank_fee: 'Fee',
  bank_fee_reversed: 'Fee returned or match undone',
  bank_chargeback: 'Chargeback',
  bank_chargeback_reversed: 'Chargeback returned or match undone',
  bank_invoice: 'Invoice paid',
  bank_invoice_reversed: 'Match undone: invoice paid',
  bank_cash: 'Cash deposited',
  bank_cash_reversed: 'Match undone: cash deposited',
  bank_check: 'Checks deposited',
  bank_check_reversed: 'Check returned, or match undone',
  bank_refund: 'Refund paid',
  bank_refund_reversed: 'Match undone: refund paid',
};

async function movements({ read, merchantId, currency, period }: LineScope, figure: 'payouts' | 'bank'): Promise<CloseLine[]> {
  const kinds = Object.keys(MOVEMENT_TEXT).filter((kind) => (kind === 'payout') === (figure === 'payouts'));
  const rows = await read.rows(
    queries
      .selectFrom('ledger_transfers')
      .select(['id', 'kind', 'debit', 'amount_minor', 'subject_id', 'day'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('currency', '=', currency)
      .where('day', '>=', period.first)
      .where('day', '<=', period.last)
      .where('kind', 'in', kinds as never[])
      .orderBy('day')
      .orderBy('id')
      .limit(LISTED_MAX),
  );
  return rows.map((row) => ({
    date: row.day,
    id: row.subject_id,
    kind: figure === 'payouts' ? 'payout' : 'movement',
    text: MOVEMENT_TEXT[row.kind] ?? row.kind,
    currency,
    amount: money(row.debit === 'bank' ? -Number(row.amount_minor) : Number(row.amount_minor), currency),
  }));
}

/** Returns the matches that cover the payouts of a period, whenever the bank booked them. */
async function coveringMatches({ read, merchantId, currency, period }: LineScope): Promise<CloseLine[]> {
  const rows = await read.rows(
    queries
      .selectFrom('ledger_transfers as t')
      .innerJoin('bank_matches as m', (join) => join.onRef('m.tenant_id', '=', 't.tenant_id').onRef('m.payout_id', '=', 't.subject_id'))
      .innerJoin('bank_lines as l', (join) => join.onRef('l.tenant_id', '=', 'm.tenant_id').onRef('l.id', '=', 'm.line_id'))
      .select(['l.day', 'l.id', 'l.text', 'm.amount_minor as amount', 'm.withheld_minor as withheld'])
      .where('t.tenant_id', '=', TENANT)
      .where('t.merchant_id', '=', merchantId)
      .where('t.currency', '=', currency)
      .where('t.day', '>=', period.first)
      .where('t.day', '<=', period.last)
      .where('t.kind', '=', 'payout')
      .where('m.state', '=', 'posted')
      .orderBy('l.day')
      .orderBy('l.id')
      .limit(LISTED_MAX),
  );
  return rows.map((row) => ({
    date: row.day,
    id: row.id,
    kind: 'match',
    text: Number(row.withheld) > 0 ? `${row.text} (with withheld fee)` : row.text,
    currency,
    amount: money(Number(row.amount) + Number(row.withheld), currency),
  }));
}

async function bankLines({ read, merchantId, currency, period }: LineScope): Promise<CloseLine[]> {
  const rows = await read.rows(
    queries
      .selectFrom('bank_lines')
      .select(['id', 'booked_day', 'text', 'amount_minor', 'unrelated_minor'])
      .where('tenant_id', '=', TENANT)
      .where('merchant_id', '=', merchantId)
      .where('currency', '=', currency)
      .where('booked_day', '>=', period.first)
      .where('booked_day', '<=', period.last)
      .where(({ eb, ref }) => eb('amount_minor', '<>', ref('unrelated_minor')))
      .orderBy('booked_day')
      .orderBy('id')
      .limit(LISTED_MAX),
  );
  return rows.map((row) => ({
    date: row.booked_day,
    id: row.id,
    kind: 'bank_line',
    text: row.text,
    currency,
    amount: money(Number(row.amount_minor) - Number(row.unrelated_minor), currency),
  }));
}
