import type { MigrationInterface, QueryRunner } from 'typeorm';

const FIRST = 'SELECT m.currency FROM merchants m WHERE m.tenant_id = approval_rules.tenant_id';

/** Names the currency of the limit of refunds: that of the merchant of the rules, and of the first merchant for the rules of an account. */
export class NameCurrenciesOfApprovalRules1763600000280 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approval_rules ADD COLUMN currency text');
    await run.query(
      `UPDATE approval_rules SET currency = COALESCE((${FIRST} AND m.id = approval_rules.scope), (${FIRST} ORDER BY m.id LIMIT 1))
WHERE refund_above IS NOT NULL`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approval_rules DROP COLUMN currency');
  }
}
