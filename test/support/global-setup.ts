import './start-date.ts';
import type { TestProject } from 'vitest/node';
import { buildServiceWhenStale } from '../../scripts/build-when-stale.ts';
import { type Migrated, prepareMigratedDatabases } from './databases.ts';
import { startPostgres } from './postgres-server.ts';
import { prepareSampleData, type SampleDatabases } from './sample-data.ts';
import { timed } from './timings.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL server, as its superuser and without a database name; see postgres.ts. */
    postgresUrl: string;
    /** The sample data that test servers start with; see sample-data.ts. */
    seeded: SampleDatabases;
    /** The empty databases that tests copy; see databases.ts. */
    migrated: Migrated;
  }
}

/** A database that lives for one test run needs neither durability nor maintenance. */
const FLAGS_FOR_SPEED = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off', 'max_connections=300'].flatMap(
  (flag) => ['-c', flag],
);

interface Shared {
  readonly postgresUrl: string;
  readonly seeded: SampleDatabases;
  readonly migrated: Migrated;
  readonly stop: () => Promise<void>;
}

/** State that the projects of one run share. Each project loads this file again, so the state is kept on the global object. */
const run = globalThis as { paydeskTests?: { shared: Promise<Shared>; users: number } };

/**
 * Starts the PostgreSQL server of a test run, creates the sample data that test servers start with, builds the service that tests start as
 * a process, and removes all of it after the last project. Every test file creates its own databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  run.paydeskTests ??= { shared: prepare(), users: 0 };
  const tests = run.paydeskTests;
  tests.users += 1;
  const { postgresUrl, seeded, migrated, stop } = await tests.shared;
  project.provide('postgresUrl', postgresUrl);
  project.provide('seeded', seeded);
  project.provide('migrated', migrated);
  return async () => {
    tests.users -= 1;
    if (tests.users > 0) return;
    delete run.paydeskTests;
    await stop();
  };
}

async function prepare(): Promise<Shared> {
  const given = process.env.PAYDESK_TEST_POSTGRES_URL?.replace(/\/$/, '');
  const [server] = await Promise.all([
    given === undefined ? timed('PostgreSQL: start', () => startPostgres(FLAGS_FOR_SPEED)) : { url: given, stop: async () => {} },
    // On a busy machine, a build beside the sample data blocks this process longer than connections to PostgreSQL may take.
    buildServiceWhenStale(),
  ]);
  const empty = await prepareMigratedDatabases(server.url);
  const sample = await timed('sample data: generation', () => prepareSampleData(server.url));
  return {
    postgresUrl: server.url,
    seeded: sample.seeded,
    migrated: empty.migrated,
    async stop() {
      await sample.remove();
      await empty.remove();
      await server.stop();
    },
  };
}
