import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer } = migrationColumns;

const tenants = new Table({
  name: 'tenants',
  columns: [key('id'), ...['name', 'environment', 'tier'].map(text), integer('clock_offset_ms'), text('created_at')],
});

const merchants = new Table({
  name: 'merchants',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('name'),
    ...['legal_name', 'email', 'phone'].map(optional),
    ...['currency', 'timezone', 'country'].map(text),
    ...['address', 'city', 'state', 'zip'].map(optional),
    ...['vt_settings', 'created_at'].map(text),
  ],
});

const users = new Table({
  name: 'users',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['email', 'password_hash', 'role'].map(text),
    ...['failed_logins', 'locked_until_ms'].map(integer),
    text('created_at'),
  ],
  uniques: [{ name: 'users_one_email', columnNames: ['tenant_id', 'email'] }],
  indices: [{ name: 'users_by_email', columnNames: ['email'] }],
});

const apiKeys = new Table({
  name: 'api_keys',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['name', 'scope'].map(text),
    optional('merchant_id'),
    ...['hash', 'last4'].map(text),
    ...['permissions', 'tier', 'expires_at', 'revoked_at'].map(optional),
    text('created_at'),
  ],
  uniques: [{ name: 'api_keys_one_hash', columnNames: ['tenant_id', 'hash'] }],
  indices: [{ name: 'api_keys_by_hash', columnNames: ['hash'] }],
});

const sessions = new Table({
  name: 'sessions',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['user_id', 'refresh_hash'].map(text),
    optional('used_hash'),
    integer('expires_ms'),
    optional('revoked_at'),
    text('created_at'),
  ],
});

/** Creates tenants, their merchants, users, API keys and sessions. */
export class AddIdentity1763600000002 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'Identity1763600000002';

  async up(run: QueryRunner): Promise<void> {
    for (const table of [tenants, merchants, users, apiKeys, sessions]) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of [sessions, apiKeys, users, merchants, tenants]) await run.dropTable(table);
  }
}
