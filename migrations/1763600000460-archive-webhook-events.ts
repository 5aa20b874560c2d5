import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integer } = migrationColumns;

const starts = new Table({ name: 'event_starts', columns: [key('tenant_id'), ...['n', 'closed_n'].map(integer)] });

/** Names the contents of the frames of archives, and creates the point at which the event history of the database starts. */
export class ArchiveWebhookEvents1763600000460 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(starts);
    await run.query('ALTER TABLE archives ADD COLUMN events bigint');
    await run.query("ALTER TABLE archived_frames ADD COLUMN contents text NOT NULL DEFAULT 'audit'");
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE archived_frames ALTER COLUMN contents DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE archived_frames DROP COLUMN contents');
    await run.query('ALTER TABLE archives DROP COLUMN events');
    await run.dropTable(starts.name);
  }
}
