// `npm run ledger -- --data-dir DIR | --database-url URL` adds the ledger up and compares it with every record of money. It only reads, also beside a
// running server; exit code 1 when something differs.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { connectReading } from '#core/database';
import { checkIntegrity, DIFFERENCES_MAX, type Difference, type IntegrityReport } from '#core/reporting';

const USAGE = 'Usage: npm run ledger -- --data-dir DIR | --database-url postgres://…';

/** Books of one moment, and how to close them. */
interface Opened {
  readonly books: IntegrityReport;
  close(): Promise<void>;
}

function openSqlite(file: string): Opened {
  const handle = new BetterSqlite3(file, { readonly: true, fileMustExist: true });
  handle.exec('BEGIN');
  return {
    books: { all: async <Row>(sql: string) => handle.prepare(sql).all() as Row[] },
    close: async () => void handle.close(),
  };
}

async function openPostgres(url: string): Promise<Opened> {
  const client = await connectReading(url);
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  return {
    books: { all: async <Row>(sql: string) => (await client.query(sql)).rows as Row[] },
    close: () => client.end(),
  };
}

/** The database that is named, or the one that a data directory has or points to. */
function databaseOf(dataDir: string | undefined, url: string | undefined): Promise<Opened> | Opened {
  if (url !== undefined) return openPostgres(url);
  if (dataDir === undefined) throw new Error(USAGE);
  const config = join(dataDir, 'config.json');
  const chosen = existsSync(config) ? (JSON.parse(readFileSync(config, 'utf8')) as { databaseUrl?: string }).databaseUrl : undefined;
  if (chosen !== undefined) return openPostgres(chosen);
  const file = join(dataDir, 'paydesk.sqlite');
  if (!existsSync(file)) throw new Error(`There is no paydesk.sqlite in ${dataDir}.`);
  return openSqlite(file);
}

function line({ what, tenantId, merchantId, currency, of, ledger, record }: Difference): string {
  return `${what}: ${of} (${merchantId}, ${tenantId}, ${currency}): ${ledger} by the ledger, ${record} on record`;
}

async function run(): Promise<number> {
  const { values } = parseArgs({ options: { 'data-dir': { type: 'string' }, 'database-url': { type: 'string' } } });
  const env = process.env;
  const { books, close } = await databaseOf(values['data-dir'] ?? env.PAYDESK_DATA_DIR, values['database-url'] ?? env.PAYDESK_DATABASE_URL);
  try {
    const [counted] = await books.all<{ n: number }>('SELECT count(*) AS n FROM ledger_transfers');
    const found = await checkIntegrity(books);
    for (const difference of found) console.log(line(difference));
    const told =
      found.length === 0
        ? 'everything agrees'
        : `${found.length} differ (at most ${DIFFERENCES_MAX} of a kind are shown; amounts in minor units)`;
    console.log(`${Number(counted?.n ?? 0)} transfers added up: ${told}.`);
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
