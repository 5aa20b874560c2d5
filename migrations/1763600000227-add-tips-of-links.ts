import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to payment links whether their page asks for a tip. */
export class AddTipsOfLinks1763600000227 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices ADD COLUMN ask_for_tip text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices DROP COLUMN ask_for_tip');
  }
}
