import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Query: the days on which transactions were captured, or on which their settlement entered the ledger. */
const daysOf = (kind: 'capture' | 'fee') =>
  `(SELECT tenant_id, subject_id, max(day) AS day FROM ledger_transfers WHERE kind = '${kind}' GROUP BY tenant_id, subject_id)`;

/** Statement that counts the fees of all settled transactions by a day, as `count` or as `amount`. */
const countFees = (measure: 'count' | 'amount', day: string, join: string) =>
  `INSERT INTO transaction_facts (tenant_id, merchant_id, fact, day, currency, type, method, brand, detail, measure, n)
SELECT t.tenant_id, t.merchant_id, 'fee', ${day}, t.currency, t.type, t.method, coalesce(t.card_brand, 'ach'), '', '${measure}', ${measure === 'count' ? 'count(*)' : 'sum(t.fee_minor)'}
FROM transactions t ${join} WHERE t.fee_minor > 0
GROUP BY t.tenant_id, t.merchant_id, ${day}, t.currency, t.type, t.method, coalesce(t.card_brand, 'ach')`;

async function recountFees(run: QueryRunner, day: string, join: string): Promise<void> {
  await run.query("DELETE FROM transaction_facts WHERE fact = 'fee'");
  for (const measure of ['count', 'amount'] as const) await run.query(countFees(measure, day, join));
}

/** Counts the fee of a sale on the day of the sale instead of the day of its settlement. */
export class CountFeesByCaptureDay1763600000063 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await recountFees(
      run,
      'coalesce(c.day, t.day)',
      `LEFT JOIN ${daysOf('capture')} c ON c.tenant_id = t.tenant_id AND c.subject_id = t.id`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await recountFees(
      run,
      'coalesce(s.day, t.settlement_date)',
      `LEFT JOIN ${daysOf('fee')} s ON s.tenant_id = t.tenant_id AND s.subject_id = t.settlement_id`,
    );
  }
}
