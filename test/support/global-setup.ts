import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL server, as its superuser and without a database name; see postgres.ts. */
    postgresUrl: string;
  }
}

/** Durability is of no use to a database that lives for one test run. */
const FLAGS_FOR_SPEED = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'];

/** Starts the one PostgreSQL server of a test run and stops it afterwards; every test file makes its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PAYDESK_TEST_POSTGRES_URL;
  if (given !== undefined) {
    project.provide('postgresUrl', given.replace(/\/$/, ''));
    return async () => {};
  }
  const server = await startPostgres(FLAGS_FOR_SPEED);
  project.provide('postgresUrl', server.url);
  return server.stop;
}
