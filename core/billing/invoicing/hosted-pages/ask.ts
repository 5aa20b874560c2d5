import { setTimeout } from 'node:timers/promises';
import { realNow } from '#core/kernel';
import { type Dependencies, HOSTED_PAGES_JOB } from '../dependencies.ts';
import { HOSTED_PAGES, type HostedPageRow } from './schema.ts';

/** Time for which an answer of the processor counts, so that repeated submissions of a pay page do not ask it each time. */
const ANSWER_COUNTS_MS = 2_000;

/** Time for which a running inquiry of another process is waited for, and the interval of looking whether it ended. */
const WAIT_MS = 5_000;
const LOOK_MS = 100;

/**
 * Asks the processor about a page now. An inquiry that is running, of this or another process, may have begun before the caller's change, so it is waited for,
 * and the processor is asked again.
 */
export async function askNow(deps: Dependencies, { tenant_id: tenantId, id }: HostedPageRow): Promise<void> {
  const endMs = performance.now() + WAIT_MS;
  while (performance.now() < endMs) {
    const free = await deps.database.unitOfWork.transaction(tenantId, (work) =>
      work.update(HOSTED_PAGES, { id, lease_ms: 0 }, { due_ms: realNow() }),
    );
    if (free === 1 && (await deps.scheduler.runOne(HOSTED_PAGES_JOB, tenantId, id)) !== null) return;
    await setTimeout(LOOK_MS);
  }
}

/**
 * Asks about the open page of an invoice before the invoice is charged in another way, so that a payment on the page is found first. Without an answer the
 * charge continues: a payment that is found later is shown for a refund.
 */
export async function reconcilePage(deps: Dependencies, tenantId: string, invoiceId: string): Promise<void> {
  const page = await deps.database.read(tenantId).one(HOSTED_PAGES, { invoice_id: invoiceId, ended_at: null });
  if (page === null || page.status === 'creating') return;
  if (page.checked_at !== null && realNow() - Date.parse(page.checked_at) < ANSWER_COUNTS_MS) return;
  await askNow(deps, page);
}
