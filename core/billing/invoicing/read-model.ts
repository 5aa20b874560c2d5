import { readModel } from '#core/database';
import { LATE_FEES } from './late-fees/schema.ts';
import { INVOICE_NUMBERS, INVOICE_PAYMENTS, INVOICES, PAYER_NAMES } from './schema.ts';

/** Columns of invoices that statements and bank lines read. */
export const READABLE_INVOICES = readModel(INVOICES, [
  'tenant_id',
  'id',
  'merchant_id',
  'customer_id',
  'customer_name',
  'customer_company',
  'kind',
  'number',
  'currency',
  'amount_minor',
  'paid_minor',
  'pending_minor',
  'unpaid_minor',
  'late_fee_minor',
  'status',
  'due_date',
  'sent_at',
  'cancelled_at',
  'created_at',
]);

/** Columns of the payments of invoices that statements read. */
export const READABLE_INVOICE_PAYMENTS = readModel(INVOICE_PAYMENTS, [
  'tenant_id',
  'id',
  'invoice_id',
  'amount_minor',
  'currency',
  'method',
  'status',
  'transaction_id',
  'tender_id',
  'reference',
  'created_at',
  'concluded_at',
]);

/** Columns of late fees that statements read. */
export const READABLE_LATE_FEES = readModel(LATE_FEES, [
  'tenant_id',
  'invoice_id',
  'id',
  'amount_minor',
  'day',
  'created_at',
  'reversed_at',
]);

/** Columns of the last numbers that bank lines read. */
export const READABLE_INVOICE_NUMBERS = readModel(INVOICE_NUMBERS, ['tenant_id', 'merchant_id', 'last']);

/** Columns of the names of customers that bank lines read. */
export const READABLE_PAYER_NAMES = readModel(PAYER_NAMES, ['tenant_id', 'merchant_id', 'name', 'customer_id', 'start', 'length']);
