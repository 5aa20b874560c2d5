import { countComparison, type Read } from '#core/database';

/** A difference between the ledger and the records. Amounts are in minor units; some comparisons are of counts. */
export interface Difference {
  /** Name of the comparison. */
  readonly comparison: string;
  readonly tenantId: string;
  readonly merchantId: string;
  readonly currency: string;
  /** The account, payment, refund, settlement or day with the difference. */
  readonly subject: string;
  readonly ledger: number;
  readonly record: number;
}

/** Read access to a database. */
type ReadOnlyDatabase = Pick<Read, 'all'>;

/** Largest number of differences that a comparison lists; more would not explain more. */
const DIFFERENCES_MAX = 1_000;

/** A comparison of the ledger with records, each as a query for tenant, merchant, currency, subject and amount. */
interface Comparison {
  readonly comparison: string;
  readonly ledger: string;
  readonly record: string;
}

const SCOPE_COLUMNS = 'tenant_id, merchant_id, currency';
/** Returns the query for ledger movements by their subject. */
const movements = (amount: string, ...kinds: string[]) =>
  `SELECT ${SCOPE_COLUMNS}, subject_id AS about, ${amount} AS amount FROM ledger_transfers WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
const signedAmount = (kind: string) => `CASE kind WHEN '${kind}' THEN -amount_minor ELSE amount_minor END`;
const settlementsWith = (amount: string) =>
  `SELECT ${SCOPE_COLUMNS}, id AS about, ${amount} AS amount FROM settlements WHERE status <> 'assembling'`;
/** Returns the query for the lines of settlements. */
const lines = (table: string, amount: string) =>
  `SELECT l.tenant_id, l.merchant_id, l.currency, l.settlement_id AS about, ${amount} AS amount FROM ${table} l WHERE l.settlement_id IS NOT NULL`;
const DISPUTE_KINDS = "'chargeback', 'chargeback_reversed', 'dispute_fee'";
const MATCHES = "FROM bank_matches m JOIN bank_lines l ON l.tenant_id = m.tenant_id AND l.id = m.line_id WHERE m.state = 'posted'";
/** Returns the query for posted matches of some kinds by their bank line. */
const matchedBy = (amount: string, ...kinds: string[]) =>
  `SELECT ${SCOPE_COLUMNS}, about, ${amount} AS amount FROM (SELECT m.tenant_id, m.merchant_id, l.currency, m.line_id AS about, m.kind, m.amount_minor, m.withheld_minor ${MATCHES}) AS posted WHERE kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
const OUTCOMES = "'approved', 'declined', 'voided', 'failed'";
/** Returns the query for the daily aggregates of payments by outcome. */
const aggregates = (measure: string) =>
  `SELECT ${SCOPE_COLUMNS}, fact || ' on ' || day || ' of ' || type || ', ' || method || ', ' || brand AS about, n AS amount FROM transaction_facts WHERE measure = '${measure}' AND fact IN (${OUTCOMES})`;
const payments = (amount: string) =>
  `SELECT ${SCOPE_COLUMNS}, status || ' on ' || day || ' of ' || type || ', ' || method || ', ' || coalesce(card_brand, 'ach') AS about, ${amount} AS amount FROM transactions WHERE status <> 'pending'`;
/** Returns the query for payments as the totals of the list count them: over all currencies, by day and in total. */
const listTotals = (dayPart: string) =>
  `SELECT tenant_id, merchant_id, '' AS currency, status || ${dayPart} || ' of ' || type || ', ' || method AS about, 1 AS amount FROM transactions WHERE status <> 'pending'`;
const tenderTotals = (day: string) =>
  `SELECT tenant_id, merchant_id, '' AS currency, kind || ' on ' || ${day} AS about, 1 AS amount FROM tenders`;
