import pg, { type ClientBase } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import { requireWritable, type ServerConfig } from './connections/index.ts';
import { MIGRATIONS_TABLE, type Migration, nameOf, OlderStationsRunning, outdated, pendingOf } from './versions.ts';

/** Any number that no other program takes: servers that start together on one database migrate one after the other. */
const MIGRATION_LOCK = 7_290_551;
/** Advisory lock held shared by every connection of a workstation, and exclusively during a migration. */
const STATION_LOCK = 7_290_552;
/** Time that a stopping workstation may need to disconnect. */
const STATIONS_LEAVE_WITHIN_MS = 3_000;
const LOOK_AGAIN_MS = 200;
/** A migration of large tables takes its time, and one that waits for another station's as well. */
const MIGRATION_SESSION = '-c lock_timeout=600000 -c statement_timeout=0';

interface SchemaOf {
  readonly server: ServerConfig;
  readonly schema: string;
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly Migration[];
  readonly connectTimeoutMs: number;
}

/** The changes that a schema has, by name; null where it was never used. */
export async function changesOf(client: ClientBase, schema: string): Promise<readonly string[] | null> {
  const { rows } = await client.query<{ made: string | null }>('SELECT to_regclass($1)::text AS made', [`"${schema}".${MIGRATIONS_TABLE}`]);
  if (!rows[0]?.made) return null;
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
 * Creates or migrates the schema under an exclusive lock that running workstations prevent. @throws NewerSchema or OlderStationsRunning;
 * the schema is then unchanged.
 */
export async function prepareSchema(of: SchemaOf): Promise<void> {
  const { server, schema, migrations, connectTimeoutMs } = of;
  const config = { ...server, connectionTimeoutMillis: connectTimeoutMs, options: MIGRATION_SESSION };
  await withClient(config, async (client) => {
    await requireWritable(client);
    const isReady = async () => {
      const made = await changesOf(client, schema);
      return made !== null && pendingOf(migrations, made).length === 0;
    };
    if (await isReady()) return;
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // Another server may have migrated the schema in the meantime.
    if (await isReady()) return;
    await takeAlone(client, schema);
    await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
    await migrate(of);
  });
}

async function takeAlone(client: ClientBase, schema: string): Promise<void> {
  for (const giveUpAt = performance.now() + STATIONS_LEAVE_WITHIN_MS; ; ) {
    const { rows } = await client.query<{ alone: boolean }>('SELECT pg_try_advisory_lock($1, hashtext($2)) AS alone', [
      STATION_LOCK,
      schema,
    ]);
    if (rows[0]?.alone) return;
    if (performance.now() > giveUpAt) throw new OlderStationsRunning();
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

async function migrate({ server, schema, entities, migrations, connectTimeoutMs }: SchemaOf): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    driver: pg,
    schema,
    entities: [...entities],
    migrations: [...migrations],
    migrationsTableName: MIGRATIONS_TABLE,
    installExtensions: false,
    poolSize: 1,
    connectTimeoutMS: connectTimeoutMs,
    extra: { ...server, options: `-c search_path=${schema} ${MIGRATION_SESSION}` },
  });
  await source.initialize();
  try {
    await source.runMigrations({ transaction: 'each' });
  } finally {
    await source.destroy();
  }
}

/**
 * Admits a new connection of a workstation: its server takes changes, the schema cannot be migrated while it lives, and its version is one
 * that this program knows. Two statements, so that the second sees what was committed while the first waited.
 */
export async function admit(client: ClientBase, schema: string, migrations: readonly Migration[]): Promise<void> {
  await requireWritable(client);
  await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [STATION_LOCK, schema]);
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM "${schema}".${MIGRATIONS_TABLE} WHERE name <> ALL($1)`,
    [migrations.map(nameOf)],
  );
  if (rows[0]?.n !== 0) throw outdated();
}
