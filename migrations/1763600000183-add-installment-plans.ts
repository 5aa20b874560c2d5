import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { migrationColumns } from '#core/database';

const { key, integerKey, text, optional, integer, optionalInteger, indexWhereSet } = migrationColumns;

const plans = new Table({
  name: 'installment_plans',
  columns: [
    ...['tenant_id', 'id'].map(key),
    ...['merchant_id', 'customer_id', 'invoice_id'].map(text),
    optional('payment_method_id'),
    ...['consent_text', 'consent_at', 'currency'].map(text),
    ...['invoice_minor', 'amount_minor', 'base_minor', 'paid_minor', 'installment_count'].map(integer),
    optional('charge_interval'),
    text('status'),
    optionalInteger('next_number'),
    integer('failed_attempts'),
    optionalInteger('retry_ms'),
    integer('unsent_tries'),
    ...['last_payment_at', 'last_decline_code', 'last_reason', 'busy_transaction', 'busy_payment', 'pause_reason'].map(optional),
    ...['paused_at', 'past_due_at', 'completed_at', 'canceled_at', 'canceled_by', 'cancel_reason'].map(optional),
    text('created_by'),
    ...['once_credential', 'once_key', 'once_route'].map(optional),
    optionalInteger('due_ms'),
    ...['lease_ms', 'fence'].map(integer),
    ...['created_at', 'updated_at'].map(text),
  ],
  indices: [
    { name: 'installment_plans_by_status', columnNames: ['tenant_id', 'status', 'id'] },
    { name: 'installment_plans_by_customer', columnNames: ['tenant_id', 'customer_id', 'id'] },
    { name: 'installment_plans_by_invoice', columnNames: ['tenant_id', 'invoice_id', 'id'] },
    {
      name: 'installment_plans_one_open',
      columnNames: ['tenant_id', 'invoice_id'],
      isUnique: true,
      where: "status IN ('active', 'past_due', 'paused')",
    },
    indexWhereSet('installment_plans_asked', ['tenant_id', 'once_key']),
    indexWhereSet('installment_plans_due', ['tenant_id', 'due_ms']),
  ],
});

const installments = new Table({
  name: 'installments',
  columns: [
    ...['tenant_id', 'plan_id'].map(key),
    integerKey('number'),
    text('due_date'),
    ...['amount_minor', 'paid_minor'].map(integer),
    ...['paid_at', 'transaction_id'].map(optional),
  ],
});

const payments = new Table({
  name: 'installment_payments',
  columns: [
    ...['tenant_id', 'id'].map(key),
    text('plan_id'),
    ...['number', 'attempt', 'amount_minor'].map(integer),
    text('status'),
    ...['transaction_id', 'decline_code', 'decline_reason'].map(optional),
    text('created_at'),
    optional('concluded_at'),
  ],
  indices: [
    { name: 'installment_payments_by_plan', columnNames: ['tenant_id', 'plan_id', 'id'] },
    indexWhereSet('installment_payments_by_transaction', ['tenant_id', 'transaction_id']),
    { name: 'installment_payments_once', columnNames: ['tenant_id', 'plan_id'], isUnique: true, where: "status = 'pending'" },
  ],
});

/** Adds plans that pay an invoice in installments. */
export class AddInstallmentPlans1763600000183 implements MigrationInterface {
  async up(run: QueryRunner): Promise<void> {
    for (const table of [plans, installments, payments]) await run.createTable(table);
  }

  async down(run: QueryRunner): Promise<void> {
    for (const table of [payments, installments, plans]) await run.dropTable(table);
  }
}
