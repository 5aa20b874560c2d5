import type { Work } from '#core/database';
import { type Currency, dateIn, money, type TenantTime } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { PAYER_TEXTS } from '#core/notifications';
import { formatDay, formatMoney } from '#core/platform/documents';
import type { Dependencies } from './dependencies.ts';
import type { SubscriptionRow } from './schema.ts';
import type { ShownPayer } from './subscription.ts';

type Recipient = ShownPayer & { readonly phone: string | null };

/**
 * Notifies a customer by email, or else by text message, of a failed payment and the next step (decisions 7). Does nothing if neither is
 * known.
 */
export async function notifyCustomer(
  deps: Dependencies,
  work: Work,
  row: SubscriptionRow,
  merchant: Merchant,
  payer: Recipient,
  isDeclined: boolean,
  atMs: TenantTime,
): Promise<void> {
  const to = payer.email ?? payer.phone;
  if (!merchant.dunning.notifyCustomer || to === null) return;
  const { language } = merchant;
  const { method } = payer;
  const updateUrl =
    row.status === 'past_due' || row.status === 'paused'
      ? await deps.customers.updateAddressIn(work, merchant, {
          customerId: row.customer_id,
          methodId: method?.paymentMethodId ?? null,
          subscriptionId: row.id,
        })
      : null;
  const text = PAYER_TEXTS[language].failedPayment({
    amount: formatMoney(money(row.amount_minor, row.currency as Currency), language),
    merchant: merchant.name,
    contact: [merchant.email, merchant.phone].filter((each): each is string => each !== null && each !== ''),
    method: method && { kind: method.type === 'card' ? 'card' : 'account', brand: method.brand, last4: method.last4 },
    isDeclined,
    updateUrl,
    next:
      row.status === 'past_due' && row.retry_ms !== null
        ? { kind: 'retry', date: formatDay(dateIn(merchant.timezone, row.retry_ms), language) }
        : { kind: row.status === 'cancelled' ? 'cancelled' : 'paused' },
  });
  await deps.notify(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    channel: payer.email === null ? 'sms' : 'email',
    kind: 'dunning',
    resourceId: row.id,
    to,
    ...(payer.email === null ? { body: text.body } : text),
    atMs,
  });
}
