import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, optional, integer, text } = migrationColumns;

const authenticators = new Table({
  name: 'authenticators',
  columns: [...['tenant_id', 'user_id'].map(key), ...['secret', 'pending_secret'].map(optional), integer('last_step'), text('created_at')],
});

const recoveryCodes = new Table({
  name: 'recovery_codes',
  columns: [...['tenant_id', 'user_id', 'hash'].map(key), optional('used_at')],
});

/** Adds authenticator apps of users, and the recovery codes that replace a second factor. */
export class AddAuthenticators1763600000019 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(authenticators);
    await run.createTable(recoveryCodes);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(recoveryCodes);
    await run.dropTable(authenticators);
  }
}
