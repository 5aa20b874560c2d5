import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError, type TenantTime } from '#core/kernel';
import type { ObstacleKind } from '#core/processing/domain-events';
import type { Dependencies } from './dependencies.ts';
import { REOPEN_MS } from './merchant.ts';
import { noMerchant } from './read.ts';
import { MERCHANTS, type MerchantRow } from './schema.ts';

interface Obstacle {
  readonly kind: ObstacleKind;
  readonly count: number;
}

async function obstaclesOf(deps: Dependencies, work: Work, merchantId: string, nowMs: TenantTime): Promise<Obstacle[]> {
  const obstacles: Obstacle[] = [];
  const add = (kind: ObstacleKind, count: number) => void (count > 0 && obstacles.push({ kind, count }));
  await deps.events.publish(work, 'merchant.closing', { merchantId, nowMs, add });
  return obstacles;
}

async function refuseLast(work: Work, merchantId: string): Promise<void> {
  const others = queriesOn(MERCHANTS)
    .selectFrom('merchants')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where('deleted_at', 'is', null)
    .where('id', '<>', merchantId)
    .limit(1);
  if (await work.row(others)) return;
  throw new ServiceError('RESOURCE_CONFLICT', 'This is the last merchant of the account.', { details: { reason: 'last_merchant' } });
}

/** Sets the state under the lock of the row, with its audit entry. */
async function set(deps: Dependencies, work: Work, actor: Actor, { id, name, deleted_at }: MerchantRow, deletedAt: string | null) {
  await work.update(MERCHANTS, { id }, { deleted_at: deletedAt, updated_at: isoTime(deps.clockOf(actor.tenantId).now()) });
  deps.audit(work, {
    actor,
    action: deletedAt === null ? 'merchant.reopened' : 'merchant.closed',
    resource: `merchants/${id}`,
    merchantId: id,
    before: { name, closedAt: deleted_at },
    after: { name, closedAt: deletedAt },
  });
}

const change = async (deps: Dependencies, actor: Actor, merchantId: string, run: (work: Work) => Promise<void>): Promise<void> => {
  await deps.database.unitOfWork.transaction(actor.tenantId, run);
  deps.directory.rows.changed(actor.tenantId, merchantId);
};

/** Opens a merchant again for which a payment began while it was being closed. Returns what is in the way. */
async function undoIfInUse(deps: Dependencies, actor: Actor, merchantId: string, closedAt: string): Promise<readonly Obstacle[]> {
  let found: readonly Obstacle[] = [];
  await change(deps, actor, merchantId, async (work) => {
    const row = await work.lockOne(MERCHANTS, { id: merchantId });
    found = await obstaclesOf(deps, work, merchantId, deps.clockOf(actor.tenantId).now());
    if (found.length > 0 && row?.deleted_at === closedAt) await set(deps, work, actor, row, null);
  });
  return found;
}

/**
 * Closes a merchant: it takes no more payments, its pages answer 410 and its API keys 401. Its payments can still be refunded, and the merchant can
 * be opened again within 30 days. @throws ServiceError MERCHANT_NOT_FOUND; RESOURCE_CONFLICT for the last merchant of the tenant, and while money
 * is unsettled, unpaid or disputed, with `obstacles`.
 *
 * A payment writes its intent, then reads whether the merchant is open, and then calls the gateway. Closing commits first, and looks for obstacles again
 * afterwards: of a payment and a closing at the same time, either the payment sees the closed merchant and sends nothing, or the closing sees the payment
 * and is undone. So no payment waits for a lock of its merchant.
 */
export async function closeMerchant(deps: Dependencies, actor: Actor, merchantId: string): Promise<void> {
  const nowMs = deps.clockOf(actor.tenantId).now();
  const closedAt = isoTime(nowMs);
  await change(deps, actor, merchantId, async (work) => {
    const row = await work.lockOne(MERCHANTS, { id: merchantId });
    if (!row || row.deleted_at !== null) throw noMerchant(merchantId);
    await refuseLast(work, merchantId);
    refuseInUse(await obstaclesOf(deps, work, merchantId, nowMs));
    await set(deps, work, actor, row, closedAt);
  });
  refuseInUse(await undoIfInUse(deps, actor, merchantId, closedAt));
}

/** Opens a closed merchant again. @throws ServiceError MERCHANT_NOT_FOUND; RESOURCE_CONFLICT if it is open, or was closed 30 days ago. */
export async function reopenMerchant(deps: Dependencies, actor: Actor, merchantId: string): Promise<void> {
  await change(deps, actor, merchantId, async (work) => {
    const row = await work.lockOne(MERCHANTS, { id: merchantId });
    if (!row) throw noMerchant(merchantId);
    if (row.deleted_at === null)
      throw new ServiceError('RESOURCE_CONFLICT', 'This merchant is open.', { details: { reason: 'merchant_open' } });
    if (Date.parse(row.deleted_at) + REOPEN_MS <= deps.clockOf(actor.tenantId).now())
      throw new ServiceError('RESOURCE_CONFLICT', 'This merchant was closed more than 30 days ago, so it can no longer be opened.', {
        details: { reason: 'closed_for_good', closedAt: row.deleted_at },
      });
    await set(deps, work, actor, row, null);
  });
}

function refuseInUse(obstacles: readonly Obstacle[]): void {
  if (obstacles.length === 0) return;
  const list = obstacles.map(({ kind, count }) => `${kind.replaceAll('_', ' ')}: ${count}`).join(', ');
  throw new ServiceError(
    'RESOURCE_CONFLICT',
    `This merchant can't be closed, because money of it is not settled yet (${list}). Settle, pay out, cancel or refund these first.`,
    { details: { reason: 'merchant_in_use', obstacles } },
  );
}
