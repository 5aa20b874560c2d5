import type { Work } from '#core/database';
import { realNow } from '#core/kernel';
import { type Dependencies, HOSTED_PAGES_JOB } from '../dependencies.ts';
import type { InvoiceRow } from '../schema.ts';
import { HOSTED_PAGES } from './schema.ts';

/** Makes the open page of an invoice due in the unit of work of a change of the invoice, so that a page that it no longer needs is closed soon. */
export async function invoiceWritten(deps: Dependencies, work: Work, { tenant_id: tenantId, id }: InvoiceRow): Promise<void> {
  let open = 0;
  for (const status of ['open', 'review'] as const)
    open += await work.update(HOSTED_PAGES, { invoice_id: id, ended_at: null, status }, { due_ms: realNow() });
  if (open > 0) work.afterCommit(() => deps.scheduler.wake(HOSTED_PAGES_JOB, tenantId));
}
