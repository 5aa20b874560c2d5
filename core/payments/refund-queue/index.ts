import { type PageRequest, queriesOn, TENANT } from '#core/database';
import type { Actor } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { cancelEntry, type ResolveInput, resolveEntry, retryEntry } from './operations.ts';
import { getEntry, type QueueFilter, queuePage, queueStats } from './read.ts';
import { RETRY_JOB, retryJob } from './retry.ts';
import { REFUND_QUEUE } from './schema.ts';

const queries = queriesOn(REFUND_QUEUE);

/** Result of a run over the due entries. */
export interface RetriesRun {
  readonly processed: number;
  readonly resolved: number;
  readonly requeued: number;
  readonly failed: number;
}

/** The refund decline queue: nothing owed to a customer is forgotten (specification 2.4, 3.2, 4.6; decisions 6). */
export function createDeclineQueue(deps: Dependencies, scheduler: Scheduler) {
  scheduler.register(retryJob(deps));

  /** Makes entries due that the contract calls due. Fresh entries otherwise wait for the scheduler's next round. */
  async function bringForward(tenantId: string): Promise<void> {
    await deps.database.unitOfWork.run(tenantId, (work) =>
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
    const due = await deps.database
      .read(tenantId)
      .rows(
        queries
          .selectFrom('refund_decline_queue')
          .select('id')
          .where('tenant_id', '=', TENANT)
          .where('merchant_id', '=', merchantId)
          .where('due_ms', '<=', deps.clockOf(tenantId).now())
          .orderBy('due_ms')
          .orderBy('id'),
      );
    const became: (string | null)[] = [];
    for (const { id } of due) became.push(await scheduler.runOne(RETRY_JOB, tenantId, id));
    return became;
  }

  return {
    bringForward,
    page: (actor: Actor, filter: QueueFilter, at: PageRequest) => queuePage(deps, actor, filter, at),
    get: (actor: Actor, id: string) => getEntry(deps, actor, id),
    stats: (actor: Actor, of: { period?: string; merchantId?: string }) => queueStats(deps, actor, of),
    retry: (actor: Actor, id: string) => retryEntry(deps, actor, id),
    resolve: (actor: Actor, id: string, input: ResolveInput) => resolveEntry(deps, actor, id, input),
    cancel: (actor: Actor, id: string, input: { reason?: string; notes?: string }) => cancelEntry(deps, actor, id, input),
    /** Tries every entry within the caller's reach that is due, one after the other. */
    async processRetries(actor: Actor): Promise<RetriesRun> {
      await bringForward(actor.tenantId);
      const became =
        actor.merchantId === null ? await scheduler.drain(RETRY_JOB, actor.tenantId) : await runDueOf(actor.tenantId, actor.merchantId);
      const tried = became.filter((what) => what !== null && what !== 'skipped');
      const count = (what: string) => tried.filter((one) => one === what).length;
      return { processed: tried.length, resolved: count('resolved'), requeued: count('requeued'), failed: count('failed') };
    },
  };
}
