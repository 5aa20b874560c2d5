import { readModel } from '#core/database';
import { GATEWAYS, MERCHANTS } from './schema.ts';

/** Columns of merchants that reconciliation, reports and payments read. */
export const READABLE_MERCHANTS = readModel(MERCHANTS, ['tenant_id', 'id', 'currency', 'timezone', 'deleted_at']);

/** Columns of gateways that reconciliation reads. */
export const READABLE_GATEWAYS = readModel(GATEWAYS, ['tenant_id', 'id', 'removed_at']);
