import { Cache, type Database, lit, queriesOn, type Table } from '#core/database';
import type { ChangeFeed } from '#core/platform/change-feed';
import { hostOf } from './public-url.ts';
import { GATEWAYS, type GatewayRow, MERCHANTS, type MerchantRow } from './schema.ts';

/** Cache lifetime of the merchants' public addresses; a local change clears the cache. */
const HOSTS_KEPT_MS = 2_000;

/** The rows of a tenant as they were read last; removed ones too. */
export type Rows = ReturnType<typeof createRows>;

export function createRows(database: Database, changes: ChangeFeed) {
  const cache = new Cache<{ readonly merchants: readonly MerchantRow[]; readonly gateways: readonly GatewayRow[] }>(database);

  const rowsOf = (tenantId: string) =>
    cache.through(tenantId, async () => {
      const read = database.read(tenantId);
      const merchants = await read.find(MERCHANTS, { tenant_id: tenantId }, { orderBy: [['id', 'asc']] });
      // Afterwards, so that no merchant is known without the gateways that it was made with.
      return { merchants, gateways: await read.find(GATEWAYS, { tenant_id: tenantId }) };
    });

  /** One by its id: another station may have made it since the rows were read that are remembered. */
  async function oneOf<Row extends MerchantRow | GatewayRow>(
    table: Table<Row>,
    known: readonly Row[],
    tenantId: string,
    id: string,
  ): Promise<Row | null> {
    const row = known.find((one) => one.id === id);
    if (row) return row;
    const made = await database.read(tenantId).one(table, { id } as Partial<Row>);
    if (made) cache.delete(tenantId);
    return made;
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
    /** The hosts of all merchants' own public addresses: asked with every request that comes by another name than ours. */
    publicHosts(): Promise<ReadonlySet<string>> {
      if (hosts.untilMs <= performance.now()) hosts = { names: readHosts(), untilMs: performance.now() + HOSTS_KEPT_MS };
      return hosts.names;
    },
    /** The oldest first. */
    merchants: async (tenantId: string) => (await rowsOf(tenantId)).merchants,
    merchant: async (tenantId: string, id: string) => oneOf(MERCHANTS, (await rowsOf(tenantId)).merchants, tenantId, id),
    gateways: async (tenantId: string) => (await rowsOf(tenantId)).gateways,
    gateway: async (tenantId: string, id: string) => oneOf(GATEWAYS, (await rowsOf(tenantId)).gateways, tenantId, id),
    /** Clears the cache of a tenant and notifies open screens. */
    changed(tenantId: string): void {
      cache.delete(tenantId);
      hosts.untilMs = 0;
      changes.tell(tenantId, 'merchants');
    },
  };
}
