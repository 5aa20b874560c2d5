import type { Work } from '#core/database';
import { type Currency, dateIn, formatDecimal, money } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Needs } from './needs.ts';
import type { SubscriptionRow } from './schema.ts';
import type { ShownPayer } from './subscription.ts';

type Told = ShownPayer & { readonly phone: string | null };

function reasonOf({ method }: ShownPayer, declined: boolean): string {
  if (method === null) return 'no card or bank account is on file';
  if (!declined) return 'it could not be carried out';
  const kind = method.type === 'card' ? (method.brand ?? 'card') : 'bank account';
  return `your ${kind} ending in ${method.last4} was declined`;
}

/** Tells a customer of a payment that failed and of what comes next, by e-mail, else by text (decisions 7). Nothing where neither is known. */
export async function writeToCustomer(
  on: Needs,
  work: Work,
  row: SubscriptionRow,
  merchant: Merchant,
  payer: Told,
  declined: boolean,
  atMs: number,
): Promise<void> {
  const to = payer.email ?? payer.phone;
  if (!merchant.dunning.notifyCustomer || to === null) return;
  const amount = `${formatDecimal(money(row.amount_minor, row.currency as Currency))} ${row.currency}`;
  const what = `Your payment of ${amount} to ${merchant.name} did not go through: ${reasonOf(payer, declined)}.`;
  const contact = [merchant.email, merchant.phone].filter(Boolean).join(' or ');
  const wantsCard = declined || payer.method === null;
  const help = !wantsCard
    ? ''
    : contact === ''
      ? `Please give ${merchant.name} another card.`
      : `To give us another card, write to ${contact}.`;
  const next =
    row.status === 'past_due' && row.retry_ms !== null
      ? `We will try again on ${dateIn(merchant.timezone, row.retry_ms)}. ${help}`
      : row.status === 'cancelled'
        ? 'Your subscription has been cancelled. Nothing more will be charged.'
        : `Your subscription is paused; nothing more will be charged until it is resumed. ${help}`;
  const fault = declined ? 'was declined' : 'did not go through';
  const subject = row.status === 'past_due' ? `Your payment to ${merchant.name} ${fault}` : `Your subscription with ${merchant.name}`;
  await on.notify(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    channel: payer.email === null ? 'sms' : 'email',
    to,
    ...(payer.email === null ? {} : { subject }),
    body: `${what} ${next}`.trim(),
    atMs,
  });
}
