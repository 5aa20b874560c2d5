import { Type } from 'typebox';
import { toNumber } from '#core/kernel';
import type { UnconfirmedPayment } from '#core/sales/payments';
import { Maybe, Timestamp } from './fields.ts';
import { named } from './named.ts';

const text = (description?: string) => Maybe(Type.String(description === undefined ? {} : { description }));
const OPERATIONS = ['sale', 'auth', 'capture', 'cancel_capture', 'adjust', 'void', 'refund', 'credit'];

/** An operation at a gateway with an unknown outcome. */
export const UnconfirmedPaymentOut = named(
  'UnconfirmedPayment',
  Type.Object({
    id: Type.String(),
    transactionId: Type.String(),
    refundId: text(),
    merchantId: Type.String(),
    operation: Type.Union(OPERATIONS.map((operation) => Type.Literal(operation))),
    amount: Type.Number({ description: 'major units' }),
    currency: Type.String(),
    card: Maybe(Type.Object({ brand: Type.String(), last4: Type.String() })),
    bankAccount: Maybe(Type.Object({ bankName: text(), last4: Type.String() })),
    customerName: text(),
    gateway: Type.String(),
    gatewayId: text(),
    processorRef: Type.String({ description: 'reference of Paydesk at the gateway' }),
    since: Type.String({ format: 'date-time', description: 'time of the request' }),
    lastInquiryAt: Maybe(Timestamp),
    nextInquiryAt: Maybe(Timestamp),
    inquiries: Type.Integer(),
    pendingReason: text('why the gateway has not decided, such as held_for_review'),
    alert: text('reason why a person should look at it'),
    stage: Type.Union(
      ['open', 'waiting', 'ended'].map((stage) => Type.Literal(stage)),
      {
        description:
          'open: the outcome is unknown; waiting: a capture that could not be sent to its gateway in time; ended: concluded, but a person has something left to do',
      },
    ),
    needsPerson: Type.Boolean({ description: "a person should look it up on the processor's website, and may then conclude it" }),
    message: Type.String({ description: 'one sentence: the situation and the next step' }),
  }),
);

export const UnconfirmedCountsOut = named(
  'UnconfirmedPaymentCounts',
  Type.Object(
    { unconfirmed: Type.Integer(), inReview: Type.Integer(), needsPerson: Type.Integer() },
    { description: 'for the requested merchants, without the other filters' },
  ),
);

export function unconfirmedRecord(payment: UnconfirmedPayment) {
  return { ...payment, amount: toNumber(payment.amount) };
}
