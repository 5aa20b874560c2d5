import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erases the contact data of customers that were deleted, as a deletion does from now on. */
export class EraseDeletedCustomers2026120102400 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query(`CREATE INDEX customer_import_lines_by_imported_customer ON customer_import_lines (tenant_id, customer_id)
      WHERE customer_id IS NOT NULL`);
    await run.query(`UPDATE customers SET email = NULL, phone = NULL, address = NULL, notes = NULL, metadata = NULL
      WHERE deleted_at IS NOT NULL`);
    await run.query(`UPDATE customer_import_lines SET name = NULL, external_id = NULL, brand = NULL, last4 = NULL
      WHERE customer_id IN (SELECT id FROM customers WHERE deleted_at IS NOT NULL)`);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX customer_import_lines_by_imported_customer');
  }
}
