import type { Work } from '#core/database';
import { type Currency, dateIn, type Money, money, type TenantTime } from '#core/kernel';
import { formatDay, formatMoney } from '#core/platform/documents';
import type { Merchant } from '#core/processing/merchants';
import { type Notify, PAYER_TEXTS } from '#core/records/notifications';
import type { Customers, Payer } from '#core/sales/customers';
import type { Dependencies } from './dependencies.ts';
import type { SubscriptionRow } from './schema.ts';

type NextStep =
  | { readonly kind: 'retry'; readonly atMs: TenantTime }
  | { readonly kind: 'cancelled' | 'paused' }
  | { readonly kind: 'due'; readonly payUrl: string | null };

/** A failed automatic payment, for the customer's message. */
interface FailedPayment {
  readonly tenantId: string;
  readonly resourceId: string;
  readonly customerId: string;
  /** Subscription for which a link to replace the card is created. */
  readonly subscriptionId?: string;
  readonly amount: Money;
  readonly isDeclined: boolean;
  readonly next: NextStep;
  readonly atMs: TenantTime;
}

/**
 * Notifies a customer by email, or else by text message, of a failed payment and the next step. Does nothing if neither is
 * known, or if the merchant's dunning settings say so.
 */
export async function notifyFailedPayment(
  deps: { readonly customers: Pick<Customers, 'updateAddressIn'>; readonly notify: Notify },
  work: Work,
  merchant: Merchant,
  payer: Payer,
  failed: FailedPayment,
): Promise<void> {
  const to = payer.email ?? payer.phone;
  if (!merchant.dunning.notifyCustomer || to === null) return;
  const { language } = merchant;
  const { method } = payer;
  const { tenantId, customerId, subscriptionId, next } = failed;
  const updateUrl =
    next.kind === 'cancelled'
      ? null
      : await deps.customers.updateAddressIn(work, merchant, {
          customerId,
          methodId: method?.paymentMethodId ?? null,
          ...(subscriptionId !== undefined && { subscriptionId }),
        });
  const text = PAYER_TEXTS[language].failedPayment({
    amount: formatMoney(failed.amount, language),
    merchant: merchant.name,
    contact: [merchant.email, merchant.phone].filter((each): each is string => each !== null && each !== ''),
    method: method && { kind: method.type === 'card' ? 'card' : 'account', brand: method.brand, last4: method.last4 },
    isDeclined: failed.isDeclined,
    updateUrl,
    next: next.kind === 'retry' ? { kind: 'retry', date: formatDay(dateIn(merchant.timezone, next.atMs), language) } : next,
  });
  await deps.notify(work, {
    tenantId,
    merchantId: merchant.merchantId,
    channel: payer.email === null ? 'sms' : 'email',
    kind: 'dunning',
    resourceId: failed.resourceId,
    to,
    ...(payer.email === null ? { body: text.body } : text),
    atMs: failed.atMs,
    cause: 'event',
  });
}

/** Notifies the customer of a failed payment of a subscription. */
export function notifyCustomer(
  deps: Dependencies,
  work: Work,
  row: SubscriptionRow,
  merchant: Merchant,
  payer: Payer,
  isDeclined: boolean,
  atMs: TenantTime,
): Promise<void> {
  return notifyFailedPayment(deps, work, merchant, payer, {
    tenantId: row.tenant_id,
    resourceId: row.id,
    customerId: row.customer_id,
    subscriptionId: row.id,
    amount: money(row.amount_minor, row.currency as Currency),
    isDeclined,
    next:
      row.status === 'past_due' && row.retry_ms !== null
        ? { kind: 'retry', atMs: row.retry_ms }
        : { kind: row.status === 'cancelled' ? 'cancelled' : 'paused' },
    atMs,
  });
}
