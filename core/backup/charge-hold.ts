import type { Database } from '#core/database';

/** Returns a function that returns true while automatic charges wait for a person after a restore. */
export function createChargeHold(database: Database): () => Promise<boolean> {
  let mayHold = true;
  return async () => {
    // Only an empty database is restored into, so charges that do not wait at the start never will.
    if (mayHold) mayHold = (await database.readAcrossTenants().all('SELECT 1 FROM restores WHERE resumed_at IS NULL LIMIT 1')).length > 0;
    return mayHold;
  };
}
