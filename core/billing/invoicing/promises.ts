import { lit, queriesOn, TENANT } from '#core/database';
import { type Actor, type Currency, dateIn, type Money, money } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { INVOICES } from './schema.ts';

const LISTED_MAX = 200;
const DAY_MS = 86_400_000;

/** An unpaid invoice whose promised day has come. */
export interface PromisedInvoice {
  readonly invoiceId: string;
  readonly merchantId: string;
  readonly number: string;
  readonly customerName: string | null;
  readonly amountDue: Money;
  readonly date: string;
  /** Time at which the promise was recorded. */
  readonly at: string | null;
}

/** Returns the unpaid invoices that were promised for today, in the zone of their merchant, or for an earlier day: the earliest 200. */
export async function promised(deps: Dependencies, actor: Actor, requestedMerchantId?: string): Promise<PromisedInvoice[]> {
  const merchantId = requestedMerchantId ?? actor.merchantId;
  const now = deps.clockOf(actor.tenantId).now();
  const all = queriesOn(INVOICES)
    .selectFrom('invoices')
    .select(['id', 'merchant_id', 'number', 'customer_name', 'customer_company', 'currency', 'amount_minor', 'paid_minor'])
    .select(['promised_date', 'promised_at'])
    .where('tenant_id', '=', TENANT)
    // No zone is more than a day ahead.
    .where('promised_date', '<=', dateIn('UTC', now + DAY_MS))
    .where('status', 'in', [lit('sent'), lit('partially_paid'), lit('overdue')])
    .orderBy('promised_date')
    .limit(LISTED_MAX);
  const rows = await deps.database.read(actor.tenantId).rows(merchantId === null ? all : all.where('merchant_id', '=', merchantId));
  const found: PromisedInvoice[] = [];
  for (const row of rows) {
    const { timezone } = await deps.merchants.merchantFor(actor, row.merchant_id);
    const date = row.promised_date as string;
    if (date > dateIn(timezone, now)) continue;
    found.push({
      invoiceId: row.id,
      merchantId: row.merchant_id,
      number: row.number,
      customerName: row.customer_company ?? row.customer_name,
      amountDue: money(row.amount_minor - row.paid_minor, row.currency as Currency),
      date,
      at: row.promised_at,
    });
  }
  return found;
}
