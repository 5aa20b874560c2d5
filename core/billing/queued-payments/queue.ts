import type { Work } from '#core/database';
import { later, type TenantTime, tenantTime } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { QUEUED_PAYMENTS, type QueuedPaymentRow } from './schema.ts';

/** Interval of checks while no gateway answers. The return of a gateway is noticed at once; the checks are for servers that missed it. */
export const RECHECK_MS = 5 * 60_000;

/** Returns the waiting payment of a merchant that leaves next; null if none waits. */
async function oldestWaiting(work: Work, merchantId: string): Promise<QueuedPaymentRow | null> {
  const where = { merchant_id: merchantId, status: 'waiting' } as const;
  return (await work.find(QUEUED_PAYMENTS, where, { orderBy: [['id', 'asc']], limit: 1 }))[0] ?? null;
}

/**
 * Makes the oldest waiting payment of a merchant due if it is not due yet, so that payments leave one after the other in the order in which they
 * were queued. Requires the lock of the merchant.
 */
export async function activateNext(work: Work, merchantId: string, now: TenantTime): Promise<void> {
  const oldest = await oldestWaiting(work, merchantId);
  if (oldest && oldest.due_ms === null) await work.update(QUEUED_PAYMENTS, { id: oldest.id }, released(now));
}

/**
 * Lets a waiting payment wait again: the oldest one is checked again after a delay, any other one waits for its turn. Requires the lock of the
 * merchant.
 */
export async function waitAgain(work: Work, { id, merchant_id }: QueuedPaymentRow, now: TenantTime, delayMs = RECHECK_MS): Promise<void> {
  await work.update(QUEUED_PAYMENTS, { id }, released(null));
  const oldest = await oldestWaiting(work, merchant_id);
  if (oldest === null || oldest.due_ms !== null) return;
  const due = Math.min(later(now, delayMs), oldest.expires_ms);
  await work.update(QUEUED_PAYMENTS, { id: oldest.id }, released(tenantTime(due)));
}

/** Makes the oldest waiting payment due immediately, unless it is being processed. Requires the lock of the merchant. */
export async function sendNext(work: Work, merchantId: string, now: TenantTime): Promise<void> {
  const oldest = await oldestWaiting(work, merchantId);
  if (oldest) await work.update(QUEUED_PAYMENTS, { id: oldest.id, lease_ms: 0 }, { due_ms: now });
}
