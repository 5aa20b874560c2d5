import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds to invoices the end of reminders that a dispute replaces, because it remains when the dispute is won. */
export class KeepReminderStopsBeforeDisputes2026113053000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices ADD COLUMN reminders_stop_before_dispute text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE invoices DROP COLUMN reminders_stop_before_dispute');
  }
}
