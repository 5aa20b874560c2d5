import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A token remembers which merchant it was made for; what was stored before is every merchant's of its tenant. */
export class TokensOfMerchants1763600000009 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE vault_entries ADD COLUMN merchant_id text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE vault_entries DROP COLUMN merchant_id');
  }
}
