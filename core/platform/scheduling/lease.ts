import type { Database } from '#core/database';

/** The database's own time in milliseconds: what leases are counted by, since the clocks of servers differ (docs/decisions/0007). */
export async function databaseNow(database: Pick<Database, 'nowSql' | 'readAcrossTenants'>): Promise<number> {
  const [row] = await database.readAcrossTenants().all<{ now: number }>(`SELECT ${database.nowSql} AS now`);
  return Number(row?.now);
}
