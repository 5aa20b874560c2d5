import { conditionsOn, lit, queriesOn, TENANT } from '#core/database';
import { isoTime } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { discardLines } from './discard.ts';
import { destroyKeyIn, openKeys } from './keys.ts';
import { EXPORTS, IMPORTS, type ImportRow } from './schema.ts';

const DAY_MS = 86_400_000;
/** Time that a file waits to be imported. Its numbers are destroyed afterwards. */
const WAITING_MS = 7 * DAY_MS;
/** Retention of the report of an import. */
const REPORT_MS = 400 * DAY_MS;
const BLOCK = 20;

const queries = queriesOn(IMPORTS);
const row = conditionsOn(IMPORTS);

/** Creates the hourly clean-up: discards imports that wait for a week, removes old reports, and destroys expired keys. */
export function createCleanUp(deps: Dependencies) {
  const found = (tenantId: string, conditions: readonly ReturnType<typeof row>[]): Promise<ImportRow[]> =>
    deps.database.read(tenantId).rows(
      queries
        .selectFrom('customer_imports')
        .selectAll()
        .where('tenant_id', '=', TENANT)
        .where(({ and }) => and([...conditions]))
        .limit(BLOCK),
    );

  return async (tenantId: string): Promise<void> => {
    const now = deps.clockOf(tenantId).now();
    const old = await found(tenantId, [
      row('status', 'in', [lit('done'), lit('discarded')]),
      row('finished_at', '<', isoTime(now - REPORT_MS)),
    ]);
    for (const each of old) await discardLines(deps, each, { isRemoved: true });
    const waiting = await found(tenantId, [
      row('status', 'in', [lit('ready'), lit('stopped')]),
      row('updated_at', '<', isoTime(now - WAITING_MS)),
    ]);
    for (const { id, status } of waiting) {
      const at = isoTime(now);
      const changed = await deps.database.unitOfWork.transaction(tenantId, (work) =>
        work.update(IMPORTS, { id, status }, { status: 'discarded', finished_at: at, updated_at: at }),
      );
      if (changed > 0) await discardLines(deps, { tenant_id: tenantId, id }, { isRemoved: false });
    }
    // A server that ended during a download leaves its export behind.
    for (const status of ['ready', 'downloading'] as const)
      for (const { id, expires_at } of await deps.database.read(tenantId).find(EXPORTS, { status }, { limit: BLOCK }))
        if (expires_at <= isoTime(now - DAY_MS))
          await deps.database.unitOfWork.transaction(tenantId, (work) =>
            work.update(EXPORTS, { id, status }, { status: status === 'ready' ? 'expired' : 'failed', finished_at: isoTime(now) }),
          );
    for (const { id, expires_at } of await openKeys(deps, tenantId))
      if (expires_at <= isoTime(now))
        await deps.database.unitOfWork.transaction(tenantId, (work) => destroyKeyIn(deps, work, id, 'expired', isoTime(now)));
  };
}
