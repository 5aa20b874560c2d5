import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the approval rules for tips, which limits them to the amount without them, and for pay-outs from a drawer. */
export class AddRulesForTipsAndPayOuts2026112823030 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE approval_rules ADD COLUMN max_tip bigint');
    await run.query('ALTER TABLE approval_rules ADD COLUMN pay_out_above text');
    await run.query('UPDATE approval_rules SET max_tip = 10000');
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of ['pay_out_above', 'max_tip']) await run.query(`ALTER TABLE approval_rules DROP COLUMN ${column}`);
  }
}
