import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the payments of a card reader. */
export class FindPaymentsByCardReader2026112920000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX transactions_by_terminal ON transactions (tenant_id, terminal_id, id) WHERE terminal_id IS NOT NULL');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_by_terminal');
  }
}
