import type { TestOptions } from 'vitest';
import { DATABASES, type DatabaseKind } from './database-kinds.ts';

/** Name of the tag of tests that `npm test` omits; `npm run test:full` and the siege tier run them (decision record 156). */
export const FULL_TAG = 'full';

/** Options of a test or a group that `npm test` omits. */
export const FULL: TestOptions = { tags: [FULL_TAG] };

/**
 * Options of a test in a group on both databases whose result the database does not decide: `npm test` runs it on SQLite, the other tiers
 * on both.
 */
export const fullOnPostgres = (database: DatabaseKind): TestOptions => (database === 'postgres' ? FULL : {});

const tier = process.env.PAYDESK_TEST_TIER;

/**
 * True in `npm run test:siege`: the tier that kills more processes, covers more years, imports larger files and runs everything on both
 * databases. The full tier has a smaller version of each of its tests.
 */
export const isSiege = tier === 'siege';

/** Returns the first size in `npm test` and the full tier, the second one in the siege tier. */
export const sized = <Size>(everyDay: Size, siege: Size): Size => (isSiege ? siege : everyDay);

/** The databases of tests whose subject does not depend on the database: SQLite in `npm test`, both in the full and the siege tier. */
export const ANY_DATABASE: readonly DatabaseKind[] = tier === 'full' || isSiege ? DATABASES : ['sqlite'];
