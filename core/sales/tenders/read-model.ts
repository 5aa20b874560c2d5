import { readModel } from '#core/database';
import { TENDER_REFUNDS, TENDERS } from './schema.ts';

/** Columns that invoices, statements and reports read. */
export const READABLE_TENDERS = readModel(TENDERS, [
  'tenant_id',
  'id',
  'merchant_id',
  'number',
  'currency',
  'amount_minor',
  'refunded_minor',
  'discount_minor',
  'line_items',
  'day',
  'kind',
  'customer_id',
  'invoice_id',
  'check_number',
  'returned_at',
]);

/** Columns of refunds that statements read. */
export const READABLE_TENDER_REFUNDS = readModel(TENDER_REFUNDS, ['tenant_id', 'id', 'tender_id', 'is_return']);
