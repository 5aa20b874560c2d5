import { lit, queriesOn, TENANT } from '#core/database';
import { addDays, type Currency, idFloor, isoTime, money, startOfDate } from '#core/kernel';
import { READABLE_MERCHANTS } from '#core/processing/merchants';
import { AUTHORIZATION_LIFETIME_MS, READABLE_TRANSACTIONS } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import type { DailySummary } from './records.ts';

/** The void of an expired authorization can be retried, so that it stays open longer than it is valid. */
const OPEN_AT_MOST_MS = 2 * AUTHORIZATION_LIFETIME_MS;
const queries = queriesOn(READABLE_TRANSACTIONS, READABLE_MERCHANTS);
const merchantIds = queries.selectFrom('merchants').select('id').where('tenant_id', '=', TENANT);

interface EndOfDay {
  readonly tenantId: string;
  /** Absent for all merchants. */
  readonly merchantId: string | undefined;
  readonly currency: Currency;
  readonly timeZone: string;
  readonly today: string;
  readonly date: string;
}

/** Returns the authorizations that are neither captured nor voided at the end of a day, or now if the day is not over. */
export async function openAuthorizations(
  deps: Dependencies,
  { tenantId, merchantId, currency, timeZone, today, date }: EndOfDay,
): Promise<Pick<DailySummary, 'openAuthorizationsCount' | 'openAuthorizationsAmount'>> {
  let open = queries
    .selectFrom('transactions')
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number>('amount_minor').as('amount')])
    .where('tenant_id', '=', TENANT)
    .where('type', '=', lit('auth'))
    .where('merchant_id', 'in', merchantId === undefined ? merchantIds : [merchantId])
    .where('currency', '=', currency);
  if (date >= today) {
    // The conditions of an index that only has open authorizations.
    open = open.where('status', '=', lit('approved')).where('captured_minor', '=', lit(0)).where('settled_at', 'is', null);
  } else {
    const endMs = startOfDate(timeZone, addDays(date, 1));
    // An ID begins with its time.
    open = open
      .where('id', '>=', idFloor('txn', endMs - OPEN_AT_MOST_MS))
      .where('id', '<', idFloor('txn', endMs))
      // Named by what they are not, so that SQLite takes the index of authorizations instead of that of all approved payments.
      .where('status', 'not in', [lit('pending'), lit('declined'), lit('failed')])
      .where(({ eb, or }) => or([eb('captured_at', 'is', null), eb('captured_at', '>=', isoTime(endMs))]))
      .where(({ eb, or }) => or([eb('voided_at', 'is', null), eb('voided_at', '>=', isoTime(endMs))]));
  }
  const row = await deps.database.read(tenantId).row(open);
  return { openAuthorizationsCount: Number(row?.n ?? 0), openAuthorizationsAmount: money(Number(row?.amount ?? 0), currency) };
}
