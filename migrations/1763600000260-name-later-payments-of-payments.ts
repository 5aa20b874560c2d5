import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The payment that was created last for a payment that is charged later. */
const CREATED_LATER = 'l.tenant_id = transactions.tenant_id AND l.transaction_id = transactions.id';

/** Names on each payment the queued one that it charges, so that it is not rerun beside the queue. */
export class NameLaterPaymentsOfPayments1763600000260 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions ADD COLUMN later_payment_id text');
    await run.query(
      `UPDATE transactions SET later_payment_id = (SELECT min(l.id) FROM later_payments l WHERE ${CREATED_LATER})
WHERE EXISTS (SELECT 1 FROM later_payments l WHERE ${CREATED_LATER})`,
    );
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE transactions DROP COLUMN later_payment_id');
  }
}
