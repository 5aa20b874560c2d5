import { Cache, type Database, lit, queriesOn, type Table } from '#core/database';
import type { ChangeFeed } from '#core/platform/change-feed';
import { hostOf } from './public-url.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';

/** Cache lifetime of the merchants' public addresses; a local change clears the cache. */
const HOSTS_KEPT_MS = 2_000;

/** Cached rows of merchants and gateways by tenant, including removed ones. */
export type Rows = ReturnType<typeof createRows>;

interface CachedRows {
  readonly merchants: readonly MerchantRow[];
  readonly gateways: readonly GatewayRow[];
}

export function createRows(database: Database, changes: ChangeFeed) {
  const cache = new Cache<CachedRows>(database, 'merchants');

  const readRows = (tenantId: string) =>
    cache.through(tenantId, async () => {
      const read = database.read(tenantId);
      const merchants = await read.find(MERCHANTS, { tenant_id: tenantId }, { orderBy: [['id', 'asc']] });
      // Gateways are read after the merchants, so that no merchant is cached without its first gateways.
      const byPriority = [
        ['priority', 'asc'],
        ['id', 'asc'],
      ] as const;
      return { merchants, gateways: await read.find(GATEWAYS, { tenant_id: tenantId }, { orderBy: byPriority }) };
    });
  /** Returns a part of the cached rows, without a promise if they are cached: a sale needs them several times. */
  function fromRows<Part>(tenantId: string, part: (rows: CachedRows) => Part | Promise<Part>): Part | Promise<Part> {
    const known = cache.get(tenantId);
    return known === undefined ? readRows(tenantId).then(part) : part(known);
  }

  /** Reads a row that is not cached, because another workstation may have created it since. */
  async function readRow<Row extends MerchantRow | GatewayRow>(table: Table<Row>, tenantId: string, id: string): Promise<Row | null> {
    const row = await database.read(tenantId).one(table, { id } as Partial<Row>);
    if (row) cache.delete(tenantId);
    return row;
  }

  let hosts = { names: Promise.resolve<ReadonlySet<string>>(new Set()), untilMs: 0 };
  async function readHosts(): Promise<ReadonlySet<string>> {
    const rows = await database
      .readAcrossTenants()
      .rows(
        queriesOn(MERCHANTS)
          .selectFrom('merchants')
          .select('settings')
          .where('deleted_at', 'is', null)
          .where('settings', 'like', lit('%publicUrl%')),
      );
    const urls = rows.map(({ settings }) => (JSON.parse(settings) as { publicUrl?: string | null }).publicUrl);
    return new Set(urls.flatMap((url) => (typeof url === 'string' ? [hostOf(url)] : [])));
  }

  return {
    /** Returns the hosts of all merchants' public addresses. Needed for every request with another host name than that of the server. */
    publicHosts(): Promise<ReadonlySet<string>> {
      if (hosts.untilMs <= performance.now()) hosts = { names: readHosts(), untilMs: performance.now() + HOSTS_KEPT_MS };
      return hosts.names;
    },
    /** Returns the merchants of a tenant, oldest first. */
    merchants: (tenantId: string) => fromRows(tenantId, ({ merchants }) => merchants),
    merchant: (tenantId: string, id: string) =>
      fromRows<MerchantRow | null>(tenantId, ({ merchants }) => merchants.find((row) => row.id === id) ?? readRow(MERCHANTS, tenantId, id)),
    /** Returns the gateways of a tenant by priority. */
    gateways: (tenantId: string) => fromRows(tenantId, ({ gateways }) => gateways),
    gateway: (tenantId: string, id: string) =>
      fromRows<GatewayRow | null>(tenantId, ({ gateways }) => gateways.find((row) => row.id === id) ?? readRow(GATEWAYS, tenantId, id)),
    /** Clears the cache of a tenant and notifies open screens of the merchant, or of all with null. */
    changed(tenantId: string, merchantId: string | null): void {
      cache.delete(tenantId);
      hosts.untilMs = 0;
      changes.publish(tenantId, 'merchants', merchantId);
    },
  };
}
