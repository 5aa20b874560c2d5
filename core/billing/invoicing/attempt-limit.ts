import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { idFloor, isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { INVOICE_PAYMENTS, type InvoiceRow } from './schema.ts';

const FAILURES_MAX = 10;
const WINDOW_MS = 3_600_000;

/**
 * Rejects a payment on the page of a locked invoice after ten failed ones within an hour of the tenant's time, so that nobody can test
 * stolen cards there.
 * A pending payment counts until its outcome is known; a successful one does not reset the count. @throws ServiceError RATE_LIMIT_EXCEEDED
 * with
 * `details.retryAfter` in seconds, `limit`, `remaining` and `resetAt`.
 */
export async function checkAttemptLimit(deps: Dependencies, work: Work, { tenant_id, id: invoiceId }: InvoiceRow): Promise<void> {
  const now = deps.clockOf(tenant_id).now();
  const failures = await work.rows(
    queriesOn(INVOICE_PAYMENTS)
      .selectFrom('invoice_payments')
      .select('created_at')
      .where('tenant_id', '=', TENANT)
      .where('invoice_id', '=', invoiceId)
      .where('id', '>=', idFloor('ivp', now - WINDOW_MS))
      .where('origin', '=', lit('page'))
      .where('status', 'in', [lit('failed'), lit('pending')])
      .orderBy('id', 'desc')
      .limit(FAILURES_MAX),
  );
  const [oldest] = failures.slice(FAILURES_MAX - 1);
  if (oldest === undefined) return;
  const freeAt = Math.min(Date.parse(oldest.created_at), now) + WINDOW_MS;
  const retryAfter = Math.max(1, Math.ceil((freeAt - now) / 1_000));
  throw new ServiceError('RATE_LIMIT_EXCEEDED', `Too many payments on this page have failed. Try again in ${retryAfter} seconds.`, {
    details: { retryAfter, limit: FAILURES_MAX, remaining: 0, resetAt: isoTime(freeAt) },
  });
}
