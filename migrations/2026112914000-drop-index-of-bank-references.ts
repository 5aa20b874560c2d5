import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Drops the index by the references of bank lines. Lines are compared by the hashes in their identities. */
export class DropIndexOfBankReferences2026112914000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX bank_lines_by_reference');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('CREATE INDEX bank_lines_by_reference ON bank_lines (tenant_id, account_id, reference) WHERE reference IS NOT NULL');
  }
}
