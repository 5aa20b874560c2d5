import pg, { type ClientBase } from 'pg';
import { requireWritable, type ServerConfig } from './connections/index.ts';
import { runMigrations } from './migrate.ts';
import { MIGRATIONS_TABLE, type Migration, OlderServersRunning, outdated, pendingMigrations } from './versions.ts';

/** Advisory lock of a migration; an arbitrary number that no other program uses. Servers that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 7_290_551;
/** Advisory lock that every connection of a server holds shared, and a migration holds exclusively. */
const SERVER_LOCK = 7_290_552;
/** Time that stopping servers may need to disconnect. */
const SERVERS_DISCONNECT_WITHIN_MS = 3_000;
const LOCK_RETRY_MS = 200;
/** Session settings of a migration, which may take long for large tables or wait for the migration of another server. */
const MIGRATION_SESSION = '-c lock_timeout=600000 -c statement_timeout=0';

interface SchemaOptions {
  readonly server: ServerConfig;
  readonly schema: string;
  readonly migrations: readonly Migration[];
  readonly connectTimeoutMs: number;
}

/** Returns the names of the migrations that were applied to a schema; null if the schema was never used. */
export async function appliedMigrations(client: ClientBase, schema: string): Promise<readonly string[] | null> {
  const { rows } = await client.query<{ applied: string | null }>('SELECT to_regclass($1)::text AS applied', [
    `"${schema}".${MIGRATIONS_TABLE}`,
  ]);
  if (!rows[0]?.applied) return null;
  return (await client.query<{ name: string }>(`SELECT name FROM "${schema}".${MIGRATIONS_TABLE}`)).rows.map(({ name }) => name);
}

/** Runs a function on a connection that is closed afterwards, which also releases its locks. */
export async function withClient<Result>(
  { Client, ...config }: ServerConfig,
  use: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(config);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Creates or migrates the schema under an exclusive lock, which cannot be taken while other servers are connected. @throws NewerSchema or
 * OlderServersRunning; the schema is then unchanged.
 */
export async function prepareSchema(options: SchemaOptions): Promise<void> {
  const { server, schema, migrations, connectTimeoutMs } = options;
  const config = { ...server, connectionTimeoutMillis: connectTimeoutMs, options: MIGRATION_SESSION };
  await withClient(config, async (client) => {
    await requireWritable(client);
    const isReady = async () => {
      const applied = await appliedMigrations(client, schema);
      return applied !== null && pendingMigrations(migrations, applied).length === 0;
    };
    if (await isReady()) return;
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // Another server may have migrated the schema in the meantime.
    if (await isReady()) return;
    await lockSchemaExclusively(client, schema);
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await runMigrations(migrations, {
      type: 'postgres',
      driver: pg,
      schema,
      installExtensions: false,
      poolSize: 1,
      connectTimeoutMS: connectTimeoutMs,
      extra: { ...server, options: `-c search_path=${schema} ${MIGRATION_SESSION}` },
    });
  });
}

async function lockSchemaExclusively(client: ClientBase, schema: string): Promise<void> {
  for (const deadline = performance.now() + SERVERS_DISCONNECT_WITHIN_MS; ; ) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS alone', [
      SERVER_LOCK,
      schema,
    ]);
    if (rows[0]?.alone) return;
    if (performance.now() > deadline) throw new OlderServersRunning();
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
}

/**
 * Admits a new connection of a server. PostgreSQL accepts changes, the schema cannot be migrated while the connection is open, and its version
 * is one that this program knows. The check of the version is a separate statement, so that it sees what was committed while the one before
 * waited for the lock.
 */
export async function admit(client: ClientBase, schema: string, migrations: readonly Migration[]): Promise<void> {
  await requireWritable(client);
  await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [SERVER_LOCK, schema]);
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM "${schema}".${MIGRATIONS_TABLE} WHERE name <> ALL($1)`,
    [migrations.map(({ name }) => name)],
  );
  if (rows[0]?.n !== 0) throw outdated();
}
