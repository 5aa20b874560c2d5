import type { Actor } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { AgreedCharges } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { INSTALLMENT_PLANS } from './schema.ts';

/** Statuses in which a plan is charged, now or after it is resumed. */
const OPEN = ['active', 'past_due', 'paused'] as const;
/** Largest number of plans of each status that are read. */
const READ_MAX = 100;

/** Returns the charges that the newest open plans of the account will make, at most 100 of each status; those of these merchants only. */
export async function agreedCharges(
  deps: Dependencies,
  { tenantId, merchantId }: Actor,
  merchants: readonly Merchant[],
): Promise<(AgreedCharges & { readonly merchantId: string })[]> {
  const where = merchantId === null ? {} : { merchant_id: merchantId };
  const found = await Promise.all(
    OPEN.map((status) =>
      deps.database.read(tenantId).find(INSTALLMENT_PLANS, { ...where, status }, { orderBy: [['id', 'desc']], limit: READ_MAX }),
    ),
  );
  const rows = found.flat();
  const payers = await deps.customers.payersOf(
    tenantId,
    rows.map((row) => ({ customerId: row.customer_id, methodId: row.payment_method_id })),
  );
  return rows.flatMap(({ merchant_id, customer_id: customerId, currency, agreement_channel: agreedBy }, index) => {
    const method = payers[index]?.method ?? null;
    if (method === null || !merchants.some((merchant) => merchant.merchantId === merchant_id)) return [];
    return [{ channel: 'installment' as const, customerId, currency, agreedBy, method, merchantId: merchant_id }];
  });
}
