import { type PageOf, queriesOn, TENANT } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Needs } from '../needs.ts';
import { cancelEntry, type ResolveInput, resolveEntry, retryEntry } from './operations.ts';
import { getEntry, type QueueFilter, queuePage, queueStats } from './read.ts';
import { RETRY_JOB, retryJob } from './retry.ts';
import { REFUND_QUEUE } from './schema.ts';

const queries = queriesOn(REFUND_QUEUE);

/** What a run over the due entries did. */
export interface RetriesRun {
  readonly processed: number;
  readonly resolved: number;
  readonly requeued: number;
  readonly failed: number;
}

/** The refund decline queue: nothing owed to a customer is forgotten (specification 2.4, 3.2, 4.6; decisions 6). */
export function createDeclineQueue(on: Needs, scheduler: Scheduler) {
  scheduler.register(retryJob(on));

  /** Makes due what the contract says is due: fresh entries otherwise wait for the scheduler's own round. */
  async function bringForward(tenantId: string): Promise<void> {
    await on.database.unitOfWork.run(tenantId, (work) =>
      work.change(
        queries
          .updateTable('refund_decline_queue')
          .set(({ ref }) => ({ due_ms: ref('scheduled_ms') }))
          .where('tenant_id', '=', TENANT)
          .whereRef('due_ms', '>', 'scheduled_ms'),
      ),
    );
  }

  async function runDueOf(tenantId: string, merchantId: string): Promise<(string | null)[]> {
    const due = await on.database
      .read(tenantId)
      .rows(
        queries
          .selectFrom('refund_decline_queue')
          .select('id')
          .where('tenant_id', '=', TENANT)
          .where('merchant_id', '=', merchantId)
          .where('due_ms', '<=', on.clockOf(tenantId).now())
          .orderBy('due_ms')
          .orderBy('id'),
      );
    const became: (string | null)[] = [];
    for (const { id } of due) became.push(await scheduler.runOne(RETRY_JOB, tenantId, id));
    return became;
  }

  return {
    bringForward,
    page: (by: Actor, filter: QueueFilter, at: PageOf) => queuePage(on, by, filter, at),
    get: (by: Actor, id: string) => getEntry(on, by, id),
    stats: (by: Actor, of: { period?: string; merchantId?: string }) => queueStats(on, by, of),
    retry: (by: Actor, id: string) => retryEntry(on, by, id),
    resolve: (by: Actor, id: string, input: ResolveInput) => resolveEntry(on, by, id, input),
    cancel: (by: Actor, id: string, input: { reason?: string; notes?: string }) => cancelEntry(on, by, id, input),
    /** Tries every entry within the caller's reach that is due, one after the other. */
    async processRetries(by: Actor): Promise<RetriesRun> {
      await bringForward(by.tenantId);
      const became = by.merchantId === null ? await scheduler.drain(RETRY_JOB, by.tenantId) : await runDueOf(by.tenantId, by.merchantId);
      const tried = became.filter((what) => what !== null && what !== 'skipped');
      const count = (what: string) => tried.filter((one) => one === what).length;
      return { processed: tried.length, resolved: count('resolved'), requeued: count('requeued'), failed: count('failed') };
    },
  };
}
