import { readModel } from '#core/database';
import { DISPUTE_MOVEMENTS } from './schema.ts';

/** Columns of dispute movements that settlement and reconciliation read. */
export const READABLE_DISPUTE_MOVEMENTS = readModel(DISPUTE_MOVEMENTS, [
  'tenant_id',
  'id',
  'dispute_id',
  'transaction_id',
  'merchant_id',
  'currency',
  'kind',
  'amount_minor',
  'at',
  'settled_at',
  'settlement_date',
  'settlement_id',
]);
