import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const items = new Table({
  name: 'items',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'kind', 'name'].map(text),
    integer('price_minor'),
    text('currency'),
    optionalInteger('tax_rate'),
    integer('tax_included'),
    ...['key', 'barcode'].map(optional),
    integer('position'),
    optional('archived_at'),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'items_by_merchant', columnNames: ['tenant_id', 'merchant_id', 'position', 'id'] },
    { ...indexWhereSet('items_by_key', ['tenant_id', 'merchant_id', 'key']), isUnique: true },
    { ...indexWhereSet('items_by_barcode', ['tenant_id', 'merchant_id', 'barcode']), isUnique: true },
  ],
});

/** Adds items and quick amounts of merchants. */
export class AddItems1763600000140 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(items);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable('items');
  }
}
