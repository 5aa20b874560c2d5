import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, text } = migrationColumns;

const blocks = new Table({
  name: 'audit_blocks',
  columns: [key('tenant_id'), integerKey('block'), text('first_at'), text('last_at')],
});

/** Adds the times of each full block of an audit log. Without them, a list of a period read the whole log. */
export class AddTimesOfAuditBlocks1763600000470 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(blocks);
    await run.query(
      `INSERT INTO audit_blocks (tenant_id, block, first_at, last_at)
       SELECT e.tenant_id, (e.n - 1) / 2000, min(e.at), max(e.at)
       FROM audit_entries e JOIN audit_heads h ON h.tenant_id = e.tenant_id
       WHERE e.n <= h.n / 2000 * 2000
       GROUP BY e.tenant_id, (e.n - 1) / 2000`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropTable(blocks.name);
  }
}
