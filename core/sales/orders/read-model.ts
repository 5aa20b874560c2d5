import { readModel } from '#core/database';
import { ORDERS } from './schema.ts';

/** Columns of orders that reports read. */
export const READABLE_ORDERS = readModel(ORDERS, [
  'tenant_id',
  'id',
  'merchant_id',
  'status',
  'currency',
  'amount_minor',
  'refunded_minor',
  'line_items',
  'paid_day',
]);
