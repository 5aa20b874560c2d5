import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  'reminders_stopped_at',
  'reminders_stopped_by',
  'reminders_stop_reason',
  'reminders_since_day',
  'promised_date',
  'promised_by',
  'promised_at',
  'promise_recorded_by',
];

/** Adds the reminders of invoices, which are off until a merchant switches them on, and promises to pay. */
export class AddInvoiceReminders2026112942000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query("ALTER TABLE merchants ADD COLUMN reminder_settings text NOT NULL DEFAULT '{}'");
    // Only SQLite cannot remove the default again.
    if (run.connection.options.type === 'postgres') await run.query('ALTER TABLE merchants ALTER COLUMN reminder_settings DROP DEFAULT');
    for (const column of COLUMNS) await run.query(`ALTER TABLE invoices ADD COLUMN ${column} text`);
    await run.query('CREATE INDEX invoices_by_due_date ON invoices (tenant_id, merchant_id, due_date, id) WHERE due_date IS NOT NULL');
    await run.query('CREATE INDEX invoices_by_promise ON invoices (tenant_id, merchant_id, promised_date) WHERE promised_date IS NOT NULL');
    await run.query(`CREATE TABLE reminder_runs (
      tenant_id text NOT NULL, id text NOT NULL, since_day text NOT NULL, send_at text NOT NULL, weekdays text NOT NULL, run_day text,
      after_due_date text, after_id text, due_ms bigint, lease_ms bigint NOT NULL, fence bigint NOT NULL,
      PRIMARY KEY (tenant_id, id)
    )`);
    await run.query('CREATE INDEX reminder_runs_due ON reminder_runs (tenant_id, due_ms) WHERE due_ms IS NOT NULL');
    await run.query(`CREATE TABLE invoice_reminders (
      tenant_id text NOT NULL, invoice_id text NOT NULL, days bigint NOT NULL, day text NOT NULL, channel text NOT NULL,
      recipient text NOT NULL, message_id text NOT NULL, created_at text NOT NULL,
      PRIMARY KEY (tenant_id, invoice_id, days)
    )`);
    await run.query(`CREATE TABLE reminder_choices (
      tenant_id text NOT NULL, customer_id text NOT NULL, is_off bigint NOT NULL, since_day text, language text, updated_at text NOT NULL,
      PRIMARY KEY (tenant_id, customer_id)
    )`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of ['reminder_choices', 'invoice_reminders', 'reminder_runs']) await run.query(`DROP TABLE ${table}`);
    for (const index of ['invoices_by_promise', 'invoices_by_due_date']) await run.query(`DROP INDEX ${index}`);
    for (const column of COLUMNS.toReversed()) await run.query(`ALTER TABLE invoices DROP COLUMN ${column}`);
    await run.query('ALTER TABLE merchants DROP COLUMN reminder_settings');
  }
}
