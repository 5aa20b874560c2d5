import { dueColumns, type RowOf, table, text, UniqueViolation } from '#core/database';
import { isoTime, later, type RealTime, realNow } from '#core/kernel';
import { dueAt } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import type { TransactionRow } from '../schema.ts';

/** Gateways that are checked for returned bank payments, by gateway ID. */
export const RETURN_WATCHES = table(
  'gateway_return_watches',
  {
    tenant_id: text,
    id: text,
    /** Time up to which its returns were read. */
    read_until: text,
    ...dueColumns<RealTime>(),
  },
  {
    key: ['tenant_id', 'id'],
    indexes: [{ name: 'gateway_return_watches_due', columns: ['tenant_id', 'due_ms'], where: 'due_ms IS NOT NULL' }],
  },
);

export type ReturnWatchRow = RowOf<typeof RETURN_WATCHES>;

/** Interval at which returns are read. */
export const READ_EVERY_MS = 6 * 3_600_000;

/** Schedules checks of a gateway for returns, before a bank payment is sent to it. */
export async function watchReturns(deps: Dependencies, { tenant_id, gateway_id }: TransactionRow): Promise<void> {
  if (gateway_id === null || !deps.gateways.isLive(tenant_id)) return;
  if (await deps.database.read(tenant_id).one(RETURN_WATCHES, { id: gateway_id })) return;
  const now = realNow();
  try {
    await deps.database.unitOfWork.transaction(tenant_id, async (work) =>
      work.insert(RETURN_WATCHES, { tenant_id, id: gateway_id, read_until: isoTime(now), ...dueAt(later(now, READ_EVERY_MS)) }),
    );
  } catch (error) {
    // Another payment has scheduled the checks.
    if (!(error instanceof UniqueViolation)) throw error;
  }
}
