import { readModel } from '#core/database';
import { GATEWAYS, MERCHANTS } from './schema.ts';

/** Columns that reconciliation, reports and payments read of merchants. */
export const READABLE_MERCHANTS = readModel(MERCHANTS, ['tenant_id', 'id', 'currency', 'timezone', 'deleted_at']);

/** Columns that reconciliation reads of gateways. */
export const READABLE_GATEWAYS = readModel(GATEWAYS, ['tenant_id', 'id', 'removed_at']);
