import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, text, optional, integer } = migrationColumns;
const PAYMENTS = ['transactions', 'tenders', 'later_payments'] as const;

const discounts = new Table({
  name: 'discounts',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'status', 'currency'].map(text),
    ...['price_minor', 'discount_minor'].map(integer),
    optional('reason'),
    ...['requested_by', 'requester_id'].map(text),
    ...['approved_by', 'payment_id'].map(optional),
    text('expires_at'),
    optional('used_at'),
    text('created_at'),
  ],
});

/** Adds the approval rule for discounts, discounts that are granted before their payment, and their approver on payments. */
export class AddDiscountApprovals1763600000245 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    await run.createTable(discounts);
    await run.query('ALTER TABLE approval_rules ADD COLUMN discount_above bigint');
    for (const table of PAYMENTS)
      for (const column of ['discount_id', 'discount_approved_by']) await run.query(`ALTER TABLE ${table} ADD COLUMN ${column} text`);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of PAYMENTS)
      for (const column of ['discount_approved_by', 'discount_id']) await run.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    await run.query('ALTER TABLE approval_rules DROP COLUMN discount_above');
    await run.dropTable(discounts);
  }
}
