import { realNow } from '#core/kernel';
import { type Dependencies, HOSTED_PAGES_JOB } from '../dependencies.ts';
import { HOSTED_PAGES, type HostedPageRow } from './schema.ts';

/** Time for which an answer of the processor counts, so that repeated submissions of a pay page do not ask it each time. */
const ANSWER_COUNTS_MS = 2_000;

/** Asks the processor about a page now. Another process that is asking is not waited for. */
export async function askNow(deps: Dependencies, { tenant_id: tenantId, id }: HostedPageRow): Promise<void> {
  await deps.database.unitOfWork.transaction(tenantId, (work) => work.update(HOSTED_PAGES, { id, lease_ms: 0 }, { due_ms: realNow() }));
  await deps.scheduler.runOne(HOSTED_PAGES_JOB, tenantId, id);
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
