import type { Invoice } from '#renderer/base/client';

/**
 * Returns the displayed status of an invoice. A link is sent from the start, so it is shown as open until it expires. An invoice is shown as
 * sent when a provider has accepted a message with it.
 */
export function shownState(invoice: Pick<Invoice, 'status' | 'kind' | 'expiresAt' | 'delivery'>, nowMs: number): string {
  const { kind, status, delivery } = invoice;
  if (isExpired(invoice, nowMs)) return 'expired';
  if (status !== 'sent') return status;
  if (kind === 'link') return 'open';
  if (delivery === null || delivery.status === 'sent') return 'sent';
  if (delivery.status === 'waiting') return delivery.channel === 'email' ? 'waiting_for_email' : 'waiting_for_sms';
  return delivery.status === 'queued' ? 'sending' : 'not_sent';
}

/** Returns true if a link has expired, so that its page accepts no payments. */
export function isExpired({ status, expiresAt }: Pick<Invoice, 'status' | 'expiresAt'>, nowMs: number): boolean {
  return expiresAt !== null && (status === 'sent' || status === 'partially_paid') && Date.parse(expiresAt) <= nowMs;
}
