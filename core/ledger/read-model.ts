import { readModel } from '#core/database';
import { BALANCES, TRANSFERS, UNSETTLED_LINES } from './schema.ts';

/** Columns of the ledger that settlement reads. */
export const READABLE_BALANCES = readModel(BALANCES, ['tenant_id', 'merchant_id', 'currency', 'account', 'n']);
export const READABLE_UNSETTLED_LINES = readModel(UNSETTLED_LINES, ['tenant_id', 'merchant_id', 'currency', 'n']);
/** Columns of money movements that reports read. */
export const READABLE_TRANSFERS = readModel(TRANSFERS, ['tenant_id', 'merchant_id', 'currency', 'kind', 'amount_minor', 'day', 'at']);
