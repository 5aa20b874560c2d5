import { conditionsOn, type Database, rowsOf } from '#core/database';
import { HOSTED_PAGES } from './schema.ts';

/** Returns the number of pages of a gateway whose payments are still asked for. */
export async function watchedPages(database: Database, tenantId: string, gatewayId: string): Promise<number> {
  const page = conditionsOn(HOSTED_PAGES);
  const watched = rowsOf(HOSTED_PAGES).where(page.and([page('gateway_id', '=', gatewayId), page('due_ms', 'is not', null)]));
  const found = await database.read(tenantId).row(watched.select(({ fn }) => fn.countAll().as('n')));
  return Number(found?.n ?? 0);
}
