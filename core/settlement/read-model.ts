import { readModel } from '#core/database';
import { SETTLEMENTS } from './schema.ts';

/** Columns that reconciliation and reports read of settlements. */
export const READABLE_SETTLEMENTS = readModel(SETTLEMENTS, [
  'tenant_id',
  'id',
  'merchant_id',
  'currency',
  'status',
  'cutoff_at',
  'settlement_date',
]);
