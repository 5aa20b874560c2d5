import { readModel } from '#core/database';
import { VAULT } from './schema.ts';

/** What payments read of cards on file. */
export const READABLE_CARDS = readModel(VAULT, ['tenant_id', 'id', 'bin', 'fingerprint']);
