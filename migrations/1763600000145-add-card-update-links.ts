import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer } = migrationColumns;

const links = new Table({
  name: 'card_update_links',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'customer_id'].map(text),
    ...['payment_method_id', 'subscription_id'].map(optional),
    integer('expires_ms'),
    optional('used_at'),
    ...['created_by', 'created_at'].map(text),
  ],
  indices: [
    { name: 'card_update_links_by_customer', columnNames: ['tenant_id', 'customer_id', 'id'] },
    { name: 'card_update_links_by_id', columnNames: ['id'] },
  ],
});

/** Adds links to the page on which a customer replaces a card. */
export class AddCardUpdateLinks1763600000145 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(links);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(links);
  }
}
