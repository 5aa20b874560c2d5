import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the address of a card reader in the local network. */
export class AddAddressesOfCardReaders2026112934000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE terminals ADD COLUMN address text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE terminals DROP COLUMN address');
  }
}
