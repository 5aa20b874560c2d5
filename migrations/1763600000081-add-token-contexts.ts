import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text } = migrationColumns;

const contexts = new Table({
  name: 'token_contexts',
  columns: [...['tenant_id', 'id'].map(key), ...['sealed', 'created_at'].map(text)],
});

/** Adds the device details of payers who enter a card in hosted fields, until it is charged. */
export class AddTokenContexts1763600000081 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(contexts);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(contexts.name);
  }
}
