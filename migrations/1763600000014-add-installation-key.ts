import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';

const masterKeys = new Table({
  name: 'master_keys',
  columns: [
    { name: 'id', type: 'text', isPrimary: true },
    ...['key_id', 'wrapped', 'since'].map((name) => ({ name, type: 'text' })),
    { name: 'recovery_saved_at', type: 'text', isNullable: true },
  ],
});

/**
 * Adds the installation key, from which long-lived secrets derive and which the master key encrypts. In older installations these secrets derive
 * from the master key itself: their row stays empty until the first start fills it.
 */
export class AddInstallationKey1763600000014 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'OneKeyToOpenThem1763600000014';

  async up(run: QueryRunner): Promise<void> {
    await run.createTable(masterKeys);
    await run.query(
      "INSERT INTO master_keys (id, key_id, wrapped, since) SELECT 'current', '', '', min(created_at) FROM tenants HAVING count(*) > 0",
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(masterKeys);
  }
}
