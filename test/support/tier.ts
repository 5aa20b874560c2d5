import { DATABASES, type DatabaseKind } from './database-kinds.ts';

/**
 * True in `npm run test:siege`: the tier that kills more processes, covers more years, imports larger files and runs everything on both
 * databases. `npm test` has a smaller version of each of its tests.
 */
export const isSiege = process.env.PAYDESK_TEST_TIER === 'siege';

/** Returns the first size in `npm test`, the second one in the siege tier. */
export const sized = <Size>(everyDay: Size, siege: Size): Size => (isSiege ? siege : everyDay);

/** The databases of tests whose subject does not depend on the database: SQLite in `npm test`, both in the siege tier. */
export const ANY_DATABASE: readonly DatabaseKind[] = sized(['sqlite'], DATABASES);
