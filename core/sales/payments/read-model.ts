import { readModel } from '#core/database';
import { REFUND_QUEUE } from './queue-entries/schema.ts';
import { ATTEMPTS, REFUNDS, TRANSACTIONS } from './schema.ts';

/** Columns of payments that settlement, reconciliation, invoicing, statements, reports and failover rehearsals read. */
export const READABLE_TRANSACTIONS = readModel(TRANSACTIONS, [
  'tenant_id',
  'id',
  'merchant_id',
  'type',
  'method',
  'card_brand',
  'last4',
  'auth_code',
  'account_type',
  'refunded_minor',
  'reserved_minor',
  'disputed_minor',
  'tip_minor',
  'surcharge_minor',
  'tax_minor',
  'discount_minor',
  'created_by',
  'decline_code',
  'decline_reason',
  'day',
  'status',
  'currency',
  'amount_minor',
  'captured_minor',
  'captured_at',
  'voided_at',
  'settled_at',
  'settlement_date',
  'settlement_id',
  'fee_minor',
  'gateway_id',
  'gateway_reference',
  'created_at',
  'order_id',
  'line_items',
  'customer_id',
  'invoice_id',
  'returned_at',
]);

/** Columns of refunds that settlement, reconciliation and reports read. */
export const READABLE_REFUNDS = readModel(REFUNDS, [
  'tenant_id',
  'id',
  'transaction_id',
  'merchant_id',
  'status',
  'currency',
  'amount_minor',
  'tip_minor',
  'surcharge_minor',
  'tax_minor',
  'refunded_at',
  'sent_as',
  'settled_at',
  'settlement_date',
  'settlement_id',
]);

/** Columns of gateway requests that reconciliation and statements read. */
export const READABLE_ATTEMPTS = readModel(ATTEMPTS, ['tenant_id', 'id', 'transaction_id', 'refund_id', 'processor_ref', 'operation']);

/** Columns of declined refunds that statements read. */
export const READABLE_REFUND_QUEUE = readModel(REFUND_QUEUE, ['tenant_id', 'id', 'transaction_id', 'refund_id', 'status']);
