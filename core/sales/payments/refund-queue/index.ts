import { queriesOn, TENANT } from '#core/database';
import { type Actor, bind } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { REFUND_QUEUE } from '../queue-entries/schema.ts';
import type { RetryCounts } from '../records.ts';
import { cancelEntry, resolveEntry, retryEntry } from './operations.ts';
import { getEntry, queuePage, queueStats, refundWithEntry } from './read.ts';
import { RETRY_JOB, retryJob } from './retry.ts';

const queries = queriesOn(REFUND_QUEUE);

/** The refund decline queue, in which declined refunds are retried until they succeed or are closed. */
export function createDeclineQueue(deps: Dependencies, scheduler: Scheduler) {
  scheduler.register(retryJob(deps));

  /** Makes scheduled entries due at the time that the API shows. New entries would otherwise become due a few minutes later. */
  async function makeScheduledEntriesDue(tenantId: string): Promise<void> {
    await deps.database.unitOfWork.transaction(tenantId, (work) =>
      work.execute(
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
    const results: (string | null)[] = [];
    for (const { id } of due) results.push(await scheduler.runOne(RETRY_JOB, tenantId, id));
    return results;
  }

  return {
    bringForward: makeScheduledEntriesDue,
    ...bind(deps, {
      page: queuePage,
      get: getEntry,
      ofRefund: refundWithEntry,
      stats: queueStats,
      retry: retryEntry,
      resolve: resolveEntry,
      cancel: cancelEntry,
    }),
    /** Retries every due entry of the caller's merchants, one after the other. */
    async processRetries(actor: Actor): Promise<RetryCounts> {
      await makeScheduledEntriesDue(actor.tenantId);
      const results =
        actor.merchantId === null ? await scheduler.runDue(RETRY_JOB, actor.tenantId) : await runDueOf(actor.tenantId, actor.merchantId);
      const retried = results.filter((result) => result !== null && result !== 'skipped');
      const count = (result: string) => retried.filter((one) => one === result).length;
      return { processed: retried.length, resolved: count('resolved'), requeued: count('requeued'), failed: count('failed') };
    },
  };
}
