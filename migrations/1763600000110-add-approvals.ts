import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const approvals = new Table({
  name: 'approvals',
  columns: [
    ...['tenant_id', 'id'].map(key),
    optional('merchant_id'),
    ...['kind', 'status', 'operation', 'permission', 'resource'].map(text),
    optionalInteger('amount_minor'),
    optional('currency'),
    ...['reason', 'details', 'requested_by', 'requester_id'].map(text),
    ...['sealed_request', 'request_key', 'fingerprint', 'decided_by', 'decider_id', 'decided_at', 'decided_via', 'note', 'run_id'].map(
      optional,
    ),
    optionalInteger('result_status'),
    ...['sealed_result', 'executed_at'].map(optional),
    text('expires_at'),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    ...['created_at', 'updated_at'].map(text),
  ],
  uniques: [{ columnNames: ['tenant_id', 'request_key'] }],
  indices: [
    { name: 'approvals_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    { name: 'approvals_by_requester', columnNames: ['tenant_id', 'requester_id', 'id'] },
    indexWhereSet('approvals_due', ['tenant_id', 'due_ms']),
  ],
});

const rules = new Table({
  name: 'approval_rules',
  columns: [
    ...['tenant_id', 'scope'].map(key),
    optional('refund_above'),
    optionalInteger('void_after_minutes'),
    ...['unlinked_credit', 'access_changes', 'person_seconds', 'key_seconds', 'approvers_exempt'].map(integer),
    ...['updated_by', 'updated_at'].map(text),
  ],
});

const pins = new Table({
  name: 'user_pins',
  columns: [...['tenant_id', 'user_id'].map(key), text('hash'), ...['attempts', 'locked_until_ms'].map(integer), text('created_at')],
});

const TABLES = [approvals, rules, pins];

/** Adds approvals by a second person with their rules, PINs of users, and sessions that start with a PIN. */
export class AddApprovals1763600000110 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    for (const table of ['transactions', 'refunds', 'attempts']) await run.query(`ALTER TABLE ${table} ADD COLUMN approved_by text`);
    await run.query('ALTER TABLE sessions ADD COLUMN merchant_id text');
    await run.query('ALTER TABLE sessions ADD COLUMN by_pin bigint NOT NULL DEFAULT 0');
    // SQLite cannot drop a default, and the schema declares none.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE sessions ALTER COLUMN by_pin DROP DEFAULT');
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of ['merchant_id', 'by_pin']) await run.query(`ALTER TABLE sessions DROP COLUMN ${column}`);
    for (const table of ['transactions', 'refunds', 'attempts']) await run.query(`ALTER TABLE ${table} DROP COLUMN approved_by`);
    for (const table of TABLES.toReversed()) await run.dropTable(table);
  }
}
