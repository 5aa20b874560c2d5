import { readModel } from '#core/database';
import { SHIFT_MOVEMENTS, SHIFTS } from './schema.ts';

/** Columns that reports read. */
export const READABLE_SHIFTS = readModel(SHIFTS, [
  'tenant_id',
  'id',
  'merchant_id',
  'drawer',
  'status',
  'currency',
  'float_minor',
  'counted_minor',
  'variance_minor',
  'z_number',
  'closed_by',
  'closed_day',
  'opened_by',
  'report',
]);
export const READABLE_SHIFT_MOVEMENTS = readModel(SHIFT_MOVEMENTS, [
  'tenant_id',
  'id',
  'shift_id',
  'merchant_id',
  'kind',
  'currency',
  'amount_minor',
  'day',
]);
