import { type Database, namedValues, type Read } from '#core/database';
import { type Currency, majorUnit, money } from '#core/kernel';
import type { ReportPeriod, SettlementLine } from '../connector.ts';
import { LEDGER, type LedgerRow } from './ledger.ts';

/** Entries that are read at once. */
const PAGE = 500;

/** Named endings of amounts that the report gets wrong on purpose, so that reconciliation has something to find (decisions 5). */
const MISSING_ENDING = 13;
const SHORT_ENDING = 14;
const TWICE_ENDING = 15;

/** What was taken in a period and not taken back in it, with its deliberate faults; a page at a time, in the order of its making. */
export async function* settlementReport(ledger: Database, { tenantId, from, to }: ReportPeriod): AsyncGenerator<SettlementLine[]> {
  const read = ledger.read(tenantId);
  for (let after = { at: from, ref: '' }; ; ) {
    const rows = await read.all<LedgerRow>(
      `SELECT ${LEDGER.columns.join(', ')} FROM sandbox_ledger WHERE tenant_id = :tenantId AND at >= :at AND (at > :at OR processor_ref > :ref) AND at < :to
       ORDER BY at, processor_ref LIMIT ${PAGE}`,
      { ...after, to },
    );
    yield await settled(read, rows, { from, to });
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = { at: last.at, ref: last.processor_ref };
  }
}

const isCapture = ({ operation }: LedgerRow) => operation === 'sale' || operation === 'capture';
const paymentOf = ({ original_ref, processor_ref }: LedgerRow) => original_ref ?? processor_ref;

async function settled(read: Read, rows: readonly LedgerRow[], period: { from: string; to: string }): Promise<SettlementLine[]> {
  const reported = rows
    .filter((row) => row.approved === 1 && (isCapture(row) || row.operation === 'refund'))
    .sort((left, right) => (left.reference < right.reference ? -1 : 1));
  if (reported.length === 0) return [];
  const undoing = await undoingOf(read, [...new Set(reported.map(paymentOf))], period);
  return reported.flatMap((row) => {
    const payment = paymentOf(row);
    const isUndone = undoing.some(
      ({ original_ref, operation, at }) => original_ref === payment && (operation === 'void' || (isCapture(row) && at > row.at)),
    );
    if (isUndone) return [];
    return isCapture(row) ? faulty(row) : [lineOf(row, row.amount_minor)];
  });
}

/** Voids and captures taken back of payments; there are few. */
async function undoingOf(read: Read, payments: readonly string[], period: { from: string; to: string }): Promise<LedgerRow[]> {
  const { names, params } = namedValues([...payments, ...Array<string>(PAGE - payments.length).fill('')]);
  return read.all<LedgerRow>(
    `SELECT ${LEDGER.columns.join(', ')} FROM sandbox_ledger WHERE tenant_id = :tenantId AND original_ref IN (${names.join(', ')})
     AND operation IN ('void', 'cancel_capture') AND approved = 1 AND at >= :from AND at < :to`,
    { ...params, ...period },
  );
}

function faulty(row: LedgerRow): SettlementLine[] {
  const unit = majorUnit(row.currency as Currency);
  switch (unit === 100 ? row.amount_minor % 100 : 0) {
    case MISSING_ENDING:
      return [];
    case SHORT_ENDING:
      return [lineOf(row, row.amount_minor - unit)];
    case TWICE_ENDING:
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