/** Returns the query for the counts of all merchants and currencies. */
const ofTenant = (counted: string) => `SELECT tenant_id, '' AS merchant_id, '' AS currency, about, amount FROM (${counted}) AS counted`;
const outcomeCounter = (measure: string): Comparison => ({
  comparison: `day counter of payments (${measure})`,
  ledger: `SELECT ${SCOPE_COLUMNS}, status || ' on ' || day AS about, coalesce(${measure === 'fees' ? 'fee' : measure}_minor, 0) AS amount FROM transactions WHERE status <> 'pending'`,
  record: `SELECT ${SCOPE_COLUMNS}, detail || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE measure = '${measure}' AND fact = 'outcome'`,
});
const PARTS = ['tip', 'surcharge', 'tax'] as const;
type Part = (typeof PARTS)[number];
/** Returns the tax of rows of tenders or their refunds, to be added to a query. No other part belongs to them. */
const tenderTax = (part: Part, table: 'tenders' | 'tender_refunds') =>
  part === 'tax' ? ` UNION ALL SELECT ${SCOPE_COLUMNS}, id AS about, tax_minor AS amount FROM ${table} WHERE tax_minor <> 0` : '';
/** Compares a part of captured payments, and of refunds, with its own movements. */
const partComparisons = (part: Part): Comparison[] => [
  {
    comparison: `${part} of a payment`,
    ledger: movements(signedAmount(`${part}_reversed`), part, `${part}_reversed`),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, ${part}_minor AS amount FROM transactions WHERE captured_minor <> 0 AND ${part}_minor <> 0${tenderTax(part, 'tenders')}`,
  },
  {
    comparison: `${part} of a refund`,
    ledger: movements('amount_minor', `${part}_refunded`),
    record: `SELECT r.tenant_id, r.merchant_id, r.currency, r.id AS about, r.${part}_minor AS amount FROM refunds r LEFT JOIN refund_decline_queue q ON q.tenant_id = r.tenant_id AND q.refund_id = r.id AND q.status = 'resolved' AND q.refund_date IS NOT NULL WHERE r.${part}_minor <> 0 AND (r.status = 'approved' OR q.id IS NOT NULL)${tenderTax(part, 'tender_refunds')}`,
  },
  {
    comparison: `day counter of ${part}`,
    ledger: `SELECT ${SCOPE_COLUMNS}, CASE kind WHEN '${part}' THEN 'capture' WHEN '${part}_reversed' THEN 'capture_reversed' ELSE 'refund' END || ' on ' || day AS about, amount_minor AS amount FROM ledger_transfers WHERE kind IN ('${part}', '${part}_reversed', '${part}_refunded')`,
    record: `SELECT ${SCOPE_COLUMNS}, CASE fact WHEN 'refund_outside' THEN 'refund' ELSE fact END || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE measure = '${part}'`,
  },
];
const TENDER_SALES = "'cash_sale', 'check_sale', 'other_sale', 'gift_card_sale'";
const TENDER_REFUNDS = "'cash_refund', 'check_refund', 'other_refund', 'gift_card_refund', 'store_credit_refund'";
const SOLD_GIFT_CARDS = "'gift_card_sold', 'gift_card_taken_back'";
const GIFT_CARD_ENTRIES = 'FROM gift_card_entries e JOIN gift_cards g ON g.tenant_id = e.tenant_id AND g.id = e.gift_card_id';
/** Kinds of movements by which the cash in drawers grows and shrinks. */
const CASH_IN_KINDS = "'float', 'pay_in', 'over', 'cash_sale', 'rounded_up'";
const CASH_OUT_KINDS = "'pay_out', 'short', 'removed', 'cash_refund', 'rounded_down'";
/** Subject of movements by kind and day, as in the daily aggregates, which count tenders as sales and refunds. */
const movementOnDay = `CASE WHEN kind IN (${TENDER_SALES}) THEN 'capture' WHEN kind IN (${TENDER_REFUNDS}) THEN 'refund' ELSE kind END || ' on ' || day`;

const COMPARISONS: readonly Comparison[] = [
  {
    comparison: 'balance of an account',
    ledger: `SELECT ${SCOPE_COLUMNS}, debit AS about, amount_minor AS amount FROM ledger_transfers UNION ALL SELECT ${SCOPE_COLUMNS}, credit, -amount_minor FROM ledger_transfers`,
    record: `SELECT ${SCOPE_COLUMNS}, account AS about, n AS amount FROM ledger_balances`,
  },
  {
    comparison: 'captured amount of a payment',
    ledger: movements(signedAmount('capture_reversed'), 'capture', 'capture_reversed'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, captured_minor AS amount FROM transactions WHERE captured_minor <> 0`,
  },
  {
    comparison: 'credit',
    ledger: movements('amount_minor', 'credit'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM transactions WHERE type = 'credit' AND status = 'approved'`,
  },
  {
    comparison: 'approved refund',
    ledger: movements('amount_minor', 'refund', 'store_credit_refund'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM refunds WHERE status = 'approved'`,
  },
  {
    comparison: 'refund made outside',
    ledger: movements('amount_minor', 'refund_outside'),
    record: `SELECT ${SCOPE_COLUMNS}, refund_id AS about, amount_minor AS amount FROM refund_decline_queue WHERE status = 'resolved' AND refund_date IS NOT NULL`,
  },
  {
    comparison: 'refunded amount of a payment',
    ledger: `SELECT l.tenant_id, l.merchant_id, l.currency, r.transaction_id AS about, l.amount_minor AS amount FROM ledger_transfers l JOIN refunds r ON r.tenant_id = l.tenant_id AND r.id = l.subject_id WHERE l.kind IN ('refund', 'refund_outside', 'store_credit_refund')`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, refunded_minor AS amount FROM transactions WHERE refunded_minor <> 0`,
  },
  {
    comparison: 'withheld amount of a dispute',
    ledger: movements(signedAmount('chargeback_reversed'), 'chargeback', 'chargeback_reversed'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, withheld_minor AS amount FROM disputes WHERE withheld_minor <> 0`,
  },
  {
    comparison: 'fees of a dispute',
    ledger: movements('amount_minor', 'dispute_fee'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, fees_minor AS amount FROM disputes WHERE fees_minor <> 0`,
  },
  {
    comparison: 'movement of a dispute',
    ledger: `SELECT ${SCOPE_COLUMNS}, id AS about, CASE kind WHEN 'chargeback_reversed' THEN amount_minor ELSE -amount_minor END AS amount FROM ledger_transfers WHERE kind IN (${DISPUTE_KINDS})`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM dispute_movements`,
  },
  {
    comparison: 'disputed amount of a payment',
    ledger: `SELECT ${SCOPE_COLUMNS}, transaction_id AS about, withheld_minor AS amount FROM disputes`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, disputed_minor AS amount FROM transactions WHERE disputed_minor <> 0`,
  },
  {
    comparison: 'amount of a settlement',
    ledger: movements(signedAmount('settlement_owed'), 'settlement', 'settlement_owed'),
    record: settlementsWith('captures_minor - refunds_minor + disputes_minor'),
  },
  { comparison: 'fees of a settlement', ledger: movements('amount_minor', 'fee'), record: settlementsWith('fees_minor') },
  {
    comparison: 'lines of a settlement',
    ledger: `${lines('transactions', 'l.captured_minor')} UNION ALL ${lines('refunds', '-l.amount_minor')} UNION ALL ${lines('dispute_movements', 'l.amount_minor')}`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, captures_minor - refunds_minor + disputes_minor AS amount FROM settlements`,
  },
  {
    comparison: 'fees of the lines of a settlement',
    ledger: lines('transactions', 'coalesce(l.fee_minor, 0)'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, fees_minor AS amount FROM settlements`,
  },
  {
    comparison: 'payout',
    ledger: movements('amount_minor', 'payout'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM payouts WHERE status = 'paid'`,
  },
  {
    comparison: 'lines of a payout',
    ledger:
      'SELECT p.tenant_id, p.merchant_id, p.currency, p.id AS about, l.amount_minor AS amount FROM payout_lines l JOIN payouts p ON p.tenant_id = l.tenant_id AND p.id = l.payout_id',
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM payouts`,
  },
  {
    comparison: 'paid part of a settlement',
    ledger:
      "SELECT p.tenant_id, p.merchant_id, p.currency, l.settlement_id AS about, l.amount_minor AS amount FROM payout_lines l JOIN payouts p ON p.tenant_id = l.tenant_id AND p.id = l.payout_id WHERE p.status <> 'failed'",
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, paid_minor AS amount FROM settlements WHERE paid_minor <> 0`,
  },
  {
    comparison: 'payouts received by a bank line',
    ledger: movements(signedAmount('bank_deposit_reversed'), 'bank_deposit', 'bank_deposit_reversed'),
    record: matchedBy('amount_minor + withheld_minor', 'payout'),
  },
  {
    comparison: 'fees of a bank line',
    ledger: movements(signedAmount('bank_fee_reversed'), 'bank_fee', 'bank_fee_reversed'),
    record: `${matchedBy('withheld_minor', 'payout')} UNION ALL ${matchedBy('-amount_minor', 'fee')}`,
  },
  {
    comparison: 'chargebacks of a bank line',
    ledger: movements(signedAmount('bank_chargeback_reversed'), 'bank_chargeback', 'bank_chargeback_reversed'),
    record: matchedBy('-amount_minor', 'chargeback'),
  },
  ...(['invoice', 'cash', 'check'] as const).map((kind) => ({
    comparison: `${kind} of a bank line`,
    ledger: movements(signedAmount(`bank_${kind}_reversed`), `bank_${kind}`, `bank_${kind}_reversed`),
    record: matchedBy('amount_minor', kind),
  })),
  {
    comparison: 'refunds of a bank line',
    ledger: movements(signedAmount('bank_refund_reversed'), 'bank_refund', 'bank_refund_reversed'),
    record: matchedBy('-amount_minor', 'refund'),
  },
  {
    comparison: 'invoice payments by bank lines',
    ledger: `SELECT m.tenant_id, m.merchant_id, l.currency, m.tender_id AS about, m.amount_minor AS amount ${MATCHES} AND m.kind = 'invoice'`,
    record: `SELECT ${SCOPE_COLUMNS}, tender_id AS about, amount_minor AS amount FROM (SELECT p.tenant_id, i.merchant_id, p.currency, p.tender_id, p.amount_minor FROM invoice_payments p JOIN invoices i ON i.tenant_id = p.tenant_id AND i.id = p.invoice_id WHERE p.method = 'bank_transfer' AND p.status = 'succeeded') AS paid`,
  },
  {
    comparison: 'part of cash, checks and refunds that bank lines contain',
    ledger: `SELECT m.tenant_id, m.merchant_id, l.currency, COALESCE(m.shift_id, m.tender_id, m.refund_id) AS about, CASE WHEN m.kind = 'refund' THEN -m.amount_minor ELSE m.amount_minor END AS amount ${MATCHES} AND m.kind IN ('cash', 'check', 'refund')`,
    record: `SELECT tenant_id, merchant_id, currency, subject_id AS about, matched_minor AS amount FROM bank_deposits WHERE matched_minor <> 0`,
  },
  {
    comparison: 'matched part of a bank line',
    ledger: matchedBy('amount_minor', 'payout', 'fee', 'chargeback', 'own', 'ignore', 'invoice', 'cash', 'check', 'refund'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, matched_minor AS amount FROM bank_lines WHERE matched_minor <> 0`,
  },
  {
    comparison: 'part of a payout that bank lines cover',
    ledger: `SELECT m.tenant_id, m.merchant_id, l.currency, m.payout_id AS about, m.amount_minor + m.withheld_minor AS amount ${MATCHES} AND m.kind = 'payout'`,
    record:
      'SELECT c.tenant_id, c.merchant_id, p.currency, c.payout_id AS about, c.matched_minor AS amount FROM bank_payouts c JOIN payouts p ON p.tenant_id = c.tenant_id AND p.id = c.payout_id',
  },
  {
    comparison: 'tender',
    ledger: movements('amount_minor', 'cash_sale', 'check_sale', 'other_sale', 'gift_card_sale'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM tenders`,
  },
  {
    comparison: 'refunded amount of a tender',
    ledger: movements('amount_minor', 'cash_refund', 'check_refund', 'other_refund', 'gift_card_refund'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, refunded_minor AS amount FROM tenders WHERE refunded_minor <> 0`,
  },
  {
    comparison: 'refunds of a tender',
    ledger: `SELECT ${SCOPE_COLUMNS}, tender_id AS about, amount_minor AS amount FROM tender_refunds`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, refunded_minor AS amount FROM tenders WHERE refunded_minor <> 0`,
  },
  {
    comparison: 'cash rounding of a tender',
    ledger: movements(signedAmount('cash_rounded_down'), 'cash_rounded_up', 'cash_rounded_down'),
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, rounding_minor AS amount FROM tenders WHERE rounding_minor <> 0 UNION ALL SELECT ${SCOPE_COLUMNS}, tender_id, -rounding_minor FROM tender_refunds WHERE rounding_minor <> 0`,
  },
  {
    comparison: 'balances of gift cards',
    ledger: `SELECT ${SCOPE_COLUMNS}, account AS about, -n AS amount FROM ledger_balances WHERE account = 'gift_cards'`,
    record: `SELECT ${SCOPE_COLUMNS}, 'gift_cards' AS about, balance_minor AS amount FROM gift_cards`,
  },
  {
    comparison: 'balance of a gift card',
    ledger: `SELECT g.tenant_id, g.merchant_id, g.currency, g.id AS about, e.amount_minor AS amount ${GIFT_CARD_ENTRIES}`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, balance_minor AS amount FROM gift_cards`,
  },
  {
    comparison: 'movement of a gift card',
    ledger: `SELECT ${SCOPE_COLUMNS}, id AS about, CASE WHEN credit = 'gift_cards' THEN amount_minor ELSE -amount_minor END AS amount FROM ledger_transfers WHERE 'gift_cards' IN (debit, credit)`,
    record: `SELECT g.tenant_id, g.merchant_id, g.currency, CASE WHEN e.kind IN ('redeemed', 'refunded') THEN e.subject_id ELSE e.id END AS about, e.amount_minor AS amount ${GIFT_CARD_ENTRIES} WHERE e.kind NOT IN ('moved_in', 'moved_out')`,
  },
  {
    comparison: 'expired gift cards',
    ledger: `SELECT ${SCOPE_COLUMNS}, account AS about, -n AS amount FROM ledger_balances WHERE account = 'gift_cards_expired'`,
    record: `SELECT ${SCOPE_COLUMNS}, 'gift_cards_expired' AS about, expired_minor AS amount FROM gift_cards WHERE expired_minor <> 0`,
  },
  {
    comparison: 'gift cards of an order',
    ledger: `SELECT g.tenant_id, g.merchant_id, g.currency, e.subject_id AS about, e.amount_minor AS amount ${GIFT_CARD_ENTRIES} WHERE e.kind IN ('sold', 'taken_back')`,
    record:
      'SELECT g.tenant_id, g.merchant_id, g.currency, l.order_id AS about, l.loaded_minor AS amount FROM gift_card_loads l JOIN gift_cards g ON g.tenant_id = l.tenant_id AND g.id = l.gift_card_id',
  },
  {
    comparison: 'day counter of gift cards',
    ledger: `SELECT ${SCOPE_COLUMNS}, kind || ' on ' || day AS about, amount_minor AS amount FROM ledger_transfers WHERE kind IN (${SOLD_GIFT_CARDS})`,
    record: `SELECT ${SCOPE_COLUMNS}, fact || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE measure = 'amount' AND fact IN (${SOLD_GIFT_CARDS})`,
  },
  {
    comparison: 'movement of a shift',
    ledger:
      'SELECT m.tenant_id, m.merchant_id, m.currency, m.id AS about, l.amount_minor AS amount FROM shift_movements m JOIN ledger_transfers l ON l.tenant_id = m.tenant_id AND l.id = m.id',
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, amount_minor AS amount FROM shift_movements WHERE kind <> 'no_sale'`,
  },
  {
    // The count and the removal of the cash follow the expected amount, which stays as it was at the close.
    comparison: 'expected cash of a shift',
    ledger: `SELECT ${SCOPE_COLUMNS}, shift_id AS about, CASE WHEN kind IN (${CASH_IN_KINDS}) THEN amount_minor WHEN kind IN (${CASH_OUT_KINDS}) THEN -amount_minor ELSE 0 END AS amount FROM shift_movements`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, expected_minor AS amount FROM shifts WHERE status = 'open'`,
  },
  {
    comparison: 'variance of a shift',
    ledger: `SELECT ${SCOPE_COLUMNS}, shift_id AS about, CASE kind WHEN 'over' THEN amount_minor ELSE -amount_minor END AS amount FROM shift_movements WHERE kind IN ('over', 'short')`,
    record: `SELECT ${SCOPE_COLUMNS}, id AS about, counted_minor - expected_minor AS amount FROM shifts WHERE status = 'closed'`,
  },
  {
    comparison: 'day counter of money that moved',
    ledger: `SELECT ${SCOPE_COLUMNS}, ${movementOnDay} AS about, amount_minor AS amount FROM ledger_transfers WHERE kind IN ('capture', 'capture_reversed', 'refund', 'refund_outside', 'credit', ${TENDER_SALES}, ${TENDER_REFUNDS}, ${DISPUTE_KINDS})`,
    record: `SELECT ${SCOPE_COLUMNS}, fact || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE measure = 'amount' AND fact IN ('capture', 'capture_reversed', 'refund', 'refund_outside', 'credit', ${DISPUTE_KINDS})`,
  },
  {
    comparison: 'day counter of further payments of orders',
    ledger: `SELECT ${SCOPE_COLUMNS}, day AS about, CASE kind WHEN 'capture_reversed' THEN -1 ELSE 1 END AS amount FROM ledger_transfers WHERE order_part = 'further'`,
    record: `SELECT ${SCOPE_COLUMNS}, day AS about, n AS amount FROM transaction_facts WHERE fact = 'further_payment'`,
  },
  {
    // Fees are counted with each line, but enter the ledger only when the settlement is closed.
    comparison: 'counter of fees',
    ledger: `SELECT ${SCOPE_COLUMNS}, 'fees' AS about, amount_minor AS amount FROM ledger_transfers WHERE kind = 'fee' UNION ALL SELECT ${SCOPE_COLUMNS}, 'fees', fees_minor FROM settlements WHERE status = 'assembling'`,
    record: `SELECT ${SCOPE_COLUMNS}, 'fees' AS about, n AS amount FROM transaction_facts WHERE measure = 'amount' AND fact = 'fee'`,
  },
  {
    comparison: 'count of unsettled lines',
    ledger: `SELECT ${SCOPE_COLUMNS}, 'lines' AS about, n AS amount FROM ledger_unsettled_lines`,
    record: `SELECT ${SCOPE_COLUMNS}, 'lines' AS about, 1 AS amount FROM transactions WHERE settled_at IS NULL AND captured_minor > 0 AND status = 'approved' UNION ALL SELECT ${SCOPE_COLUMNS}, 'lines', 1 FROM refunds WHERE settled_at IS NULL AND refunded_at IS NOT NULL AND status = 'approved' UNION ALL SELECT ${SCOPE_COLUMNS}, 'lines', 1 FROM dispute_movements WHERE settled_at IS NULL`,
  },
  { comparison: 'day counter of payments (count)', ledger: payments('1'), record: aggregates('count') },
  { comparison: 'day counter of payments (amount)', ledger: payments('amount_minor'), record: aggregates('amount') },
  {
    comparison: 'day counter of declines',
    ledger: `SELECT ${SCOPE_COLUMNS}, coalesce(decline_code, '') || ' on ' || day AS about, 1 AS amount FROM transactions WHERE status = 'declined'`,
    record: `SELECT ${SCOPE_COLUMNS}, detail || ' on ' || day AS about, n AS amount FROM transaction_facts WHERE fact = 'decline'`,
  },
  {
    comparison: 'total of the list',
    ledger: `${listTotals("' on ' || day")} UNION ALL ${listTotals("' on '")}`,
    record: `SELECT tenant_id, merchant_id, '' AS currency, status || ' on ' || day || ' of ' || type || ', ' || method AS about, n AS amount FROM transaction_counts`,
  },
  {
    comparison: 'total of the list of tenders',
    ledger: `${tenderTotals('day')} UNION ALL ${tenderTotals("''")}`,
    record: `SELECT tenant_id, merchant_id, '' AS currency, kind || ' on ' || day AS about, n AS amount FROM tender_counts`,
  },
  ...['captured', 'refunded', 'fees'].map(outcomeCounter),
  ...PARTS.flatMap(partComparisons),
  {
    comparison: 'day counter of tips by person',
    ledger: `SELECT ${SCOPE_COLUMNS}, day AS about, CASE kind WHEN 'tip' THEN amount_minor ELSE -amount_minor END AS amount FROM ledger_transfers WHERE kind IN ('tip', 'tip_reversed', 'tip_refunded')`,
    record: `SELECT ${SCOPE_COLUMNS}, day AS about, CASE measure WHEN 'amount' THEN n ELSE -n END AS amount FROM transaction_facts WHERE fact = 'person_tip' AND measure IN ('amount', 'refunded')`,
  },
];

interface Row {
  tenant_id: string;
  merchant_id: string;
  currency: string;
  about: string;
  ledger: number;
  record: number;
}

/** Returns the number of movements in the ledger. */
export async function countTransfers(database: ReadOnlyDatabase): Promise<number> {
  const [counted] = await database.all<{ n: number }>('SELECT count(*) AS n FROM ledger_transfers');
  return Number(counted?.n ?? 0);
}

/**
 * Sums every transfer and compares it with the balances, with payments, refunds, settlements and their fees, and with the counters of the
 * reports. Returns the differences; an empty list if everything agrees. Reads everything, so it is for a command and not for a request.
 */
export async function checkIntegrity(database: ReadOnlyDatabase): Promise<Difference[]> {
  const found: Difference[] = [];
  const { counts, rows } = countComparison();
  const totals = { comparison: 'totals of other lists', ledger: ofTenant(rows), record: ofTenant(counts) };
  for (const { comparison, ledger, record } of [...COMPARISONS, totals]) {
    const sides = `SELECT ${SCOPE_COLUMNS}, about, amount AS ledger, 0 AS record FROM (${ledger}) AS entered UNION ALL SELECT ${SCOPE_COLUMNS}, about, 0, amount FROM (${record}) AS recorded`;
    const differing = await database.all<Row>(
      `SELECT ${SCOPE_COLUMNS}, about, sum(ledger) AS ledger, sum(record) AS record FROM (${sides}) AS both_sides GROUP BY ${SCOPE_COLUMNS}, about HAVING sum(ledger) <> sum(record) ORDER BY ${SCOPE_COLUMNS}, about LIMIT ${DIFFERENCES_MAX}`,
    );
    for (const row of differing) {
      const { tenant_id: tenantId, merchant_id: merchantId, currency, about: subject } = row;
      found.push({ comparison, tenantId, merchantId, currency, subject, ledger: Number(row.ledger), record: Number(row.record) });
    }
  }
  return found;
}
