import { type Database, queriesOn } from '#core/database';
import { RESTORES } from './schema.ts';

const HELD = queriesOn(RESTORES).selectFrom('restores').select('id').where('resumed_at', 'is', null).limit(1);

/** Returns a function that returns true while automatic charges wait for a person after a restore. */
export function createChargeHold(database: Database): () => Promise<boolean> {
  let mayHold = true;
  return async () => {
    // Only an empty database is restored into, so charges that do not wait at the start never will.
    if (mayHold) mayHold = (await database.readAcrossTenants().row(HELD)) !== null;
    return mayHold;
  };
}
