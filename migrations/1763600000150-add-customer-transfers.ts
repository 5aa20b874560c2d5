import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const externalIds = new Table({
  name: 'customer_external_ids',
  columns: [...['tenant_id', 'merchant_id', 'source', 'external_id'].map(key), ...['customer_id', 'created_at'].map(text)],
  indices: [{ name: 'customer_external_ids_by_customer', columnNames: ['tenant_id', 'customer_id'] }],
});

const imports = new Table({
  name: 'customer_imports',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('merchant_id'),
    ...['provider', 'filename', 'transfer_key_id'].map(optional),
    ...['status', 'shared_cards'].map(text),
    ...['line_count', 'cursor_n'].map(integer),
    ...['planned', 'results'].map(text),
    integer('seen_ms'),
    text('created_by'),
    optional('started_by'),
    ...['created_at', 'updated_at'].map(text),
    optional('finished_at'),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
  ],
  indices: [
    { name: 'customer_imports_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'id'] },
    indexWhereSet('customer_imports_due', ['tenant_id', 'due_ms']),
  ],
});

const lines = new Table({
  name: 'customer_import_lines',
  columns: [
    ...['tenant_id', 'import_id'].map(key),
    integerKey('n'),
    integer('line'),
    text('customer_key'),
    optional('fingerprint'),
    text('action'),
    ...['reason', 'reference', 'name', 'external_id', 'brand', 'last4', 'sealed', 'customer_id', 'method_id'].map(optional),
  ],
  indices: [
    { name: 'customer_import_lines_by_action', columnNames: ['tenant_id', 'import_id', 'action', 'n'] },
    { name: 'customer_import_lines_by_customer', columnNames: ['tenant_id', 'import_id', 'customer_key', 'n'] },
    indexWhereSet('customer_import_lines_by_card', ['tenant_id', 'import_id', 'fingerprint', 'n'], 'fingerprint'),
  ],
});

const keys = new Table({
  name: 'transfer_keys',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['name', 'fingerprint', 'public_key'].map(text),
    optional('sealed_private'),
    ...['created_by', 'created_at', 'expires_at'].map(text),
    ...['destroyed_at', 'destroyed_reason'].map(optional),
  ],
});

const exported = new Table({
  name: 'customer_exports',
  columns: [
    ...['tenant_id', 'id'].map(key),
    optional('merchant_id'),
    ...['layout', 'recipient', 'recipient_fingerprint', 'public_key', 'status'].map(text),
    ...['customer_count', 'method_count'].map(integer),
    ...['created_by', 'created_at', 'expires_at'].map(text),
    optional('finished_at'),
  ],
});

const TABLES = [externalIds, imports, lines, keys, exported];
const METHOD_COLUMNS = ['external_id', 'network_transaction_id'];

/** Adds imports and exports of customers, keys of their files, and identifiers at earlier providers. */
export class AddCustomerTransfers1763600000150 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    for (const column of METHOD_COLUMNS) await run.query(`ALTER TABLE payment_methods ADD COLUMN ${column} text`);
    await run.createIndex(
      'payment_methods',
      new TableIndex({ name: 'payment_methods_by_fingerprint', columnNames: ['tenant_id', 'merchant_id', 'fingerprint'] }),
    );
    await run.createIndex('customers', new TableIndex(indexWhereSet('customers_by_email', ['tenant_id', 'merchant_id', 'email'], 'email')));
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX customers_by_email');
    await run.query('DROP INDEX payment_methods_by_fingerprint');
    for (const column of METHOD_COLUMNS) await run.query(`ALTER TABLE payment_methods DROP COLUMN ${column}`);
    for (const { name } of TABLES.toReversed()) await run.dropTable(name);
  }
}
