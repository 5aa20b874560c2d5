import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of which many rows may be due at the same time, with the columns of their index. */
const COLUMNS = {
  subscriptions: 'tenant_id, due_ms',
  invoices: 'tenant_id, due_ms',
  installment_plans: 'tenant_id, due_ms',
  webhook_deliveries: 'tenant_id, endpoint_id, due_ms',
  messages: 'tenant_id, channel, due_ms',
} as const;

async function replaceIndexes(run: QueryRunner, ending: '' | ', id'): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    await run.query(`DROP INDEX ${table}_due`);
    await run.query(`CREATE INDEX ${table}_due ON ${table} (${columns}${ending}) WHERE due_ms IS NOT NULL`);
  }
}

/** Adds the ID to the indexes of due rows. Rows are claimed in order of time and ID: without it, each claim sorts all rows that are due at one time. */
export class IndexDueRowsById1763600000400 implements MigrationInterface {
  up(run: QueryRunner): Promise<void> {
    return replaceIndexes(run, ', id');
  }

  down(run: QueryRunner): Promise<void> {
    return replaceIndexes(run, '');
  }
}
