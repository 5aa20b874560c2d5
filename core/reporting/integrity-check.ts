import type { Read } from '#core/database';

/** Something that the ledger and a record tell differently. Amounts in minor units, or counts where the words say so. */
export interface Difference {
  /** Name of the comparison. */
  readonly what: string;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly currency: string;
  /** The account, payment, refund, settlement or day that it is about. */
  readonly of: string;
  readonly ledger: number;
  readonly record: number;
}

/** A database that is only asked. */
export type IntegrityReport = Pick<Read, 'all'>;

/** Largest number of differences that a comparison lists; more would not explain more. */
export const DIFFERENCES_MAX = 1_000;

/** One comparison: what the ledger says and what the records say, each as rows of whose, of what and how much. */
interface Comparison {
  readonly what: string;
  readonly ledger: string;
  readonly record: string;
}

const WHOSE = 'tenant_id, merchant_id, currency';
/** Movements by what they belong to. */
const moved = (amount: string, ...kinds: string[]) =>
  `SELECT ${WHOSE}, subject_id AS about, ${amount} AS amount FROM ledger_transfers WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
const less = (kind: string) => `CASE kind WHEN '${kind}' THEN -amount_minor ELSE amount_minor END`;
const settled = (amount: string) => `SELECT ${WHOSE}, id AS about, ${amount} AS amount FROM settlements WHERE status <> 'assembling'`;
/** Compares settlements with the sums of their lines. */
const lines = (table: string, amount: string) =>
  `SELECT l.tenant_id, l.merchant_id, l.currency, l.settlement_id AS about, ${amount} AS amount FROM ${table} l WHERE l.settlement_id IS NOT NULL`;
const STANDING = "'approved', 'declined', 'voided', 'failed'";
/** Compares the daily aggregates with the states of the payments. */
const counted = (measure: string) =>
  `SELECT ${WHOSE}, fact || ' on ' || day || ' of ' || type || ', ' || method || ', ' || brand AS about, n AS amount FROM transaction_facts WHERE measure = '${measure}' AND fact IN (${STANDING})`;
const standing = (amount: string) =>
  `SELECT ${WHOSE}, status || ' on ' || day || ' of ' || type || ', ' || method || ', ' || coalesce(card_brand, 'ach') AS about, ${amount} AS amount FROM transactions WHERE status <> 'pending'`;
/** Payments as the totals of lists count them: in all currencies together, on each day and on all of them. */
const listed = (on: string) =>
  `SELECT tenant_id, merchant_id, '' AS currency, status || ${on} || ' of ' || type || ', ' || method AS about, 1 AS amount FROM transactions WHERE status <> 'pending'`;
const cameOf = (measure: string): Comparison => ({
  what: `day counter of payments (${measure})`,
  ledger: `SELECT ${WHOSE}, status || ' on ' || day AS about, coalesce(${measure === 'fees' ? 'fee' : measure}_minor, 0) AS amount FROM transactions WHERE status <> 'pending'`,
  record: `SELECT ${WHOSE}, detail || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE measure = '${measure}' AND fact = 'outcome'`,
});
/** Movements by day, kind and currency, as the day counters tell them. */
const daily = "kind || ' on ' || day";

const COMPARISONS: readonly Comparison[] = [
  {
    what: 'balance of an account',
    ledger: `SELECT ${WHOSE}, debit AS about, amount_minor AS amount FROM ledger_transfers UNION ALL SELECT ${WHOSE}, credit, -amount_minor FROM ledger_transfers`,
    record: `SELECT ${WHOSE}, account AS about, n AS amount FROM ledger_balances`,
  },
  {
    what: 'captured amount of a payment',
    ledger: moved(less('capture_reversed'), 'capture', 'capture_reversed'),
    record: `SELECT ${WHOSE}, id AS about, captured_minor AS amount FROM transactions WHERE captured_minor <> 0`,
  },
  {
    what: 'credit',
    ledger: moved('amount_minor', 'credit'),
    record: `SELECT ${WHOSE}, id AS about, amount_minor AS amount FROM transactions WHERE type = 'credit' AND status = 'approved'`,
  },
  {
    what: 'approved refund',
    ledger: moved('amount_minor', 'refund'),
    record: `SELECT ${WHOSE}, id AS about, amount_minor AS amount FROM refunds WHERE status = 'approved'`,
  },
  {
    what: 'refund made outside',
    ledger: moved('amount_minor', 'refund_outside'),
    record: `SELECT ${WHOSE}, refund_id AS about, amount_minor AS amount FROM refund_decline_queue WHERE status = 'resolved' AND refund_date IS NOT NULL`,
  },
  {
    what: 'refunded amount of a payment',
    ledger: `SELECT l.tenant_id, l.merchant_id, l.currency, r.transaction_id AS about, l.amount_minor AS amount FROM ledger_transfers l JOIN refunds r ON r.tenant_id = l.tenant_id AND r.id = l.subject_id WHERE l.kind IN ('refund', 'refund_outside')`,
    record: `SELECT ${WHOSE}, id AS about, refunded_minor AS amount FROM transactions WHERE refunded_minor <> 0`,
  },
  {
    what: 'amount of a settlement',
    ledger: moved(less('settlement_owed'), 'settlement', 'settlement_owed'),
    record: settled('captures_minor - refunds_minor'),
  },
  { what: 'fees of a settlement', ledger: moved('amount_minor', 'fee'), record: settled('fees_minor') },
  {
    what: 'lines of a settlement',
    ledger: `${lines('transactions', 'l.captured_minor')} UNION ALL ${lines('refunds', '-l.amount_minor')}`,
    record: `SELECT ${WHOSE}, id AS about, captures_minor - refunds_minor AS amount FROM settlements`,
  },
  {
    what: 'fees of the lines of a settlement',
    ledger: lines('transactions', 'coalesce(l.fee_minor, 0)'),
    record: `SELECT ${WHOSE}, id AS about, fees_minor AS amount FROM settlements`,
  },
  {
    what: 'payout',
    ledger: moved('amount_minor', 'payout'),
    record: `SELECT ${WHOSE}, id AS about, amount_minor AS amount FROM payouts WHERE status = 'paid'`,
  },
  {
    what: 'lines of a payout',
    ledger:
      'SELECT p.tenant_id, p.merchant_id, p.currency, p.id AS about, l.amount_minor AS amount FROM payout_lines l JOIN payouts p ON p.tenant_id = l.tenant_id AND p.id = l.payout_id',
    record: `SELECT ${WHOSE}, id AS about, amount_minor AS amount FROM payouts`,
  },
  {
    what: 'paid part of a settlement',
    ledger:
      "SELECT p.tenant_id, p.merchant_id, p.currency, l.settlement_id AS about, l.amount_minor AS amount FROM payout_lines l JOIN payouts p ON p.tenant_id = l.tenant_id AND p.id = l.payout_id WHERE p.status <> 'failed'",
    record: `SELECT ${WHOSE}, id AS about, paid_minor AS amount FROM settlements WHERE paid_minor <> 0`,
  },
  {
    what: 'day counter of money that moved',
    ledger: `SELECT ${WHOSE}, ${daily} AS about, amount_minor AS amount FROM ledger_transfers WHERE kind IN ('capture', 'capture_reversed', 'refund', 'refund_outside', 'credit')`,
    record: `SELECT ${WHOSE}, fact || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE measure = 'amount' AND fact IN ('capture', 'capture_reversed', 'refund', 'refund_outside', 'credit')`,
  },
  {
    // Fees are counted with each line, and entered when the settlement is closed.
    what: 'counter of fees',
    ledger: `SELECT ${WHOSE}, 'fees' AS about, amount_minor AS amount FROM ledger_transfers WHERE kind = 'fee' UNION ALL SELECT ${WHOSE}, 'fees', fees_minor FROM settlements WHERE status = 'assembling'`,
    record: `SELECT ${WHOSE}, 'fees' AS about, n AS amount FROM transaction_facts WHERE measure = 'amount' AND fact = 'fee'`,
  },
  {
    what: 'count of unsettled lines',
    ledger: `SELECT ${WHOSE}, 'lines' AS about, n AS amount FROM ledger_unsettled_lines`,
    record: `SELECT ${WHOSE}, 'lines' AS about, 1 AS amount FROM transactions WHERE settled_at IS NULL AND captured_minor > 0 AND status = 'approved' UNION ALL SELECT ${WHOSE}, 'lines', 1 FROM refunds WHERE settled_at IS NULL AND refunded_at IS NOT NULL AND status = 'approved'`,
  },
  { what: 'day counter of payments (count)', ledger: standing('1'), record: counted('count') },
  { what: 'day counter of payments (amount)', ledger: standing('amount_minor'), record: counted('amount') },
  {
    what: 'day counter of declines',
    ledger: `SELECT ${WHOSE}, coalesce(decline_code, '') || ' on ' || day AS about, 1 AS amount FROM transactions WHERE status = 'declined'`,
    record: `SELECT ${WHOSE}, detail || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE fact = 'decline'`,
  },
  {
    what: 'total of the list',
    ledger: `${listed("' on ' || day")} UNION ALL ${listed("' on '")}`,
    record: `SELECT tenant_id, merchant_id, '' AS currency, status || ' on ' || day || ' of ' || type || ', ' || method AS about, n AS amount FROM transaction_counts`,
  },
  ...['captured', 'refunded', 'fees'].map(cameOf),
];

interface Row {
  tenant_id: string;
  merchant_id: string;
  currency: string;
  about: string;
  ledger: number;
  record: number;
}

/**
 * Sums every transfer and compares it with the balances, with payments, refunds, settlements and their fees, and with the counters of the
 * reports. Returns the differences; an empty list if everything agrees. Reads everything, so it is for a command and not for a request.
 */
export async function checkIntegrity(books: IntegrityReport): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const { what, ledger, record } of COMPARISONS) {
    const sides = `SELECT ${WHOSE}, about, amount AS ledger, 0 AS record FROM (${ledger}) AS entered UNION ALL SELECT ${WHOSE}, about, 0, amount FROM (${record}) AS recorded`;
    const rows = await books.all<Row>(
      `SELECT ${WHOSE}, about, sum(ledger) AS ledger, sum(record) AS record FROM (${sides}) AS both_sides GROUP BY ${WHOSE}, about HAVING sum(ledger) <> sum(record) ORDER BY ${WHOSE}, about LIMIT ${DIFFERENCES_MAX}`,
    );
    for (const row of rows) {
      const { tenant_id: tenantId, merchant_id: merchantId, currency, about: of } = row;
      found.push({ what, tenantId, merchantId, currency, of, ledger: Number(row.ledger), record: Number(row.record) });
    }
  }
  return found;
}
