import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { idFloor, isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { INVOICE_PAYMENTS, INVOICES, type InvoiceRow } from './schema.ts';

const FAILURES_MAX = 10;
const WINDOW_MS = 3_600_000;

const queries = queriesOn(INVOICE_PAYMENTS, INVOICES);

/**
 * Rejects a payment on the page of a locked invoice after ten failed submissions within an hour of the tenant's time, for this invoice or for all invoices of
 * its customer, so that nobody can test stolen cards there. One customer is counted as a whole, because a link to the customer's page leads to the pages of
 * all invoices. It locks the customer, so that parallel submissions for several invoices are counted one after the other.
 * A pending payment counts until its outcome is known; a successful one does not reset the count. The invoices of one submission, which have the same
 * `attemptKey`, count once. @throws ServiceError RATE_LIMIT_EXCEEDED with `details.retryAfter` in seconds, `limit`, `remaining` and `resetAt`.
 */
export async function checkAttemptLimit(
  deps: Dependencies,
  work: Work,
  { tenant_id, id: invoiceId, customer_id: customerId }: InvoiceRow,
  attemptKey: string | undefined,
): Promise<void> {
  if (customerId !== null) await lockCustomer(deps, work, customerId);
  const now = deps.clockOf(tenant_id).now();
  const since = idFloor('ivp', now - WINDOW_MS);
  const failures = queries
    .selectFrom('invoice_payments as p')
    .select(({ fn }) => ['p.attempt_key', fn.max('p.created_at').as('created_at')])
    .where('p.tenant_id', '=', TENANT)
    .where('p.id', '>=', since)
    .where('p.origin', '=', lit('page'))
    .where('p.status', 'in', [lit('failed'), lit('pending')])
    .groupBy('p.attempt_key')
    .orderBy('created_at', 'desc')
    .limit(FAILURES_MAX + 1);
  const found = await work.rows(
    customerId === null
      ? failures.where('p.invoice_id', '=', invoiceId)
      : failures
          .innerJoin('invoices as i', (join) => join.onRef('i.tenant_id', '=', 'p.tenant_id').onRef('i.id', '=', 'p.invoice_id'))
          .where('i.customer_id', '=', customerId),
  );
  const [oldest] = found.filter(({ attempt_key }) => attempt_key !== attemptKey).slice(FAILURES_MAX - 1);
  if (oldest === undefined) return;
  const freeAt = Math.min(Date.parse(oldest.created_at), now) + WINDOW_MS;
  const retryAfter = Math.max(1, Math.ceil((freeAt - now) / 1_000));
  throw new ServiceError('RATE_LIMIT_EXCEEDED', `Too many payments on this page have failed. Try again in ${retryAfter} seconds.`, {
    details: { retryAfter, limit: FAILURES_MAX, remaining: 0, resetAt: isoTime(freeAt) },
  });
}

/** Locks a customer. The invoices of a deleted one can still be paid. */
async function lockCustomer(deps: Dependencies, work: Work, customerId: string): Promise<void> {
  try {
    await deps.customers.lock(work, customerId);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'CUSTOMER_NOT_FOUND')) throw error;
  }
}
