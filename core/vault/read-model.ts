import { readModel } from '#core/database';
import { VAULT } from './schema.ts';

/** Columns that payments read of stored cards. */
export const READABLE_CARDS = readModel(VAULT, ['tenant_id', 'id', 'bin', 'fingerprint']);
