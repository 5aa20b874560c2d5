import { Cache, type Database, queriesOn, type Work } from '#core/database';
import { type Clock, ServiceError, type TenantTime, tenantTime } from '#core/kernel';
import { storedEmail } from './email-addresses.ts';
import { type Environment, TENANTS, type TenantRow, type Tier, USERS } from './schema.ts';

const queries = queriesOn(TENANTS);

export interface Tenant {
  readonly tenantId: string;
  readonly name: string;
  readonly environment: Environment;
  readonly tier: Tier;
}

/** Interval at which clock changes of other servers are read. */
const REFRESH_EVERY_MS = 1_000;

export type Tenants = ReturnType<typeof createTenants>;

/** Creates access to the tenants with their clocks and environments. */
export function createTenants(database: Database, realClock: Clock) {
  const rows = new Cache<TenantRow>(database, 'tenants');
  /** Clocks that are stopped while the work of one moment runs. */
  const stoppedClocks = new Map<string, number>();
  let allRefreshedAt = 0;
  const refreshedAt = new Map<string, number>();

  async function load(): Promise<void> {
    for (const row of await database.readAcrossTenants().rows(queries.selectFrom('tenants').selectAll())) rows.set(row.id, row);
  }

  async function find(tenantId: string): Promise<Tenant | null> {
    const row = rows.get(tenantId) ?? (await database.readAcrossTenants().one(TENANTS, { id: tenantId }));
    return row ? toTenant(rows.set(tenantId, row)) : null;
  }

  async function reload(tenantId: string): Promise<void> {
    const row = await database.readAcrossTenants().one(TENANTS, { id: tenantId });
    if (row) rows.set(tenantId, row);
  }

  // The time of a tenant is asked for without a wait, so that its row must be read before.
  database.cacheChanges?.subscribe('tenants', (tenantId) => void (tenantId === null ? load() : reload(tenantId)).catch(() => {}));

  const nowOf = (tenantId: string): TenantTime =>
    tenantTime(stoppedClocks.get(tenantId) ?? realClock.now() + (rows.last(tenantId)?.clock_offset_ms ?? 0));

  return {
    /** Reads all tenants, so that jobs know their clocks and environments. */
    load,
    find,
    nameOf: async (tenantId: string): Promise<string> => (await find(tenantId))?.name ?? '',
    async first(): Promise<Tenant | null> {
      const row = await database.readAcrossTenants().row(queries.selectFrom('tenants').selectAll().orderBy('id').limit(1));
      return row ? toTenant(row) : null;
    },
    async hasLive(): Promise<boolean> {
      return (await database.readAcrossTenants().one(TENANTS, { environment: 'live' })) !== null;
    },
    /** Returns the tenants that have a user with an email address. */
    async ofEmail(email: string): Promise<string[]> {
      const users = await database.readAcrossTenants().find(USERS, { email: storedEmail(email) }, { orderBy: [['tenant_id', 'asc']] });
      return users.map((row) => row.tenant_id);
    },
    /** Returns the IDs of all tenants. */
    async ids(): Promise<string[]> {
      const found = await database.readAcrossTenants().rows(queries.selectFrom('tenants').select('id').orderBy('id'));
      return found.map(({ id }) => id);
    },
    /** Adds a new tenant to the cache. */
    remember: (row: TenantRow) => void rows.set(row.id, row),
    clockOf: (tenantId: string): Clock => ({ now: () => nowOf(tenantId) }),
    /** Returns a tenant's time, including recent changes of its clock on other servers. */
    async timeOf(tenantId: string): Promise<number> {
      await reload(tenantId);
      return nowOf(tenantId);
    },
    /** Changes the tier of a tenant, on other servers within two seconds. */
    async setTier(work: Work, tenantId: string, tier: Tier): Promise<void> {
      await work.update(TENANTS, { id: tenantId }, { tier });
      work.afterCommit(() => {
        const row = rows.last(tenantId);
        if (row) rows.change(tenantId, { ...row, tier });
      });
    },
    environmentOf: (tenantId: string): Environment => rows.last(tenantId)?.environment ?? 'live',
    /**
     * Moves a tenant's clock forward for every server; an earlier time changes nothing. With `held`, the clock stops here until it is set
     * again (sandbox test clock).
     */
    async setClock(tenantId: string, toMs: number, isStopped: boolean): Promise<void> {
      const offset = toMs - realClock.now();
      await database.unitOfWork.transaction(null, (work) =>
        work.execute(
          queries.updateTable('tenants').set({ clock_offset_ms: offset }).where('id', '=', tenantId).where('clock_offset_ms', '<', offset),
        ),
      );
      const row = await database.readAcrossTenants().one(TENANTS, { id: tenantId });
      if (row) rows.change(tenantId, row);
      if (isStopped) stoppedClocks.set(tenantId, toMs);
      else stoppedClocks.delete(tenantId);
    },
    /** Reads clock changes that other servers made, of some tenants or of all for null, at most once a second each. */
    async refreshClocks(tenantIds: readonly string[] | null): Promise<void> {
      const now = realClock.now();
      const isFresh = (atMs = 0) => now - Math.max(atMs, allRefreshedAt) < REFRESH_EVERY_MS;
      if (database.kind === 'sqlite' || isFresh()) return;
      if (tenantIds === null) {
        allRefreshedAt = now;
        refreshedAt.clear();
        await load();
        return;
      }
      const stale = tenantIds.filter((tenantId) => !isFresh(refreshedAt.get(tenantId)));
      for (const tenantId of stale) refreshedAt.set(tenantId, now);
      await Promise.all(stale.map(reload));
    },
    /** Ensures that only one of several workstations on a database creates the installation. @throws ServiceError RESOURCE_CONFLICT. */
    async checkFirst(work: Work, tenantId: string): Promise<void> {
      await work.advisoryLock('first tenant');
      const other = await work.row(queries.selectFrom('tenants').select('id').where('id', '<>', tenantId).limit(1));
      if (other !== null)
        throw new ServiceError('RESOURCE_CONFLICT', 'Another workstation has just set up this database. Join it with its key.', {
          field: 'databaseUrl',
        });
    },
  };
}

function toTenant(row: TenantRow): Tenant {
  return { tenantId: row.id, name: row.name, environment: row.environment, tier: row.tier };
}
