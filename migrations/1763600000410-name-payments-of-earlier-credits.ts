import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A credit carries the token of its payment. The payment is certain if no other one has this token: payments with a card on file share theirs, and so
 * do reruns. Tokens are grouped once, because there is no index on them.
 */
const NAME_CERTAIN = `UPDATE transactions SET credit_of = named.id
FROM (
  SELECT tenant_id, token, min(id) AS id FROM transactions
  WHERE type <> 'credit' AND (tenant_id, token) IN (SELECT tenant_id, token FROM transactions WHERE type = 'credit' AND credit_of IS NULL)
  GROUP BY tenant_id, token HAVING count(*) = 1
) AS named
WHERE transactions.type = 'credit' AND transactions.credit_of IS NULL
  AND transactions.tenant_id = named.tenant_id AND transactions.token = named.token`;

/** Names the payment on each credit from before `credit_of` whose payment is certain. */
export class NamePaymentsOfEarlierCredits1763600000410 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(NAME_CERTAIN);
  }

  /** Keeps the names, which are correct for the earlier version too. */
  async down(): Promise<void> {}
}
