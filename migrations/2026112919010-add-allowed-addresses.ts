import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['api_keys', 'roles'];

/** Adds the addresses and networks to which API keys and roles are limited. */
export class AddAllowedAddresses2026112919010 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.query(`ALTER TABLE ${table} ADD COLUMN allowed_addresses text`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.query(`ALTER TABLE ${table} DROP COLUMN allowed_addresses`);
  }
}
