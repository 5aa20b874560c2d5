import { readModel } from '#core/database';
import { VAULT } from './schema.ts';

/** Columns of stored cards that payments read. */
export const READABLE_CARDS = readModel(VAULT, ['tenant_id', 'id', 'bin', 'fingerprint']);
