/** The types that an endpoint may subscribe to, in the words of specification 6.3, by what they are about. */
export const EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  Transactions: ['transaction.approved', 'transaction.declined', 'transaction.voided', 'transaction.settled'],
  Refunds: ['refund.processed', 'refund.declined'],
  'Refund queue': ['refund_decline_queue.created', 'refund_decline_queue.resolved', 'refund_decline_queue.failed'],
  Chargebacks: ['chargeback.received', 'chargeback.won', 'chargeback.lost'],
  Subscriptions: [
    'subscription.created',
    'subscription.payment_succeeded',
    'subscription.payment_failed',
    'subscription.cancelled',
    'subscription.expired',
  ],
  Invoices: ['invoice.paid', 'invoice.partially_paid', 'invoice.overdue'],
};

export const EVERY_TYPE = '*';
export const ALL_TYPES: readonly string[] = Object.values(EVENT_TYPES).flat();

/** What an endpoint gets, in words. */
export function eventsText(events: readonly string[]): string {
  if (events.includes(EVERY_TYPE)) return 'Every event';
  return events.length > 2 ? `${events.slice(0, 2).join(', ')} and ${events.length - 2} more` : events.join(', ');
}
