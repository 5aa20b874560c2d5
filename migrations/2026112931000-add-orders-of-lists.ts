import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables whose lists can be sorted by amount, with the index and the column that its list is limited to. */
const AMOUNTS = [
  ['transactions', 'transactions_by_merchant_amount', 'merchant_id'],
  ['tenders', 'tenders_by_amount', 'merchant_id'],
  ['invoices', 'invoices_by_amount', 'merchant_id'],
  ['disputes', 'disputes_by_amount', 'merchant_id'],
  ['bank_lines', 'bank_lines_by_amount', 'account_id'],
] as const;

/** Sorts lists by amount, and customers by name. */
export class AddOrdersOfLists2026112931000 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE customers ADD COLUMN name_key text');
    await run.query(
      "UPDATE customers SET name_key = lower(coalesce(nullif(trim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), ''), company, email, ''))",
    );
    await run.query('CREATE INDEX customers_by_name ON customers (tenant_id, merchant_id, name_key, id)');
    for (const [table, index, owner] of AMOUNTS)
      await run.query(`CREATE INDEX ${index} ON ${table} (tenant_id, ${owner}, amount_minor, id)`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const [, index] of AMOUNTS) await run.query(`DROP INDEX ${index}`);
    await run.query('DROP INDEX customers_by_name');
    await run.query('ALTER TABLE customers DROP COLUMN name_key');
  }
}
