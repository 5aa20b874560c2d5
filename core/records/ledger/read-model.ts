import { readModel } from '#core/database';
import { BALANCES, TRANSFERS, UNSETTLED_LINES } from './schema.ts';

/** Columns of the ledger that other capabilities read. */
export const READABLE_BALANCES = readModel(BALANCES, ['tenant_id', 'merchant_id', 'currency', 'account', 'n']);
export const READABLE_UNSETTLED_LINES = readModel(UNSETTLED_LINES, ['tenant_id', 'merchant_id', 'currency', 'n']);
export const READABLE_TRANSFERS = readModel(TRANSFERS, [
  'tenant_id',
  'id',
  'merchant_id',
  'currency',
  'kind',
  'debit',
  'credit',
  'amount_minor',
  'subject_id',
  'day',
  'at',
  'order_part',
]);
