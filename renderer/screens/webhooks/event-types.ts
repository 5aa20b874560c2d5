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

/** Types of security activity, which only owners may subscribe to, by what they are about. */
export const SECURITY_EVENT_TYPES: Readonly<Record<string, readonly string[]>> = {
  'Sign-ins': [
    'security.sign_in',
    'security.sign_in_failed',
    'security.second_factor_failed',
    'security.new_device',
    'security.session_revoked',
  ],
  'Changes of access': [
    'security.password_changed',
    'security.two_factor_changed',
    'security.role_changed',
    'security.key_changed',
    'security.channel_changed',
  ],
};

export const EVERY_TYPE = '*';
export const EVERY_SECURITY_TYPE = 'security.*';
export const ALL_TYPES: readonly string[] = Object.values(EVENT_TYPES).flat();
export const ALL_SECURITY_TYPES: readonly string[] = Object.values(SECURITY_EVENT_TYPES).flat();

export const isSecurityName = (name: string): boolean => name.startsWith('security.');

/** Returns a label of the events of an endpoint: "Every payment event", or the first two types and the number of the others. */
export function eventsText(events: readonly string[]): string {
  const labels = events.flatMap((name) => LABELS[name] ?? (events.includes(EVERY_TYPE) && !isSecurityName(name) ? [] : name));
  return labels.length > 2 ? `${labels.slice(0, 2).join(', ')} and ${labels.length - 2} more` : labels.join(', ');
}

const LABELS: Readonly<Record<string, string>> = { [EVERY_TYPE]: 'Every payment event', [EVERY_SECURITY_TYPE]: 'Every security event' };
