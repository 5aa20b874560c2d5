import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the ID of the installation, which its other parts repeat. */
export class NameInstallations2026112902010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE master_keys ADD COLUMN installation_id text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE master_keys DROP COLUMN installation_id');
  }
}
