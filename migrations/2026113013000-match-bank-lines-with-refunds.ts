import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the refunds of bank transfers to the matches of bank lines. */
export class MatchBankLinesWithRefunds2026113013000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE bank_matches ADD COLUMN refund_id text');
    await run.query('CREATE INDEX bank_matches_by_tender ON bank_matches (tenant_id, tender_id) WHERE tender_id IS NOT NULL');
    await run.query('CREATE INDEX tender_refunds_by_merchant ON tender_refunds (tenant_id, merchant_id, id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX tender_refunds_by_merchant');
    await run.query('DROP INDEX bank_matches_by_tender');
    await run.query('ALTER TABLE bank_matches DROP COLUMN refund_id');
  }
}
