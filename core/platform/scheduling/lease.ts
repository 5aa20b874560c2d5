import type { Database } from '#core/database';

/** Returns the time of the database in milliseconds. Leases are counted by it, because the clocks of servers differ (docs/decisions/0007). */
export async function databaseNow(database: Pick<Database, 'nowSql' | 'readAcrossTenants'>): Promise<number> {
  const [row] = await database.readAcrossTenants().all<{ now: number }>(`SELECT ${database.nowSql} AS now`);
  return Number(row?.now);
}
