import { readModel } from '#core/database';
import { GATEWAYS, MERCHANTS } from './schema.ts';

/** What reconciliation, reports and payments read of merchants. */
export const READABLE_MERCHANTS = readModel(MERCHANTS, ['tenant_id', 'id', 'currency', 'timezone', 'deleted_at']);

/** What reconciliation reads of gateways. */
export const READABLE_GATEWAYS = readModel(GATEWAYS, ['tenant_id', 'id', 'removed_at']);
