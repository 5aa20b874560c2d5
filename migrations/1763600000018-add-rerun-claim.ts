import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Query: every rerun with the first transaction of its chain. */
const CHAINS = `WITH RECURSIVE reruns(tenant_id, first_id, id, status) AS (
  SELECT r.tenant_id, f.id, r.id, r.status FROM transactions r
    JOIN transactions f ON f.tenant_id = r.tenant_id AND f.id = r.rerun_of WHERE f.rerun_of IS NULL
  UNION ALL
  SELECT r.tenant_id, c.first_id, r.id, r.status FROM transactions r
    JOIN reruns c ON r.tenant_id = c.tenant_id AND r.rerun_of = c.id
)`;

/** Sort order: a rerun that is pending or approved comes before the newest one, because it prevents further reruns. */
const CLAIM_EXISTING = `${CHAINS}
UPDATE transactions SET rerun_transaction_id = (
  SELECT c.id FROM reruns c WHERE c.tenant_id = transactions.tenant_id AND c.first_id = transactions.id
    ORDER BY CASE WHEN c.status IN ('declined', 'failed') THEN 1 ELSE 0 END, c.id DESC LIMIT 1
) WHERE rerun_of IS NULL AND id IN (SELECT first_id FROM reruns)`;

/** Names the latest rerun on the first transaction of a sale, so that a sale is rerun at most once successfully. */
export class AddRerunClaim1763600000018 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions ADD COLUMN rerun_transaction_id text');
    await run.query(CLAIM_EXISTING);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions DROP COLUMN rerun_transaction_id');
  }
}
