import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import type { DemoCredentials } from '#server';
import { until } from './until.ts';

type DemoOwners = Pick<DemoCredentials, 'adminEmail' | 'adminPassword' | 'standardAdminEmail' | 'standardAdminPassword'>;

const HOUR_MS = 3_600_000;
/** The time zone of the sample account. */
const TIME_ZONE = 'America/New_York';

/** Runs one statement on the database of a data directory, or on PostgreSQL. `$1` and `$2` are its parameters. */
async function run<Row>(place: SamplePlace, statement: string, ...values: string[]): Promise<Row[]> {
  const { dataDir, databaseUrl } = place;
  if (databaseUrl === undefined) {
    const database = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'));
    try {
      const prepared = database.prepare(statement.replaceAll(/\$\d/g, '?'));
      if (prepared.reader) return prepared.all(...values) as Row[];
      prepared.run(...values);
      return [];
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(statement, values).finally(() => client.end());
  return rows as Row[];
}

/** A data directory with sample data; with `databaseUrl` they are on PostgreSQL. */
export interface SamplePlace {
  readonly dataDir: string;
  readonly databaseUrl?: string;
}

/**
 * Moves the daily backup of sample data to two hours before the present time, so that no test of the next 20 hours meets one. Without
 * this, tests of backups fail if they run at 03:00 in New York.
 */
export async function postponeDailyBackup(place: SamplePlace): Promise<void> {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  await run(place, 'UPDATE backup_schedules SET time = $1', format.format(Date.now() - 2 * HOUR_MS));
}

/**
 * Waits until the running server on new sample data has compared all settled days with the processor. Otherwise each server on a copy
 * would repeat it at its start: a fifth of a second of processor time beside the first requests of a test.
 */
export async function waitForComparisons(place: SamplePlace): Promise<void> {
  await until('the settled days of the sample data are compared', async () => {
    const left = await run(place, 'SELECT id FROM reconciliation_comparisons LIMIT 1');
    return left.length === 0;
  });
}

/** Stores the passwords of the demo's owners with a cheap hash. The real one takes a tenth of a second at each sign-in, by design. */
export async function hashPasswordsCheaply(place: SamplePlace, owners: DemoOwners | undefined): Promise<void> {
  if (owners === undefined) throw new Error('A server with demo tenants has their credentials.');
  const { adminEmail, adminPassword, standardAdminEmail, standardAdminPassword } = owners;
  for (const [email, password] of [
    [adminEmail, adminPassword],
    [standardAdminEmail, standardAdminPassword],
  ] as const) {
    const cheap = await hash(password, { memoryCost: 64, timeCost: 1 });
    await run(place, 'UPDATE users SET password_hash = $1 WHERE email = $2', cheap, email);
  }
}
