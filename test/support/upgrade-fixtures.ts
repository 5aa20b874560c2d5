// Upgrade fixtures: installations of released versions, as test/fixtures/upgrade has them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { unzipSync } from 'fflate';
import { Client } from 'pg';
import type { Database } from '#core/database';
import { openSandboxLedger } from '#core/processing/gateways';
import { filesIn } from '#core/records/backup';
import { BALANCES } from '../../core/records/ledger/schema.ts';
import { REFUNDS, TRANSACTIONS } from '../../core/sales/payments/schema.ts';
import type { DatabaseKind } from './database-kinds.ts';
import { openTestDatabaseAt } from './databases.ts';

/** The folder with one folder for each version. */
export const FIXTURES = join(import.meta.dirname, '../fixtures/upgrade');

/** Name of the dump in the archive of a fixture on PostgreSQL. */
export const DUMP_FILE = 'database.sql';

/** Location of an installation. */
export interface Place {
  readonly dataDir: string;
  /** Address of the database; undefined for SQLite in the data directory. */
  readonly databaseUrl?: string;
}

/** Count and sum in minor units of the records with a status and a currency, as `approved USD`. */
type Totals = Readonly<Record<string, { readonly count: number; readonly minor: number }>>;

/** The money of a tenant. */
interface TenantFigures {
  readonly transactions: Totals;
  readonly refunds: Totals;
  /** Sum of the balances of each account of the ledger and currency. */
  readonly ledger: Totals;
}

/** A tenant of a fixture with the credentials of its owner. */
export interface FixtureTenant {
  readonly tenantId: string;
  readonly merchantId: string;
  readonly email: string;
  readonly password: string;
}

/** Everything that a test has to know about a fixture. */
export interface FixtureFacts {
  readonly version: string;
  readonly sandbox: FixtureTenant;
  readonly live: FixtureTenant;
  /** Number of rows of each table. */
  readonly tables: Readonly<Record<string, number>>;
  /** Money by tenant ID. */
  readonly figures: Readonly<Record<string, TenantFigures>>;
}

/** Returns the versions with a fixture. */
export const fixtureVersions = (): string[] =>
  readdirSync(FIXTURES, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

export const factsOf = (version: string, kind: DatabaseKind): FixtureFacts =>
  JSON.parse(readFileSync(join(FIXTURES, version, `${kind}.json`), 'utf8')) as FixtureFacts;

/** Copies a fixture to an empty data directory and, for PostgreSQL, into an empty database. */
export async function unpackFixture(version: string, kind: DatabaseKind, { dataDir, databaseUrl }: Place): Promise<void> {
  const files = unzipSync(brotliDecompressSync(readFileSync(join(FIXTURES, version, `${kind}.zip.br`))));
  for (const [name, content] of Object.entries(files)) {
    if (name === DUMP_FILE) continue;
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    // The server refuses a master key that other users can read.
    writeFileSync(join(dataDir, name), content, { mode: 0o600 });
  }
  const dump = files[DUMP_FILE];
  if (databaseUrl === undefined || dump === undefined) return;
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(Buffer.from(dump).toString('utf8')).finally(() => client.end());
}

const openLedger = ({ dataDir, databaseUrl }: Place): Promise<Database> =>
  openSandboxLedger(databaseUrl === undefined ? { file: filesIn(dataDir).sandbox } : { url: databaseUrl });

/**
 * Opens the databases of an installation that does not run, which applies new migrations, and returns the number of rows of each table and the
 * money of each tenant.
 */
export async function examineInstallation(place: Place): Promise<Pick<FixtureFacts, 'tables' | 'figures'>> {
  const database = await openTestDatabaseAt(place.databaseUrl ?? filesIn(place.dataDir).service);
  const ledger = await openLedger(place);
  try {
    return {
      tables: { ...(await countRows(database)), ...(await countRows(ledger)) },
      figures: await figuresOf(database),
    };
  } finally {
    await ledger.close();
    await database.close();
  }
}

async function countRows(database: Database): Promise<Record<string, number>> {
  const read = database.readAcrossTenants();
  const list =
    database.kind === 'postgres'
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() ORDER BY 1'
      : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1";
  const counts: Record<string, number> = {};
  for (const { name } of await read.all<{ name: string }>(list)) {
    if (name === 'schema_migrations') continue;
    const [row] = await read.all<{ n: number }>(`SELECT count(*) AS n FROM ${name}`);
    counts[name] = Number(row?.n);
  }
  return counts;
}

async function figuresOf(database: Database): Promise<Record<string, TenantFigures>> {
  const tenants = await database.readAcrossTenants().all<{ id: string }>('SELECT id FROM tenants ORDER BY id');
  const figures: Record<string, TenantFigures> = {};
  for (const { id } of tenants) {
    const read = database.read(id);
    figures[id] = {
      transactions: totalsOf(await read.find(TRANSACTIONS, {}), (row) => [`${row.status} ${row.currency}`, row.amount_minor]),
      refunds: totalsOf(await read.find(REFUNDS, {}), (row) => [`${row.status} ${row.currency}`, row.amount_minor]),
      ledger: totalsOf(await read.find(BALANCES, {}), (row) => [`${row.account} ${row.currency}`, row.n]),
    };
  }
  return figures;
}

function totalsOf<Row>(rows: readonly Row[], entryOf: (row: Row) => readonly [key: string, minor: number]): Totals {
  const totals: Record<string, { count: number; minor: number }> = {};
  for (const row of rows) {
    const [key, minor] = entryOf(row);
    const { count, minor: sum } = totals[key] ?? { count: 0, minor: 0 };
    totals[key] = { count: count + 1, minor: sum + Number(minor) };
  }
  return Object.fromEntries(Object.entries(totals).sort(([one], [other]) => one.localeCompare(other)));
}
