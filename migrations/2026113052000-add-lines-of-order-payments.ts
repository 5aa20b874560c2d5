import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to payments of orders the lines that they pay. */
export class AddLinesOfOrderPayments2026113052000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE order_payments ADD COLUMN lines text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE order_payments DROP COLUMN lines');
  }
}
