import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = {
  invoices_of_tenant_by_amount: 'invoices (tenant_id, amount_minor, id)',
  invoices_of_tenant_by_due_date: 'invoices (tenant_id, due_date, id) WHERE due_date IS NOT NULL',
  subscriptions_of_tenant_by_next_payment: 'subscriptions (tenant_id, next_payment_on, id) WHERE next_payment_on IS NOT NULL',
  gift_cards_of_tenant_by_balance: 'gift_cards (tenant_id, balance_minor, id)',
  customers_of_tenant_by_name: 'customers (tenant_id, name_key, id)',
};

/** Sorts the lists of all merchants of a tenant by indexes. */
export class SortListsOfAllMerchants2026113058350 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) await run.query(`CREATE INDEX ${name} ON ${columns}`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await run.query(`DROP INDEX ${name}`);
  }
}
