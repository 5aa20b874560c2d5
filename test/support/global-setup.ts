import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';
import { type Seeded, seedForAll } from './seeded.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL server, as its superuser and without a database name; see postgres.ts. */
    postgresUrl: string;
    /** What servers of tests begin from; see seeded.ts. */
    seeded: Seeded;
  }
}

/** Durability and upkeep are of no use to a database that lives for one test run. */
const FLAGS_FOR_SPEED = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_connections=300'].flatMap(
  (flag) => ['-c', flag],
);

/**
 * Starts the one PostgreSQL server of a test run and stops it afterwards; every test file makes its own database in it. Where servers are tested, the sample data
 * that they begin from is made once.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PAYDESK_TEST_POSTGRES_URL?.replace(/\/$/, '');
  const server = given === undefined ? await startPostgres(FLAGS_FOR_SPEED) : { url: given, stop: async () => {} };
  project.provide('postgresUrl', server.url);
  const forget = await seedForAll(project, server.url);
  return async () => {
    await forget();
    await server.stop();
  };
}
