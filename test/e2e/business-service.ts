import { test as base } from './fixtures.ts';

/** A server whose sample data shows a running business, as `npm run serve -- --demo` starts it. */
export const test = base.extend({ serviceKind: { prepare: async () => undefined, sampleData: 'business' } });
