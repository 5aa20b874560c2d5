import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, integer, optionalInteger } = migrationColumns;

const due = [optionalInteger('due_ms'), ...['lease_ms', 'fence'].map(integer)];

const storedCredentials = new Table({
  name: 'stored_credentials',
  columns: [
    ...['tenant_id', 'token', 'gateway_id', 'purpose'].map(key),
    text('chain_reference'),
    integer('amount_minor'),
    ...['currency', 'created_at'].map(text),
  ],
});

const returnWatches = new Table({
  name: 'gateway_return_watches',
  columns: [...['tenant_id', 'id'].map(key), text('read_until'), ...due],
  indices: [{ name: 'gateway_return_watches_due', columnNames: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
});

const TABLES = [storedCredentials, returnWatches];

const COLUMNS: readonly (readonly [table: string, column: string, type: string])[] = [
  ['gateways', 'settings', 'text'],
  ['gateways', 'last_check', 'text'],
  ['gateways', 'removed_at', 'text'],
  ['transactions', 'capture_held_until', 'text'],
  ['transactions', 'returned_at', 'text'],
  ['transactions', 'return_code', 'text'],
  ['transactions', 'retry_advice', 'text'],
  ['refunds', 'sent_as', 'text'],
  ['attempts', 'alert', 'text'],
  ['attempts', 'asked_at', 'text'],
  ['attempts', 'missed', 'bigint'],
];

/** Index of refunds that were sent as voids, which a gateway reports neither as a capture nor as a refund. */
const voided = new TableIndex({ name: 'refunds_by_void', columnNames: ['tenant_id', 'transaction_id'], where: "sent_as = 'void'" });

const alerts = new TableIndex({ name: 'attempts_alerts', columnNames: ['tenant_id', 'id'], where: 'alert IS NOT NULL' });

/** Adds gateways of real processors and the columns for pending work of their payments. */
export class AddLiveGateways1763600000016 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'RealMoney1763600000016';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    for (const [table, column, type] of COLUMNS) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
    await run.createIndex('refunds', voided);
    await run.createIndex('attempts', alerts);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('attempts', alerts);
    await run.dropIndex('refunds', voided);
    for (const [table, column] of [...COLUMNS].reverse()) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
