import { readModel } from '#core/database';
import { TENDERS } from './schema.ts';

/** Columns that invoices and reports read. */
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
]);
