import type { Actor } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { AgreedCharges } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import { agreementOf, payerOf } from './read.ts';
import { SUBSCRIPTIONS, type SubscriptionRow } from './schema.ts';

/** Statuses in which a subscription is charged, now or after it is resumed. */
const OPEN = ['active', 'past_due', 'paused'] as const;
/** Largest number of subscriptions of each status that are read. */
const READ_MAX = 100;

/** Returns the charges that the newest open subscriptions of the account will make, at most 100 of each status; those of these merchants only. */
export async function agreedCharges(
  deps: Dependencies,
  { tenantId, merchantId }: Actor,
  merchants: readonly Merchant[],
): Promise<(AgreedCharges & { readonly merchantId: string })[]> {
  const where = merchantId === null ? {} : { merchant_id: merchantId };
  const found = await Promise.all(
    OPEN.map((status) =>
      deps.database.read(tenantId).find(SUBSCRIPTIONS, { ...where, status }, { orderBy: [['id', 'desc']], limit: READ_MAX }),
    ),
  );
  const rows = found.flat().filter(({ deleted_at }) => deleted_at === null);
  const payers = await deps.customers.payersOf(
    tenantId,
    rows.map((row) => ({ customerId: row.customer_id, methodId: row.payment_method_id })),
  );
  return rows.flatMap((row, index) => {
    const method = payers[index]?.method ?? null;
    const merchant = merchants.find(({ merchantId: id }) => id === row.merchant_id);
    return method === null || merchant === undefined ? [] : [{ ...chargesOf(row, method, merchant), merchantId: row.merchant_id }];
  });
}

/**
 * Checks the subscriptions of a customer that charge the default payment method, before another one becomes the default.
 * @throws ServiceError VALIDATION_ERROR with the reason `channel_not_accepted`; CUSTOMER_NOT_FOUND, NOT_FOUND.
 */
export async function checkDefaultMethod(deps: Dependencies, actor: Actor, customerId: string, paymentMethodId: string): Promise<void> {
  await deps.customers.payer(actor, customerId, paymentMethodId);
  const rows = await deps.database.read(actor.tenantId).find(SUBSCRIPTIONS, { customer_id: customerId });
  for (const row of rows) {
    if (row.payment_method_id !== null || !OPEN.some((status) => status === row.status)) continue;
    const { method } = await payerOf(deps, { ...row, payment_method_id: paymentMethodId });
    if (method === null) continue;
    const merchant = await deps.merchantFor({ tenantId: actor.tenantId, merchantId: null }, row.merchant_id);
    await deps.payments.checkAgreedChannel(actor, merchant, chargesOf(row, method, merchant));
  }
}

function chargesOf(row: SubscriptionRow, method: NonNullable<Parameters<typeof agreementOf>[1]>, merchant: Merchant): AgreedCharges {
  const { channel: agreedBy } = agreementOf(row, method, merchant);
  return { channel: 'recurring', customerId: row.customer_id, currency: row.currency, agreedBy, method };
}
