import { readModel } from '#core/database';
import { DISPUTE_REPORTS } from './report-schema.ts';
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

/** Columns of the reports of processors that reconciliation reads. */
export const READABLE_DISPUTE_REPORTS = readModel(DISPUTE_REPORTS, [
  'tenant_id',
  'id',
  'reference',
  'kind',
  'amount_minor',
  'currency',
  'merchant_id',
  'transaction_id',
  'result',
  'received_at',
]);
