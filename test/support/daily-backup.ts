import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';

const HOUR_MS = 3_600_000;
/** The time zone of the sample account. */
const TIME_ZONE = 'America/New_York';
const PARAMETERS = { sqlite: '?', postgres: '$1' } as const;
const update = (database: keyof typeof PARAMETERS) => `UPDATE backup_schedules SET time = ${PARAMETERS[database]}`;

/**
 * Moves the daily backup of sample data to two hours before the present time, so that no test of the next 20 hours meets one. Without
 * this, tests of backups fail if they run at 03:00 in New York.
 */
export async function postponeDailyBackup(dataDir: string, databaseUrl?: string): Promise<void> {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const time = format.format(Date.now() - 2 * HOUR_MS);
  if (databaseUrl === undefined) {
    const database = new BetterSqlite3(join(dataDir, 'paydesk.sqlite'));
    try {
      database.prepare(update('sqlite')).run(time);
    } finally {
      database.close();
    }
    return;
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(update('postgres'), [time]).finally(() => client.end());
}
