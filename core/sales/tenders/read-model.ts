import { readModel } from '#core/database';
import { TENDER_REFUNDS, TENDERS } from './schema.ts';

/** Columns that invoices, statements, bank lines and reports read. */
export const READABLE_TENDERS = readModel(TENDERS, [
  'tenant_id',
  'id',
  'merchant_id',
  'number',
  'kind',
  'currency',
  'amount_minor',
  'refunded_minor',
  'rounding_minor',
  'shift_id',
  'discount_minor',
  'line_items',
  'check_number',
  'returned_at',
  'day',
  'customer_id',
  'invoice_id',
  'order_id',
  'created_at',
]);

/** Columns of refunds that statements and bank lines read. */
export const READABLE_TENDER_REFUNDS = readModel(TENDER_REFUNDS, [
  'tenant_id',
  'id',
  'tender_id',
  'merchant_id',
  'number',
  'currency',
  'amount_minor',
  'rounding_minor',
  'shift_id',
  'is_return',
  'gift_card_id',
  'day',
]);
