import { readModel } from '#core/database';
import { SETTLEMENTS } from './schema.ts';

/** Columns of settlements that reconciliation and reports read. */
export const READABLE_SETTLEMENTS = readModel(SETTLEMENTS, [
  'tenant_id',
  'id',
  'merchant_id',
  'currency',
  'status',
  'cutoff_at',
  'settlement_date',
]);
