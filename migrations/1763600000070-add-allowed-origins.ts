import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the origins of web pages that may use an API key on the SDK surface. Existing keys have none. */
export class AddAllowedOrigins1763600000070 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE api_keys ADD COLUMN allowed_origins text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE api_keys DROP COLUMN allowed_origins');
  }
}
