// `npm run ledger -- --data-dir DIR | --database-url URL` sums the ledger and compares it with every record of money. It only reads, also while the
// server is running. The exit code is 1 if there are differences.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { connectReading } from '#core/database';
import { checkIntegrity, DIFFERENCES_MAX, type Difference, type ReadOnlyDatabase } from '#core/reporting';

const USAGE = 'Usage: npm run ledger -- --data-dir DIR | --database-url postgres://…';

/** A database that is read at one point in time. */
interface OpenedDatabase {
  readonly reader: ReadOnlyDatabase;
  close(): Promise<void>;
}

function openSqlite(file: string): OpenedDatabase {
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  handle.exec('BEGIN');
  return {
    reader: { all: async <Row>(sql: string) => handle.prepare(sql).all() as Row[] },
    close: async () => void handle.close(),
  };
}

async function openPostgres(url: string): Promise<OpenedDatabase> {
  const client = await connectReading(url);
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    reader: { all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] },
    close: () => client.end(),
  };
}

/** Opens the database of the URL, or the one that the data directory contains or refers to. */
function databaseOf(dataDir: string | undefined, url: string | undefined): Promise<OpenedDatabase> | OpenedDatabase {
  if (url !== undefined) return openPostgres(url);
  if (dataDir === undefined) throw new Error(USAGE);
  const config = join(dataDir, 'config.json');
  const chosen = existsSync(config) ? (JSON.parse(readFileSync(config, 'utf8')) as { databaseUrl?: string }).databaseUrl : undefined;
  if (chosen !== undefined) return openPostgres(chosen);
  const file = join(dataDir, 'paydesk.sqlite');
  if (!existsSync(file)) throw new Error(`There is no paydesk.sqlite in ${dataDir}.`);
  return openSqlite(file);
}

function line({ comparison, tenantId, merchantId, currency, subject, ledger, record }: Difference): string {
  return `${comparison}: ${subject} (${merchantId}, ${tenantId}, ${currency}): ledger ${ledger}, record ${record}`;
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' }, 'database-url': { type: 'string' } } });
  const env = process.env;
  const { reader: books, close } = await databaseOf(
    values['data-dir'] ?? env.PAYDESK_DATA_DIR,
    values['database-url'] ?? env.PAYDESK_DATABASE_URL,
  );
  try {
    const [counted] = await books.all<{ n: number }>('SELECT count(*) AS n FROM ledger_transfers');
    const found = await checkIntegrity(books);
    for (const difference of found) console.log(line(difference));
    const summary =
      found.length === 0
        ? 'no differences'
        : `${found.length} differences (at most ${DIFFERENCES_MAX} of each kind are shown; amounts in minor units)`;
    console.log(`${Number(counted?.n ?? 0)} transfers summed: ${summary}.`);
    return found.length === 0 ? 0 : 1;
  } finally {
    await close();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
