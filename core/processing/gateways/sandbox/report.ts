import { type Database, listOf, lit, queriesOn, type Read, TENANT } from '#core/database';
import { type Currency, majorUnit, money } from '#core/kernel';
import type { ReportPeriod, SettlementLine } from '../connector.ts';
import { LEDGER, type LedgerRow } from './ledger.ts';

const queries = queriesOn(LEDGER);

/** Entries read with one query. */
const PAGE_ROWS = 500;

/** Endings of amounts for which the report has a deliberate error, so that reconciliation can be tested. */
const MISSING_ENDING = 13;
const SHORT_ENDING = 14;
const DUPLICATE_ENDING = 15;

/**
 * Yields the captures and refunds of a period, without those canceled in it and with the simulator's deliberate errors, one page at a time
 * in the order of creation.
 */
export async function* settlementReport(ledger: Database, { tenantId, from, to }: ReportPeriod): AsyncGenerator<SettlementLine[]> {
  const read = ledger.read(tenantId);
  for (let after = { at: from, ref: '' }; ; ) {
    const rows: LedgerRow[] = await read.rows(
      queries
        .selectFrom('sandbox_ledger')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where('at', '>=', after.at)
        .where(({ or, eb }) => or([eb('at', '>', after.at), eb('processor_ref', '>', after.ref)]))
        .where('at', '<', to)
        .orderBy('at')
        .orderBy('processor_ref')
        .limit(PAGE_ROWS),
    );
    yield await settledLines(read, rows, { from, to });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE_ROWS) return;
    after = { at: last.at, ref: last.processor_ref };
  }
}

const isCapture = ({ operation }: LedgerRow) => operation === 'sale' || operation === 'capture';
const paymentOf = ({ original_ref, processor_ref }: LedgerRow) => original_ref ?? processor_ref;

async function settledLines(read: Read, rows: readonly LedgerRow[], period: { from: string; to: string }): Promise<SettlementLine[]> {
  const reported = rows
    .filter((row) => row.approved === 1 && (isCapture(row) || row.operation === 'refund'))
    .sort((left, right) => (left.reference < right.reference ? -1 : 1));
  if (reported.length === 0) return [];
  const changes = await changesOf(read, [...new Set(reported.map(paymentOf))], period);
  const reversals = changes.filter(({ operation }) => operation !== 'adjust');
  return reported.flatMap((row) => {
    const payment = paymentOf(row);
    const isReversed = reversals.some(
      ({ original_ref, operation, at }) => original_ref === payment && (operation === 'void' || (isCapture(row) && at > row.at)),
    );
    if (isReversed) return [];
    if (!isCapture(row)) return [lineOf(row, row.amount_minor)];
    const adjusted = changes.findLast(
      ({ original_ref, operation, at }) => original_ref === payment && operation === 'adjust' && at >= row.at,
    );
    return withDeliberateErrors({ ...row, amount_minor: adjusted?.amount_minor ?? row.amount_minor });
  });
}

/** Returns the voids, canceled captures and adjusted amounts of payments, which are few, oldest first. */
async function changesOf(read: Read, payments: readonly string[], period: { from: string; to: string }): Promise<LedgerRow[]> {
  return read.rows(
    queries
      .selectFrom('sandbox_ledger')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('original_ref', 'in', listOf(payments))
      .where('operation', 'in', [lit('void'), lit('cancel_capture'), lit('adjust')])
      .where('approved', '=', lit(1))
      .where('at', '>=', period.from)
      .where('at', '<', period.to)
      .orderBy('at')
      .orderBy('reference'),
  );
}

function withDeliberateErrors(row: LedgerRow): SettlementLine[] {
  const unit = majorUnit(row.currency as Currency);
  switch (unit === 100 ? row.amount_minor % 100 : 0) {
    case MISSING_ENDING:
      return [];
    case SHORT_ENDING:
      return [lineOf(row, row.amount_minor - unit)];
    case DUPLICATE_ENDING:
      return [lineOf(row, row.amount_minor), lineOf(row, row.amount_minor)];
    default:
      return [lineOf(row, row.amount_minor)];
  }
}

function lineOf(row: LedgerRow, minor: number): SettlementLine {
  return {
    reference: row.reference,
    processorRef: paymentOf(row),
    kind: row.operation === 'refund' ? 'refund' : 'capture',
    amount: money(minor, row.currency as Currency),
    at: row.at,
  };
}
