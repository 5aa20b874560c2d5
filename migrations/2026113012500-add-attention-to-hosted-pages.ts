import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['payment_reference', 'unanswered_at', 'attention_at', 'note'];

/** Adds to payment pages of processors what waits for a person, with the person's note, and the last inquiry without an answer. */
export class AddAttentionToHostedPages2026113012500 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await run.query(`ALTER TABLE hosted_pages ADD COLUMN ${column} text`);
    await run.query("UPDATE hosted_pages SET attention_at = coalesce(checked_at, created_at) WHERE status IN ('overpaid', 'review')");
    await run.query('CREATE INDEX hosted_pages_attention ON hosted_pages (tenant_id, attention_at) WHERE attention_at IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX hosted_pages_attention');
    for (const column of COLUMNS.toReversed()) await run.query(`ALTER TABLE hosted_pages DROP COLUMN ${column}`);
  }
}
