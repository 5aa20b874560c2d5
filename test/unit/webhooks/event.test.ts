import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVENT_TYPES } from '#core/webhooks';
import { eventTypeOf, sampleData } from '../../../core/webhooks/catalog.ts';
import { renderBody } from '../../../core/webhooks/event.ts';
import type { EventRow } from '../../../core/webhooks/schema.ts';

const row = (data: unknown, test = 0): EventRow => ({
  tenant_id: 'ten_1',
  id: 'evt_1',
  type: 'refund.processed',
  merchant_id: 'mer_1',
  resource_id: 'txn_1',
  data: JSON.stringify(data),
  test,
  created_at: '2026-11-20T09:00:00.000Z',
});

describe('the body', () => {
  test('is the envelope of the specification under the registered name, with the data as it was first written', () => {
    expect(renderBody(row({ amount: 10, reason: 'été "torn"\u2028' }), 'refund.approved')).toBe(
      '{"id":"evt_1","type":"refund.approved","createdAt":"2026-11-20T09:00:00.000Z","data":{"amount":10,"reason":"été \\"torn\\"\u2028"},"tenantId":"ten_1","merchantId":"mer_1"}',
    );
  });

  test('of a test event says so, and that of another event does not', () => {
    expect(JSON.parse(renderBody(row({}, 1), 'refund.processed'))).toMatchObject({ test: true });
    expect(JSON.parse(renderBody(row({}), 'refund.processed'))).not.toHaveProperty('test');
  });

  test('of an event that concerns no merchant has no merchant', () => {
    expect(JSON.parse(renderBody({ ...row({}), merchant_id: '' }, 'security.sign_in'))).toMatchObject({
      tenantId: 'ten_1',
      merchantId: null,
    });
  });

  test('carries any data through unharmed, the same bytes each time', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const event = row(data);
        const body = renderBody(event, 'refund.processed');
        expect(body).toBe(renderBody({ ...event }, 'refund.processed'));
        const read = JSON.parse(body) as { data: unknown; tenantId: string };
        expect(JSON.stringify(read.data)).toBe(JSON.stringify(JSON.parse(event.data)));
        expect(read.tenantId).toBe('ten_1');
      }),
    );
  });
});

describe('event types', () => {
  test.each(EVENT_TYPES)('%s stands for itself', (type) => {
    expect(eventTypeOf(type, 'events')).toBe(type);
  });

  test('refund.approved is another name of refund.processed', () => {
    expect(eventTypeOf('refund.approved', 'eventType')).toBe('refund.processed');
  });

  test.each(['', '*', 'refund', 'refund.*', 'Refund.Processed', ' refund.processed', 'toString', '__proto__', 'constructor'])(
    '%j is no event type',
    (name) => {
      expect(() => eventTypeOf(name, 'eventType')).toThrowError(expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'eventType' }));
    },
  );
});

/** Fields of `data` by type (specification 6.3; decisions 8 for those it leaves open). */
const SUBSCRIPTION = ['subscriptionId', 'customerId', 'amount', 'status', 'nextPaymentDate'];
const INVOICE = ['invoiceId', 'transactionId', 'amountPaid', 'amountDue', 'status', 'customer'];
const ACTIVITY = ['id', 'kind', 'at', 'actor', 'action', 'resource', 'before', 'after', 'ip', 'userAgent', 'requestId'];
const FIELDS: Readonly<Record<(typeof EVENT_TYPES)[number], readonly string[]>> = {
  'transaction.approved': ['transactionId', 'type', 'amount', 'currency', 'authCode', 'card', 'customer'],
  'transaction.declined': ['transactionId', 'type', 'amount', 'declineCode', 'declineReason', 'card'],
  'transaction.voided': ['transactionId', 'type', 'amount', 'currency', 'reason', 'voidedAt'],
  'transaction.settled': ['transactionId', 'amount', 'settlementId', 'settlementDate'],
  'refund.processed': ['refundId', 'transactionId', 'amount', 'status', 'reason'],
  'refund.declined': ['refundId', 'transactionId', 'amount', 'declineReason', 'errorCode', 'queuedForRetry'],
  'subscription.created': SUBSCRIPTION,
  'subscription.payment_succeeded': ['subscriptionId', 'transactionId', 'amount', 'nextPaymentDate', 'customer'],
  'subscription.payment_failed': [...SUBSCRIPTION, 'declineCode', 'declineReason', 'attempt'],
  'subscription.cancelled': SUBSCRIPTION,
  'subscription.expired': SUBSCRIPTION,
  'invoice.paid': INVOICE,
  'invoice.partially_paid': INVOICE,
  'invoice.overdue': INVOICE,
  'chargeback.received': ['chargebackId', 'transactionId', 'amount', 'reason', 'dueDate'],
  'chargeback.won': ['chargebackId', 'transactionId', 'amount', 'outcome'],
  'chargeback.lost': ['chargebackId', 'transactionId', 'amount', 'outcome'],
  'refund_decline_queue.created': ['id', 'transactionId', 'amount', 'declineReason'],
  'refund_decline_queue.resolved': ['id', 'transactionId', 'amount', 'resolvedAt'],
  'refund_decline_queue.failed': ['id', 'transactionId', 'amount', 'attemptCount', 'lastError'],
  'security.sign_in': ACTIVITY,
  'security.sign_in_failed': ACTIVITY,
  'security.second_factor_failed': ACTIVITY,
  'security.new_device': ACTIVITY,
  'security.session_revoked': ACTIVITY,
  'security.password_changed': ACTIVITY,
  'security.two_factor_changed': ACTIVITY,
  'security.role_changed': ACTIVITY,
  'security.key_changed': ACTIVITY,
  'security.channel_changed': ACTIVITY,
};

test.each(EVENT_TYPES)('a test event of %s has the fields of its type, no more and no fewer', (type) => {
  const data = sampleData(type, '2026-11-20T09:00:00.000Z');
  expect(Object.keys(data).toSorted()).toEqual(FIELDS[type].toSorted());
  for (const value of Object.values(data)) expect(value === undefined || value === null).toBe(false);
});
