import { SECURITY_EVENT_TYPES, SECURITY_KINDS, type SecurityEventType, securityEventTypeOf } from '#core/audit';
import { ServiceError } from '#core/kernel';

/** Events about payments (specification 6.3). */
const PAYMENT_EVENT_TYPES = [
  'transaction.approved',
  'transaction.declined',
  'transaction.voided',
  'transaction.settled',
  'refund.processed',
  'refund.declined',
  'subscription.created',
  'subscription.payment_succeeded',
  'subscription.payment_failed',
  'subscription.cancelled',
  'subscription.expired',
  'invoice.paid',
  'invoice.partially_paid',
  'invoice.overdue',
  'chargeback.received',
  'chargeback.won',
  'chargeback.lost',
  'refund_decline_queue.created',
  'refund_decline_queue.resolved',
  'refund_decline_queue.failed',
] as const;
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];
export type EventType = PaymentEventType | SecurityEventType;

/** Every type that an endpoint may subscribe to. */
export const EVENT_TYPES: readonly EventType[] = [...PAYMENT_EVENT_TYPES, ...SECURITY_EVENT_TYPES];

/** Another name under which refund.processed may be registered; it is delivered as it was registered (decisions 8). */
export const ALIASES: Readonly<Record<string, EventType>> = { 'refund.approved': 'refund.processed' };
/** Subscribes to every type but those of security activity, which are for owners. */
export const EVERY_TYPE = '*';
/** Subscribes to every type of security activity. */
export const EVERY_SECURITY_TYPE = 'security.*';

/** Returns true if a registered name stands for security activity. */
export const isSecurityName = (name: string): boolean => name.startsWith('security.');

/** The type that a name stands for; VALIDATION_ERROR on `field` for an unknown one. */
export function eventTypeOf(name: string, field: string): EventType {
  const type = ALIASES[name] ?? name;
  if ((EVENT_TYPES as readonly string[]).includes(type)) return type as EventType;
  throw new ServiceError('VALIDATION_ERROR', `${name.slice(0, 60)} is not an event type.`, { field });
}

const SAMPLE_AMOUNT = 49.99;

/** Made-up data in the shape of a type, for test deliveries (decisions 8). */
export function sampleData(type: EventType, at: string): Readonly<Record<string, unknown>> {
  const transactionId = 'txn_00000000000000000000000000';
  const customer = { email: 'customer@example.com' };
  const amount = SAMPLE_AMOUNT;
  const day = at.slice(0, 10);
  const declined = { declineCode: 'insufficient_funds', declineReason: 'Insufficient funds' };
  const [area = '', what = ''] = type.split('.');
  switch (area) {
    case 'transaction': {
      const payment = { transactionId, type: 'sale', amount };
      if (what === 'approved') return { ...payment, currency: 'USD', authCode: '123456', card: { brand: 'visa', last4: '1111' }, customer };
      if (what === 'declined') return { ...payment, ...declined, card: { last4: '1111' } };
      if (what === 'voided') return { ...payment, currency: 'USD', reason: 'test', voidedAt: at };
      return { transactionId, amount, settlementId: 'stl_00000000000000000000000000', settlementDate: day };
    }
    case 'refund': {
      const refund = { refundId: 'ref_00000000000000000000000000', transactionId, amount };
      if (what === 'processed') return { ...refund, status: 'approved', reason: 'test' };
      return { ...refund, declineReason: 'Not authorized', errorCode: 'REFUND_DECLINED', queuedForRetry: true };
    }
    case 'refund_decline_queue': {
      const entry = { id: 'rdq_00000000000000000000000000', transactionId, amount };
      if (what === 'created') return { ...entry, declineReason: 'Not authorized' };
      return what === 'resolved' ? { ...entry, resolvedAt: at } : { ...entry, attemptCount: 3, lastError: 'R29: Not authorized' };
    }
    case 'chargeback': {
      const chargeback = { chargebackId: 'chb_00000000000000000000000000', transactionId, amount };
      return what === 'received' ? { ...chargeback, reason: 'fraudulent', dueDate: day } : { ...chargeback, outcome: what };
    }
    case 'security':
      return sampleActivity(type as SecurityEventType, at);
    case 'invoice': {
      const paid = what === 'paid' ? amount : what === 'overdue' ? 0 : 20;
      const amountDue = Math.round((amount - paid) * 100) / 100;
      return { invoiceId: 'inv_00000000000000000000000000', transactionId, amountPaid: paid, amountDue, status: what, customer };
    }
    default: {
      const plan = { subscriptionId: 'sub_00000000000000000000000000', amount, nextPaymentDate: day };
      if (what === 'payment_succeeded') return { ...plan, transactionId, customer };
      const status = what === 'payment_failed' ? 'past_due' : what === 'created' ? 'active' : what;
      const record = { ...plan, customerId: 'cus_00000000000000000000000000', status };
      return what === 'payment_failed' ? { ...record, ...declined, attempt: 1 } : record;
    }
  }
}

function sampleActivity(type: SecurityEventType, at: string): Readonly<Record<string, unknown>> {
  return {
    id: 'aud_00000000000000000000000000',
    kind: SECURITY_KINDS.find((kind) => securityEventTypeOf(kind) === type),
    at,
    actor: 'owner@example.com',
    action: 'test',
    resource: 'users/usr_00000000000000000000000000',
    before: {},
    after: {},
    ip: '203.0.113.7',
    userAgent: 'Test',
    requestId: 'req_00000000000000000000000000000000',
  };
}
