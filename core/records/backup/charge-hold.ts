import { type Database, queriesOn } from '#core/database';
import { RESTORES } from './schema.ts';

const RESTORES_SO_FAR = queriesOn(RESTORES).selectFrom('restores').select('resumed_at');

/** Creates the state of automatic charges, which are on hold after a restore until a person resumes them. */
export function createChargeHold(database: Database) {
  // A restore needs an empty database, so charges that are not on hold at the start never will be.
  let known: { readonly resumedAt: string | null } | undefined;
  async function restore(): Promise<{ readonly resumedAt: string | null } | null> {
    if (known) return known;
    // A backup of a restored installation contains its earlier restores.
    const times = (await database.readAcrossTenants().rows(RESTORES_SO_FAR)).map((row) => row.resumed_at);
    if (times.includes(null)) return null;
    known = { resumedAt: times.toSorted().at(-1) ?? null };
    return known;
  }
  return {
    isHeld: async (): Promise<boolean> => (await restore()) === null,
    /** Returns the time at which charges were resumed; null without a restore, and while they are on hold. */
    resumedAt: async (): Promise<string | null> => (await restore())?.resumedAt ?? null,
  };
}
