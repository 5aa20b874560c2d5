import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records that the payment method of an installment plan was renewed while a charge of the former one was pending. */
export class RetryWithRenewedMethods1763600000216 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE installment_plans ADD COLUMN renewed_during text');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('ALTER TABLE installment_plans DROP COLUMN renewed_during');
  }
}
