import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the messages of a kind by an index. */
export class FindMessagesByKind2026113058351 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX messages_by_kind ON messages (tenant_id, kind, id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX messages_by_kind');
  }
}
