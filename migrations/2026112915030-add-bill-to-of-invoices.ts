import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the company and the address of the customer to invoices. Earlier invoices that are not paid get those that the customer has now. */
export class AddBillToOfInvoices2026112915030 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const column of ['company', 'address']) {
      await run.query(`ALTER TABLE invoices ADD COLUMN customer_${column} text`);
      await run.query(
        `UPDATE invoices SET customer_${column} = (SELECT c.${column} FROM customers c WHERE c.tenant_id = invoices.tenant_id AND c.id = invoices.customer_id)
         WHERE customer_id IS NOT NULL AND status NOT IN ('paid', 'cancelled')`,
      );
    }
  }

  async down(run: QueryRunner): Promise<void> {
    for (const column of ['company', 'address']) await run.query(`ALTER TABLE invoices DROP COLUMN customer_${column}`);
  }
}
