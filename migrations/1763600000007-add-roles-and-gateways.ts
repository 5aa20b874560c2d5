import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer, optionalInteger } = migrationColumns;

const roles = new Table({
  name: 'roles',
  columns: [...['tenant_id', 'id'].map(key), ...['name', 'permissions', 'created_at', 'updated_at'].map(text)],
  uniques: [{ name: 'roles_one_name', columnNames: ['tenant_id', 'name'] }],
});

const codes = new Table({
  name: 'one_time_codes',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['purpose', 'subject', 'channel', 'destination', 'code_hash'].map(text),
    ...['tries', 'resends', 'sent_ms', 'expires_ms'].map(integer),
    optional('used_at'),
    text('created_at'),
  ],
});

const passwordTokens = new Table({
  name: 'password_tokens',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['user_id', 'purpose'].map(text),
    integer('expires_ms'),
    optional('used_at'),
    text('created_at'),
  ],
  indices: [
    { name: 'password_tokens_by_id', columnNames: ['id'] },
    { name: 'password_tokens_by_user', columnNames: ['tenant_id', 'user_id'] },
  ],
});

const signingKeys = new Table({
  name: 'signing_keys',
  columns: [...['tenant_id', 'id'].map(key), text('sealed'), integer('created_ms'), optionalInteger('retired_ms')],
  indices: [{ name: 'signing_keys_by_id', columnNames: ['id'] }],
});

const gateways = new Table({
  name: 'gateways',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'type', 'name'].map(text),
    optional('credentials'),
    text('status'),
    integer('priority'),
    ...['created_at', 'updated_at'].map(text),
  ],
  uniques: [{ name: 'gateways_one_name', columnNames: ['tenant_id', 'merchant_id', 'name'] }],
});

const cardUses = new Table({
  name: 'card_uses',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'fingerprint'].map(text),
    integer('amount_minor'),
    text('currency'),
    integer('at_ms'),
  ],
  indices: [
    { name: 'card_uses_by_card', columnNames: ['tenant_id', 'merchant_id', 'fingerprint', 'at_ms'] },
    { name: 'card_uses_by_time', columnNames: ['tenant_id', 'at_ms'] },
  ],
});

const TABLES = [roles, codes, passwordTokens, signingKeys, gateways, cardUses];

/** New columns: those with a default value, and those that may be null. */
const FILLED: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  merchants: ['settings', 'fraud_settings', 'branding', 'permissions', 'dunning_settings', 'routing'].map((name) => [
    name,
    "text NOT NULL DEFAULT '{}'",
  ]),
  users: [['two_factor', "text NOT NULL DEFAULT 'off'"]],
  sessions: [
    ['kind', "text NOT NULL DEFAULT 'api'"],
    ['last_seen_ms', 'bigint NOT NULL DEFAULT 0'],
  ],
};
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  merchants: ['deleted_at', 'updated_at'],
  users: ['phone', 'permissions', 'merchant_id', 'last_seen_at'],
  sessions: ['ip', 'user_agent', 'end_reason'],
  api_keys: ['last_used_at', 'created_by'],
  transactions: ['gateway_id'],
  attempts: ['gateway_id', 'request_id', 'ip', 'actor_id'],
  messages: ['sealed'],
};

/** Creates roles, one-time codes, password links, signing keys, gateways, merchant settings and the card uses that fraud rules count. */
export class AddRolesAndGateways1763600000007 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'WhoMayDoWhat1763600000007';

  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await run.createTable(table);
    // Plain SQL, because TypeORM would copy the tables on SQLite and lose checks that it does not know.
    for (const [table, columns] of Object.entries(FILLED)) {
      for (const [name, type] of columns) {
        await run.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
        if (run.connection.options.type === 'postgres') await run.query(`ALTER TABLE ${table} ALTER COLUMN ${name} DROP DEFAULT`);
      }
    }
    for (const [table, columns] of Object.entries(EMPTY))
      for (const name of columns) await run.query(`ALTER TABLE ${table} ADD COLUMN ${name} text`);
    await run.query('ALTER TABLE sessions DROP COLUMN used_hash');
    await run.createIndex('sessions', new TableIndex({ name: 'sessions_by_user', columnNames: ['tenant_id', 'user_id'] }));
    // Every merchant of a sandbox tenant gets the sandbox gateway.
    await run.query(
      "INSERT INTO gateways (tenant_id, id, merchant_id, type, name, credentials, status, priority, created_at, updated_at) SELECT m.tenant_id, 'gw' || substr(m.id, 4), m.id, 'sandbox', 'sandbox', NULL, 'active', 1, m.created_at, m.created_at FROM merchants m JOIN tenants t ON t.id = m.tenant_id WHERE t.environment = 'sandbox'",
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('sessions', 'sessions_by_user');
    await run.query('ALTER TABLE sessions ADD COLUMN used_hash text');
    for (const [table, columns] of Object.entries(EMPTY))
      for (const name of columns) await run.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    for (const [table, columns] of Object.entries(FILLED))
      for (const [name] of columns) await run.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    for (const { name } of [...TABLES].reverse()) await run.dropTable(name);
  }
}
