import { readModel } from '#core/database';
import { RUNS } from './schema.ts';

/** Columns of comparisons that the close of a period reads. */
export const READABLE_RUNS = readModel(RUNS, ['tenant_id', 'id', 'scope', 'date', 'totals']);
