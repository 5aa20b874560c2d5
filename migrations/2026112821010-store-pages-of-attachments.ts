import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the pages of an attachment as a PDF, so that evidence packs decode no received file again. */
export class StorePagesOfAttachments2026112821010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("ALTER TABLE dispute_attachments ADD COLUMN sealed_pages text NOT NULL DEFAULT ''");
    if (run.connection.options.type === 'postgres')
      await run.query('ALTER TABLE dispute_attachments ALTER COLUMN sealed_pages DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE dispute_attachments DROP COLUMN sealed_pages');
  }
}
