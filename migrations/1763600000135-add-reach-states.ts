import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text } = migrationColumns;

const states = new Table({
  name: 'reach_states',
  columns: [...['tenant_id', 'merchant_id'].map(key), ...['state', 'since', 'updated_at'].map(text)],
});

/** Adds the published states of the connection to the gateways. */
export class AddReachStates1763600000135 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(states);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(states);
  }
}
