import { readModel } from '#core/database';
import { PAYOUTS, SETTLEMENTS } from './schema.ts';

/** Columns of settlements that reconciliation and reports read. */
export const READABLE_SETTLEMENTS = readModel(SETTLEMENTS, [
  'tenant_id',
  'id',
  'merchant_id',
  'currency',
  'status',
  'cutoff_at',
  'settlement_date',
  'captures_minor',
  'refunds_minor',
  'fees_minor',
  'disputes_minor',
]);

/** Columns of payouts that are compared with bank statements. */
export const READABLE_PAYOUTS = readModel(PAYOUTS, [
  'tenant_id',
  'id',
  'merchant_id',
  'kind',
  'currency',
  'status',
  'reference',
  'amount_minor',
  'paid_at',
]);
