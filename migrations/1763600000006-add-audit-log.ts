import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer } = migrationColumns;

const entries = new Table({
  name: 'audit_entries',
  columns: [
    key('tenant_id'),
    { ...integer('n'), isPrimary: true },
    ...['id', 'at', 'actor', 'actor_id', 'action', 'resource'].map(text),
    ...['merchant_id', 'before', 'after', 'ip'].map(optional),
    ...['request_id', 'previous_hash', 'hash'].map(text),
  ],
  indices: [
    { name: 'audit_entries_by_resource', columnNames: ['tenant_id', 'resource', 'n'] },
    { name: 'audit_entries_by_action', columnNames: ['tenant_id', 'action', 'n'] },
  ],
});

const heads = new Table({ name: 'audit_heads', columns: [key('tenant_id'), integer('n'), text('hash'), text('seal')] });

/** Creates the audit log and the heads of its chains. */
export class AddAuditLog1763600000006 implements MigrationInterface {
  /** The name that existing databases have recorded. */
  readonly name = 'Audit1763600000006';

  async up(run: QueryRunner): Promise<void> {
    for (const table of [entries, heads]) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of [heads, entries]) await run.dropTable(table);
  }
}
