import type { Actor } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { AgreedCharges } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { INSTALLMENT_PLANS } from './schema.ts';

/** Statuses in which a plan is charged, now or after it is resumed. */
const OPEN = ['active', 'past_due', 'paused'] as const;
/** Largest number of plans of each status that are read. */
const READ_MAX = 100;

/** Returns the charges that the newest open plans of a merchant will make, at most 100 of each status. */
export async function agreedCharges(deps: Dependencies, { tenantId }: Actor, merchant: Merchant): Promise<AgreedCharges[]> {
  const found = await Promise.all(
    OPEN.map((status) =>
      deps.database
        .read(tenantId)
        .find(INSTALLMENT_PLANS, { merchant_id: merchant.merchantId, status }, { orderBy: [['id', 'desc']], limit: READ_MAX }),
    ),
  );
  const rows = found.flat();
  const payers = await deps.customers.payersOf(
    tenantId,
    rows.map((row) => ({ customerId: row.customer_id, methodId: row.payment_method_id })),
  );
  return rows.flatMap(({ customer_id: customerId, currency, agreement_channel: agreedBy }, index) => {
    const method = payers[index]?.method ?? null;
    return method === null ? [] : [{ channel: 'installment' as const, customerId, currency, agreedBy, method }];
  });
}
