import { readModel } from '#core/database';
import { CATALOG_ITEMS } from './schema.ts';

/** Columns of items that other capabilities read. */
export const READABLE_ITEMS = readModel(CATALOG_ITEMS, ['tenant_id', 'id', 'merchant_id', 'category']);
