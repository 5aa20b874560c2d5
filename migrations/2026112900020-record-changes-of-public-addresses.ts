import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the last change of a merchant's public address, which screens show beside the new one. */
export class RecordChangesOfPublicAddresses2026112900020 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE merchants ADD COLUMN public_url_change text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE merchants DROP COLUMN public_url_change');
  }
}
