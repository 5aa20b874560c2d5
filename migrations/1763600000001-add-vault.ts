import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional } = migrationColumns;

const dataKeys = new Table({
  name: 'data_keys',
  columns: [key('tenant_id'), { name: 'version', type: 'bigint', isPrimary: true }, text('wrapped'), text('created_at')],
});

const vaultEntries = new Table({
  name: 'vault_entries',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('kind'),
    { name: 'key_version', type: 'bigint' },
    ...['sealed', 'fingerprint'].map(text),
    ...['brand', 'bin'].map(optional),
    text('last4'),
    ...['expiry_month', 'expiry_year', 'account_type'].map(optional),
    text('created_at'),
  ],
  indices: [{ name: 'vault_entries_by_key_version', columnNames: ['tenant_id', 'key_version', 'id'] }],
});

/** Creates the encrypted cards and bank accounts, and the wrapped keys of the tenants. */
export class AddVault1763600000001 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'Vault1763600000001';

  async up(run: QueryRunner): Promise<void> {
    for (const table of [dataKeys, vaultEntries]) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of [vaultEntries, dataKeys]) await run.dropTable(table);
  }
}
