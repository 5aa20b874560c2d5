import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['subscriptions', 'invoices', 'installment_plans'];

const replaceIndex = async (run: QueryRunner, table: string, columns: string) => {
  await run.query(`DROP INDEX ${table}_due`);
  await run.query(`CREATE INDEX ${table}_due ON ${table} (${columns}) WHERE due_ms IS NOT NULL`);
};

/**
 * Adds the ID to the indexes of rows of which many are due at the same time, at midnight. Rows are claimed in order of time and ID: without it, each claim
 * sorts all of them.
 */
export class IndexDueRowsById1763600000400 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await replaceIndex(run, table, 'tenant_id, due_ms, id');
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of TABLES) await replaceIndex(run, table, 'tenant_id, due_ms');
  }
}
