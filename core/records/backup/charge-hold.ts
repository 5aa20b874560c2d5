import { type Database, queriesOn } from '#core/database';
import { RESTORES } from './schema.ts';

const HELD = queriesOn(RESTORES).selectFrom('restores').select('id').where('resumed_at', 'is', null).limit(1);

/** Creates a check that returns true while automatic charges are on hold after a restore. */
export function createChargeHold(database: Database): () => Promise<boolean> {
  let mayHold = true;
  return async () => {
    // A restore needs an empty database, so charges that are not on hold at the start never will be.
    if (mayHold) mayHold = (await database.readAcrossTenants().row(HELD)) !== null;
    return mayHold;
  };
}
