import { Type } from 'typebox';
import { ActionsOut } from './action.ts';
import { BankAuthorizationOut, PaymentChannelOut, SecCodeOut } from './channel.ts';
import { DiscountApprovedByOut } from './discount.ts';
import { DeclineCodeOut, DiscountOut, Maybe, RefundDeclineCodeOut, Timestamp } from './fields.ts';
import { LineItemsOut } from './line-item.ts';
import { named } from './named.ts';

const Amount = Type.Number({ description: 'major units' });

export const CardOut = named(
  'Card',
  Type.Object({ brand: Type.String(), last4: Type.String(), expiryMonth: Type.String(), expiryYear: Type.String() }),
);
export const BankAccountOut = named(
  'BankAccount',
  Type.Object({ bankName: Maybe(Type.String()), last4: Type.String(), accountType: Type.String() }),
);

/** Parts of an amount in responses. */
const PartAmounts = { tipAmount: Amount, surchargeAmount: Amount, taxAmount: Amount };

/** The record of a transaction on the Public and Admin surfaces. */
const TransactionFields = {
  transactionId: Type.String(),
  merchantId: Type.String(),
  type: Type.Union([Type.Literal('sale'), Type.Literal('auth'), Type.Literal('credit')]),
  paymentMethod: Type.Union([Type.Literal('card'), Type.Literal('ach'), Type.Literal('token')]),
  amount: Amount,
  ...PartAmounts,
  discountAmount: DiscountOut,
  discountApprovedBy: DiscountApprovedByOut,
  currency: Type.String(),
  status: Type.Union(['pending', 'approved', 'declined', 'voided', 'failed'].map((status) => Type.Literal(status))),
  captured: Type.Boolean(),
  capturedAmount: Amount,
  capturedAt: Maybe(Timestamp),
  captureHeldUntil: Maybe(
    Type.String({
      format: 'date-time',
      description: 'time until which the capture is held and can be canceled; then it is sent to the gateway',
    }),
  ),
  refundedAmount: Amount,
  refundStatus: Type.Union([Type.Literal('none'), Type.Literal('partial'), Type.Literal('full')]),
  reservedAmount: Amount,
  disputedAmount: Amount,
  voidedAt: Maybe(Timestamp),
  voidReason: Maybe(Type.String()),
  approvedBy: Maybe(Type.String()),
  shiftId: Maybe(
    Type.String({
      description: 'shift in which the payment was made; null for requests without `Paydesk-Drawer`, or without an open shift at it',
      examples: ['shf_00000000000000000000000000'],
    }),
  ),
  settledAt: Maybe(Timestamp),
  settlementDate: Maybe(Type.String()),
  settlementId: Maybe(Type.String()),
  returnedAt: Maybe(Timestamp),
  returnCode: Maybe(Type.String({ description: 'return code of the bank, if a bank payment was returned after its approval' })),
  gateway: Type.String(),
  processorRef: Type.String(),
  authCode: Maybe(Type.String()),
  avsResponse: Maybe(Type.String()),
  cvvResponse: Maybe(Type.String()),
  declineCode: Maybe(DeclineCodeOut),
  declineReason: Maybe(Type.String()),
  errorCode: Maybe(
    Type.String({ description: 'error code that matches the decline; `AVS_CVV_MISMATCH` if neither address nor security code match' }),
  ),
  details: Maybe(
    Type.Object(
      { avsResponse: Maybe(Type.String()), cvvResponse: Maybe(Type.String()) },
      { description: 'responses of both checks; set if `errorCode` is `AVS_MISMATCH`, `CVV_MISMATCH` or `AVS_CVV_MISMATCH`' },
    ),
  ),
  retryAdvice: Maybe(
    Type.Object({
      kind: Type.Union(['stop-card', 'stop-plan', 'update-card', 'wait'].map((kind) => Type.Literal(kind))),
      days: Type.Optional(Type.Integer({ description: 'for `wait`: number of days to wait' })),
    }),
  ),
  token: Maybe(Type.String()),
  card: Maybe(CardOut),
  bankAccount: Maybe(BankAccountOut),
  customer: Maybe(Type.Object({ name: Maybe(Type.String()), email: Maybe(Type.String()) })),
  billing: Maybe(Type.Record(Type.String(), Type.String())),
  rerunOf: Maybe(Type.String()),
  creditOf: Maybe(Type.String()),
  customerId: Maybe(Type.String()),
  subscriptionId: Maybe(Type.String()),
  invoiceId: Maybe(Type.String()),
  queuedPaymentId: Maybe(Type.String({ description: 'payment of the charge-later queue that it charges' })),
  orderId: Maybe(Type.String()),
  purchaseOrderNumber: Maybe(Type.String()),
  description: Maybe(Type.String()),
  lineItems: LineItemsOut,
  metadata: Maybe(Type.Record(Type.String(), Type.Unknown())),
  source: Type.String(),
  channel: PaymentChannelOut,
  secCode: SecCodeOut,
  bankAuthorization: BankAuthorizationOut,
  createdBy: Maybe(Type.String({ description: 'name of the person or API key that made the payment' })),
  pendingReason: Maybe(Type.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};
export const TransactionOut = named('Transaction', Type.Object(TransactionFields));

const HistoryOut = named(
  'TransactionHistoryEntry',
  Type.Object({
    at: Timestamp,
    actor: Type.String(),
    approvedBy: Maybe(Type.String()),
    shiftId: Maybe(Type.String({ description: 'shift in which the request was made; null if it belongs to none' })),
    action: Type.String(),
    result: Type.String(),
    amount: Maybe(Amount),
    processorRef: Maybe(Type.String()),
    reason: Maybe(Type.String()),
  }),
);
const RerunOut = named(
  'Rerun',
  Type.Object(
    { transactionId: Type.String(), status: TransactionFields.status },
    {
      description:
        'the latest rerun of this declined or failed payment, null if there is none; unless its status is declined or failed, a further rerun is rejected with RESOURCE_CONFLICT',
    },
  ),
);
/** An open authorization that expires soon. */
export const ExpiringAuthorizationOut = named(
  'ExpiringAuthorization',
  Type.Object({ ...TransactionFields, authorizationExpiresAt: Timestamp }),
);
export const TransactionWithHistory = named(
  'TransactionWithHistory',
  Type.Object({
    ...TransactionFields,
    authorizationExpiresAt: Maybe({
      ...Timestamp,
      description: 'when an open authorization is voided unless it is captured; null for every other payment',
    }),
    rerun: Maybe(RerunOut),
    shippingAddress: Maybe(Type.String({ description: 'address of delivery that the payer or the shop sent with the payment' })),
    history: Type.Array(HistoryOut),
    actions: ActionsOut(['refund', 'capture', 'void', 'adjust', 'tip', 'cancelCapture', 'credit', 'rerun', 'dispute']),
  }),
);

/** Description of a rerun on the Admin and Public surfaces. */
export const RERUN_DESCRIPTION =
  'Charges the stored card or account again, without a security code; the response is a new transaction with `rerunOf`. A payment is rerun at most once successfully: while a rerun is pending or unconfirmed, and after one was approved, a further rerun is rejected with RESOURCE_CONFLICT and `details.transactionId` names that rerun. A declined or failed rerun may be followed by another. Concurrent reruns wait for each other. Payments of invoices, subscriptions and the charge-later queue cannot be rerun; retry them on the invoice, the subscription or the queue (`details.reason`: `invoice_payment`, `subscription_payment`, `queued_payment`).';

/** The record of a refund. */
const RefundFields = {
  refundId: Type.String(),
  transactionId: Type.String(),
  merchantId: Type.String(),
  status: Type.Union(['approved', 'declined', 'pending', 'failed'].map((status) => Type.Literal(status))),
  amount: Amount,
  ...PartAmounts,
  remainingAmount: Amount,
  currency: Type.String(),
  reason: Maybe(Type.String()),
  type: Type.Union([Type.Literal('full'), Type.Literal('partial')]),
  refundedAt: Maybe(Timestamp),
  settledAt: Maybe(Timestamp),
  card: Maybe(CardOut),
  bankAccount: Maybe(BankAccountOut),
  declineCode: Maybe(RefundDeclineCodeOut),
  declineReason: Maybe(Type.String()),
  errorCode: Maybe(Type.Literal('REFUND_DECLINED', { description: '`REFUND_DECLINED` while the refund is declined, otherwise null' })),
  metadata: Maybe(Type.Record(Type.String(), Type.Unknown())),
  queuedForRetry: Type.Boolean(),
  retryScheduledAt: Maybe(Timestamp),
  processorRef: Type.String(),
  sentAs: Type.Union(
    ['refund', 'void', 'return'].map((kind) => Type.Literal(kind)),
    { description: 'how the money is returned: a refund, a void of the unsettled payment, or a return by the bank' },
  ),
  approvedBy: Maybe(Type.String()),
  createdAt: Timestamp,
};
export const RefundOut = named('Refund', Type.Object(RefundFields));

export const TokenOut = named(
  'CardToken',
  Type.Object({
    token: Type.String(),
    brand: Maybe(Type.String()),
    last4: Type.String(),
    expiryMonth: Maybe(Type.String()),
    expiryYear: Maybe(Type.String()),
  }),
);
