import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the tax of tenders and of their refunds. Tenders from before have no tax in the ledger, so theirs stays null. */
export class AddTenderTaxes1763600000196 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE tenders ADD COLUMN tax_minor bigint');
    await run.query('ALTER TABLE tender_refunds ADD COLUMN tax_minor bigint');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE tender_refunds DROP COLUMN tax_minor');
    await run.query('ALTER TABLE tenders DROP COLUMN tax_minor');
  }
}
