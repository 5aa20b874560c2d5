import { readModel } from '#core/database';
import { TENDERS } from './schema.ts';

/** Columns that invoices read. */
export const READABLE_TENDERS = readModel(TENDERS, ['tenant_id', 'id', 'refunded_minor']);
