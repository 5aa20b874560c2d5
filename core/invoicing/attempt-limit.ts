import { lit, queriesOn, TENANT, type Work } from '#core/database';
import { idFloor, isoTime, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { INVOICE_PAYMENTS, type InvoiceRow } from './schema.ts';

const TRIES_MAX = 10;
const WINDOW_MS = 3_600_000;

/**
 * Refuses another payment on the page of an invoice that was locked, once ten of the last hour of the tenant's clock have failed there: a page is no
 * place to try cards out. One under way counts until its outcome is known, and one that succeeded frees nothing. RATE_LIMIT_EXCEEDED with
 * `details.retryAfter` in seconds, `limit`, `remaining` and `resetAt`.
 */
export async function refuseTooManyAttempts(deps: Dependencies, work: Work, { tenant_id, id: invoiceId }: InvoiceRow): Promise<void> {
  const now = deps.clockOf(tenant_id).now();
  const tries = await work.rows(
    queriesOn(INVOICE_PAYMENTS)
      .selectFrom('invoice_payments')
      .select('created_at')
      .where('tenant_id', '=', TENANT)
      .where('invoice_id', '=', invoiceId)
      .where('id', '>=', idFloor('ivp', now - WINDOW_MS))
      .where('origin', '=', lit('page'))
      .where('status', 'in', [lit('failed'), lit('pending')])
      .orderBy('id', 'desc')
      .limit(TRIES_MAX),
  );
  const [first] = tries.slice(TRIES_MAX - 1);
  if (first === undefined) return;
  const freeAt = Math.min(Date.parse(first.created_at), now) + WINDOW_MS;
  const retryAfter = Math.max(1, Math.ceil((freeAt - now) / 1_000));
  throw new ServiceError('RATE_LIMIT_EXCEEDED', `Too many payments on this page have failed. Try again in ${retryAfter} seconds.`, {
    details: { retryAfter, limit: TRIES_MAX, remaining: 0, resetAt: isoTime(freeAt) },
  });
}
