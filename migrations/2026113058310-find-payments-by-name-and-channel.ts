import type { MigrationInterface, QueryRunner } from 'typeorm';

const NAMES = {
  name_key: 'transactions_by_name',
  second_name_key: 'transactions_by_second_name',
  last_name_key: 'transactions_by_last_name',
};

/** Counts the payments of a merchant by name without reading them, and finds payments by channel. */
export class FindPaymentsByNameAndChannel2026113058310 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const [column, index] of Object.entries(NAMES)) {
      await run.query(`DROP INDEX ${index}`);
      await run.query(`CREATE INDEX ${index} ON transactions (tenant_id, ${column}, id, merchant_id) WHERE ${column} IS NOT NULL`);
    }
    await run.query('CREATE INDEX transactions_by_channel ON transactions (tenant_id, channel, id, merchant_id)');
  }

  async down(run: QueryRunner): Promise<void> {
    await run.query('DROP INDEX transactions_by_channel');
    for (const [column, index] of Object.entries(NAMES)) {
      await run.query(`DROP INDEX ${index}`);
      await run.query(`CREATE INDEX ${index} ON transactions (tenant_id, ${column}, id) WHERE ${column} IS NOT NULL`);
    }
  }
}
