import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds tenders by check number, order and email address without reading all of them. */
export class FindTendersByIndexes2026113058200 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE tenders ADD COLUMN order_key text');
    await run.query('UPDATE tenders SET order_key = lower(order_id) WHERE order_id IS NOT NULL');
    await run.query('CREATE INDEX tenders_by_check_number ON tenders (tenant_id, check_number, id) WHERE check_number IS NOT NULL');
    await run.query('CREATE INDEX tenders_by_order ON tenders (tenant_id, order_key, id) WHERE order_key IS NOT NULL');
    await run.query('CREATE INDEX tenders_by_email ON tenders (tenant_id, customer_email, id) WHERE customer_email IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX tenders_by_email');
    await run.query('DROP INDEX tenders_by_order');
    await run.query('DROP INDEX tenders_by_check_number');
    await run.query('ALTER TABLE tenders DROP COLUMN order_key');
  }
}
