import { type MigrationInterface, type QueryRunner, TableIndex } from 'typeorm';

const byCredit = new TableIndex({
  name: 'transactions_by_credit',
  columnNames: ['tenant_id', 'credit_of'],
  where: 'credit_of IS NOT NULL',
});

/** Names on each credit the payment whose card or account it pays, so that approvals count it with the refunds of the payment. */
export class NamePaymentsOfCredits1763600000275 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions ADD COLUMN credit_of text');
    await run.createIndex('transactions', byCredit);
  }

  async down(run: QueryRunner): Promise<void> {
    await run.dropIndex('transactions', byCredit);
    await run.query('ALTER TABLE transactions DROP COLUMN credit_of');
  }
}
