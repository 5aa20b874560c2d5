import { Type } from 'typebox';
import {
  amount,
  count,
  currencyCode,
  day,
  flag,
  group,
  id,
  list,
  literals,
  mapOf,
  metadata,
  nullable,
  number,
  one,
  partOf,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { ACH_DECLINE_CODES, CARD_DECLINE_CODES, REFUND_REFUSED, type RetryAdvice } from '#core/processing/gateways';
import { LineItem } from '#core/sales/items';
import { CHANNELS, SEC_CODES } from '#shared/channels';
import { CANCELERS, CARD_FUNDINGS, ENTRY_MODES, TERMINAL_PAYMENT_STATES, VERIFICATIONS } from '#shared/terminals';

const PAYMENT_DECLINE_CODES: readonly string[] = [...CARD_DECLINE_CODES, ...ACH_DECLINE_CODES];
const REFUND_DECLINE_CODES: readonly string[] = [...PAYMENT_DECLINE_CODES, REFUND_REFUSED];
const REFUND_DECLINE_CODE = '`refund_refused`: the processor refuses the refund permanently; the others are the decline codes of payments';

const transactionId = id('txn', 'ID of the transaction');
const refundId = id('ref', 'ID of the refund');
const merchantId = id('mer', 'ID of the merchant');
const approvedBy = nullable(text('Person who approved the operation as the second one; null if none was needed', null));
const processorRef = id('sbx', 'Reference of the payment at the processor');
const declineReason = nullable(text('Explanation of the decline', null));
const shippingAddress = nullable(text('Address of delivery that the payer or the shop sent with the payment, in one text'));

export const CardOnRecord = record('Card', {
  brand: text('Brand of the card', 'visa'),
  last4: text('Last four digits', '1111'),
  expiryMonth: text('Month of expiry, two digits; empty if not known', '12'),
  expiryYear: text('Year of expiry, four digits', '2031'),
});
export type CardOnRecord = RecordOf<typeof CardOnRecord>;

export const BankAccountOnRecord = record('BankAccount', {
  bankName: nullable(text('Name of the bank', 'First Harbor Bank')),
  last4: text('Last four digits', '1111'),
  accountType: text('Type of the account', 'checking'),
});
export type BankAccountOnRecord = RecordOf<typeof BankAccountOnRecord>;

/** Card and bank account of a record, one of which is null. */
const MethodOnRecord = {
  card: nullable(CardOnRecord, 'Card; null for other payment methods'),
  bankAccount: nullable(BankAccountOnRecord, 'Bank account; null for cards', null),
};

const customerOnRecord = nullable(
  Type.Object({ name: nullable(text('Name', 'Harbor Street')), email: nullable(text('Email address', 'ann@customer.example')) }),
  'Customer as named for this record',
);

/** Authorization of a bank debit. */
export const BankAuthorization = record('BankAuthorization', {
  method: nullable(
    literals(['oral', 'written', 'online'], 'How the holder of the account authorized the debit; null if it was not recorded'),
  ),
  date: nullable(day('Day of the authorization')),
  reference: nullable(text('Reference of the proof', 'Recording 4711')),
  text: nullable(text('Text that the holder agreed to', null)),
});
export type BankAuthorization = RecordOf<typeof BankAuthorization>;

/** Agreement under which the merchant charges an account without its holder. Null means that it was not recorded. */
export const Agreement = record('Agreement', {
  channel: nullable(literals(CHANNELS, 'How the customer agreed; null if it was not recorded')),
  date: nullable(day('Day of the agreement')),
  reference: nullable(text('Reference of the proof', null)),
  text: nullable(text('Text that the customer agreed to', 'I agree to be charged every month.')),
});
export type Agreement = RecordOf<typeof Agreement>;

export interface Billing {
  readonly firstName?: string;
  readonly lastName?: string;
  readonly address?: string;
  readonly city?: string;
  readonly state?: string;
  readonly zip?: string;
  readonly country?: string;
}
const EXAMPLE_BILLING: Billing = { address: '12 Harbor Street', city: 'Portland', state: 'ME', zip: '04101' };

const avsResponse = nullable(
  text(
    'Response of the address check: `Y` street and ZIP match, `Z` ZIP only, `A` street only, `N` neither; null if there was no check',
    'Y',
  ),
);
const cvvResponse = nullable(
  text('Response of the security code check: `M` match, `N` no match, `P` not processed, `U` unavailable; null if there was no check', 'M'),
);

/** Parts of an amount. */
const PARTS = {
  tipAmount: amount('Tip within the amount; once a payment is captured, within the captured amount', 8),
  surchargeAmount: amount('Surcharge within the amount', 0),
  taxAmount: amount('Sales tax within the amount', 4.25),
};

/** Payment on a card reader. */
const TerminalPayment = record('TerminalPayment', {
  terminalId: id('trm', 'Card reader of the payment'),
  name: text('Name of the card reader at the time of the payment', 'Counter 1'),
  state: literals(
    TERMINAL_PAYMENT_STATES,
    'State of the payment on the card reader. `unconfirmed`: the reader does not answer, and inquiries find the outcome. `reader_error`: certainly not charged',
  ),
  requestedAmount: amount('Amount that was sent to the card reader, before the tip and the surcharge that were added there', 49.99),
  asksTip: flag('True if the card reader asks for a tip', false),
  tipAmount: nullable(
    amount('Tip that the customer chose on the card reader; a part of `tipAmount` of the payment. Null before a choice', 7.5),
  ),
  canceledBy: nullable(literals(CANCELERS, 'Who ended the dialog before the card was charged; null unless `state` is `canceled`', null)),
  entryMode: nullable(literals(ENTRY_MODES, 'How the reader read the card; null before it did')),
  applicationLabel: nullable(text('Payment application on the chip', 'Visa Credit')),
  applicationId: nullable(text('Identifier of the payment application (AID)', 'A0000000031010')),
  verification: nullable(literals(VERIFICATIONS, 'How the holder of the card was verified; null if the reader did not tell')),
  cardFunding: nullable(literals(CARD_FUNDINGS, 'Type of the card; null if the processor does not state it')),
});
export type TerminalPayment = RecordOf<typeof TerminalPayment>;

/** A payment: a sale, an authorization or an unlinked credit. */
export const Transaction = record('Transaction', {
  transactionId,
  merchantId,
  type: literals(['sale', 'auth', 'credit'], 'A sale, an authorization without capture, or an unlinked credit'),
  paymentMethod: literals(['card', 'ach', 'token'], 'Kind of the payment method'),
  amount: amount('Amount', 49.99),
  requestedAmount: nullable(
    amount(
      'Amount that was requested with `allowPartialApproval`; `amount` is then the approved part. Null for a payment that is approved in full or not at all',
      49.99,
    ),
  ),
  ...PARTS,
  discountAmount: amount('Discount that was taken off before the amount; captures and refunds do not change it', 5),
  discountApprovedBy: nullable(
    text('Person who approved the discount as the second one; null if it needed no approval', 'manager@shop.example'),
  ),
  currency: currencyCode(),
  status: literals(['pending', 'approved', 'declined', 'voided', 'failed'], 'Status'),
  captured: flag('True if the payment was captured at least in part', true),
  capturedAmount: amount('Captured amount; 0 for an open authorization', 49.99),
  capturedAt: nullable(time('Time of the capture')),
  captureHeldUntil: nullable(time('Time until which the capture is held and can be canceled; then it is sent to the gateway')),
  refundedAmount: amount('Amount of the approved refunds', 0),
  refundStatus: literals(['none', 'partial', 'full'], 'Extent of the approved refunds'),
  reservedAmount: amount('Amount that pending refunds reserve', 0),
  disputedAmount: amount('Amount that disputes have charged back', 0),
  voidedAt: nullable(time('Time of the void')),
  voidReason: nullable(text('Reason of the void', null)),
  approvedBy,
  shiftId: nullable(
    text(
      'Shift in which the payment was made; null for requests without `Paydesk-Drawer`, or without an open shift at it',
      'shf_00000000000000000000000000',
    ),
  ),
  settledAt: nullable(time('Time of the settlement; null while unsettled')),
  settlementDate: nullable(day('Day of the settlement')),
  settlementId: nullable(id('stl', 'ID of the settlement')),
  returnedAt: nullable(time('Time at which the bank returned the payment')),
  returnCode: nullable(text('Return code of the bank, if a bank payment was returned after its approval', null)),
  gateway: text('Gateway that processed the payment', 'sandbox'),
  processorRef,
  authCode: nullable(text('Authorization code of the issuer', 'A1B2C3')),
  avsResponse,
  cvvResponse,
  declineCode: nullable(
    literals(
      PAYMENT_DECLINE_CODES,
      'Reason of the decline: a name for cards, a return code for bank accounts. docs/sandbox.md lists a sandbox card for each name and an account for each return code',
      null,
    ),
  ),
  declineReason,
  errorCode: nullable(text('Error code that matches the decline; `AVS_CVV_MISMATCH` if neither address nor security code match', null)),
  details: nullable(
    Type.Object({ avsResponse, cvvResponse }),
    'Responses of both checks; set if `errorCode` is `AVS_MISMATCH`, `CVV_MISMATCH` or `AVS_CVV_MISMATCH`',
  ),
  retryAdvice: nullable(
    Type.Unsafe<RetryAdvice>(
      Type.Object({
        kind: literals(['stop-card', 'stop-plan', 'update-card', 'wait'], 'What to do'),
        days: Type.Optional(count('For `wait`: number of days to wait', 30)),
      }),
    ),
    'Advice of the card network on retrying a decline; null if there is none',
    null,
  ),
  token: nullable(id('tok', 'Token of the card or bank account; can be charged again')),
  ...MethodOnRecord,
  customer: customerOnRecord,
  billing: nullable(Type.Unsafe<Billing>(mapOf(Type.String(), 'Billing address: `address`, `city`, `state`, `zip`', EXAMPLE_BILLING))),
  rerunOf: nullable(text('ID of the declined transaction that this one repeats', null)),
  creditOf: nullable(text('ID of the payment whose card or account a credit pays; null for other transactions', null)),
  customerId: nullable(id('cus', 'ID of the customer')),
  subscriptionId: nullable(id('sub', 'ID of the subscription')),
  invoiceId: nullable(id('inv', 'ID of the invoice')),
  queuedPaymentId: nullable(id('qpy', 'Payment of the charge-later queue that it charges')),
  orderId: nullable(text('Order that the payment pays, or the order number of the shop', 'order-1001')),
  purchaseOrderNumber: nullable(text('Purchase order number of a business customer; null if there is none', 'PO-2291')),
  description: nullable(text('Description', 'Repair')),
  lineItems: list(LineItem, 'Lines of the sale; empty if it is not itemized'),
  metadata: nullable(metadata()),
  source: literals(['keyed', 'swiped', 'saved', 'api', 'recurring', 'link', 'terminal'], 'Origin of the card data', 'api'),
  channel: literals(CHANNELS, 'How the payment reached the merchant'),
  secCode: nullable(literals(SEC_CODES, 'Code of a bank debit or credit; null for a card', null)),
  bankAuthorization: nullable(BankAuthorization, 'Authorization of a bank debit', null),
  terminal: nullable(TerminalPayment, 'Payment on a card reader; null for every other payment', null),
  createdBy: nullable(text('Name of the person or API key that made the payment', 'admin@demo.example')),
  pendingReason: nullable(text('Reason why the status is `pending`', null)),
  authorizationExpiresAt: nullable(time('When an open authorization is voided unless it is captured; null for every other payment', null)),
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
});
export interface Transaction extends RecordOf<typeof Transaction> {
  readonly tenantId: string;
}

/** One entry in the history of a transaction. */
export const HistoryEntry = record('TransactionHistoryEntry', {
  at: time('Time of the event'),
  actor: text('User, API key or job that did it', 'Demo merchant key'),
  approvedBy,
  shiftId: nullable(id('shf', 'Shift in which the request was made; null if it belongs to none')),
  action: text('Action', 'transaction.create'),
  result: text('Result: `approved`, `declined`, `pending`, `failed`, `unconfirmed`, `held` or `cancelled`', 'approved'),
  amount: nullable(amount('Amount', 49.99)),
  processorRef: nullable(processorRef),
  reason: nullable(text('Reason', null)),
});
export type HistoryEntry = RecordOf<typeof HistoryEntry>;

/** The latest rerun of a declined or failed payment. */
const Rerun = record('Rerun', { transactionId, status: Transaction.properties.status });
export type LatestRerun = RecordOf<typeof Rerun>;

/** A transaction with the details that only single reads return. */
export const TransactionDetail = record('TransactionWithHistory', {
  ...Transaction.properties,
  rerun: nullable(
    Rerun,
    'The latest rerun of this declined or failed payment, null if there is none; unless its status is declined or failed, a further rerun is rejected with RESOURCE_CONFLICT',
    null,
  ),
  shippingAddress,
  history: list(HistoryEntry, 'Everything that happened to the transaction, oldest first'),
});
export interface TransactionDetail extends RecordOf<typeof TransactionDetail> {
  readonly tenantId: string;
}

/** Facts by which a person recognizes the payment of a line. */
export const PaymentFacts = record('PaymentFacts', {
  createdAt: Transaction.properties.createdAt,
  customer: customerOnRecord,
  ...MethodOnRecord,
  orderId: Transaction.properties.orderId,
  orderNumber: nullable(text('Number of the order that the payment pays; null if `orderId` is an order number of the shop', 'O-000002')),
});
export type PaymentFacts = RecordOf<typeof PaymentFacts>;

export const Refund = record('Refund', {
  refundId,
  transactionId,
  merchantId,
  status: literals(['approved', 'declined', 'pending', 'failed'], 'Status'),
  amount: amount('Amount', 49.99),
  ...PARTS,
  remainingAmount: amount('Amount of the transaction that can still be refunded after this refund', 0),
  currency: currencyCode(),
  reason: nullable(text('Reason', null)),
  type: literals(['full', 'partial'], '`full` if it refunds the whole captured amount, otherwise `partial`'),
  refundedAt: nullable(time('Time at which the refund was approved')),
  settledAt: nullable(time('Time of the settlement; null while unsettled')),
  ...MethodOnRecord,
  declineCode: nullable(literals(REFUND_DECLINE_CODES, REFUND_DECLINE_CODE, null)),
  declineReason,
  errorCode: nullable(literals(['REFUND_DECLINED'], '`REFUND_DECLINED` while the refund is declined, otherwise null', null)),
  metadata: nullable(metadata()),
  queuedForRetry: flag('True if the refund is retried automatically', false),
  retryScheduledAt: nullable(time('Time of the next retry; null if none is scheduled')),
  processorRef,
  sentAs: literals(
    ['refund', 'void', 'return', 'store_credit'],
    'How the money is returned: a refund, a void of the unsettled payment, a return by the bank, or store credit',
  ),
  giftCardId: nullable(text('Gift card or store credit that received the money; null for others', null)),
  approvedBy,
  createdAt: time('Time of creation'),
});
export type Refund = RecordOf<typeof Refund>;

/** A refund with its entry in the refund decline queue. */
export const RefundWithEntry = group('The refund', {
  ...Refund.properties,
  queueEntryId: nullable(id('rdq', 'Entry in the refund decline queue, on which the operations act; null if the refund was not declined')),
});
export type RefundWithEntry = RecordOf<typeof RefundWithEntry>;

/** An entry of the refund decline queue. */
export const QueueEntry = record('RefundQueueEntry', {
  id: id('rdq', 'ID of the entry'),
  transactionId,
  refundTransactionId: id('ref', 'The declined refund'),
  merchantId,
  amount: amount('Amount', 49.99),
  currency: currencyCode(),
  status: literals(['pending', 'processing', 'retry', 'resolved', 'failed', 'cancelled'], 'Status'),
  declineReason: text('Explanation of the decline', 'The account does not have enough money.'),
  declineCode: literals(REFUND_DECLINE_CODES, REFUND_DECLINE_CODE),
  gatewayType: text('Type of the processor', 'sandbox'),
  gatewayResponse: group('Answer of the processor', {
    code: text('Decline code', 'insufficient_funds'),
    message: text('Explanation for a person; may change, so programs compare `code`', 'The account does not have enough money.'),
  }),
  attemptCount: count('Retries made; 0 at first', 1),
  maxAttempts: count('Number of attempts after which the refund fails', 3),
  lastAttemptAt: nullable(time('Time of the last attempt')),
  scheduledRetryAt: nullable(time('Time of the next retry; null if none is scheduled')),
  customer: customerOnRecord,
  ...MethodOnRecord,
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
  resolvedAt: nullable(time('Time at which it was resolved')),
  resolvedBy: nullable(text('Name of the person who resolved it', null)),
  resolutionNotes: nullable(text('Notes of the person who resolved it', null)),
  refundMethod: nullable(text('How the money was returned outside of Paydesk', 'check')),
  refundDate: nullable(day('Day on which the money was returned')),
  cancelledAt: nullable(time('Time of the cancellation')),
  cancelledBy: nullable(text('Name of the person who canceled it', null)),
  cancellationReason: nullable(text('Reason of the cancellation', null)),
  cancellationNotes: nullable(text('Notes on the cancellation', null)),
});
export type QueueEntry = RecordOf<typeof QueueEntry>;

/** An entry with its retries. */
export const QueueEntryWithAttempts = record('RefundQueueEntryWithAttempts', {
  ...QueueEntry.properties,
  attempts: list(
    Type.Object({
      attemptNumber: count('Number of the attempt, from 1', 1),
      attemptedAt: time('Time of the attempt'),
      result: literals(['approved', 'declined', 'failed', 'pending', 'unconfirmed'], 'Result'),
      error: nullable(text('Reason of the failure; null if there is none', null)),
    }),
    'Attempts, oldest first',
  ),
});
export type QueueEntryWithAttempts = RecordOf<typeof QueueEntryWithAttempts>;

/** A declined refund after its retry was requested. */
export const RetriedRefund = record('RetriedRefund', {
  id: QueueEntry.properties.id,
  status: QueueEntry.properties.status,
  message: text('Explanation for a person', 'The refund is being retried.'),
  scheduledRetryAt: QueueEntry.properties.scheduledRetryAt,
});
export const ResolvedRefund = partOf('ResolvedRefund', QueueEntry, [
  'id',
  'status',
  'resolvedAt',
  'resolvedBy',
  'resolutionNotes',
  'refundMethod',
  'refundDate',
]);
export const CancelledRefund = partOf('CancelledRefund', QueueEntry, [
  'id',
  'status',
  'cancelledAt',
  'cancelledBy',
  'cancellationReason',
  'cancellationNotes',
]);

export const QueueStats = record('RefundQueueStats', {
  totalEntries: count('Number of entries', 4),
  resolved: count('Number that was resolved', 1),
  failed: count('Number that failed', 0),
  cancelled: count('Number of canceled entries', 0),
  pending: count('Still open: pending, retry or processing', 3),
  resolutionRate: number('0 to 1: share of resolved entries among the closed ones', 1),
  averageAttempts: number('Average number of attempts', 1.5),
  averageResolutionTime: text('Average time until an entry is resolved', '1h 5m'),
});
export type QueueStats = RecordOf<typeof QueueStats>;

/** Numbers of entries that a run of retries processed. */
export const RetryCounts = record('RefundRetryCounts', {
  processed: count('Number that was processed', 1),
  resolved: count('Number that was resolved', 1),
  requeued: count('Number that waits for another retry', 0),
  failed: count('Number that failed', 0),
});
export type RetryCounts = RecordOf<typeof RetryCounts>;

/** An operation at a gateway with an unknown outcome. */
export const UnconfirmedPayment = record('UnconfirmedPayment', {
  id: id('att', 'ID of the operation'),
  transactionId,
  refundId: nullable(refundId),
  merchantId,
  operation: literals(['sale', 'auth', 'capture', 'cancel_capture', 'adjust', 'void', 'refund', 'credit'], 'Operation at the processor'),
  amount: amount('Amount', 49.99),
  currency: currencyCode(),
  card: nullable(
    Type.Object({ brand: CardOnRecord.properties.brand, last4: CardOnRecord.properties.last4 }),
    'Card; null for other payment methods',
  ),
  bankAccount: nullable(
    Type.Object({ bankName: BankAccountOnRecord.properties.bankName, last4: BankAccountOnRecord.properties.last4 }),
    'Bank account; null for cards',
    null,
  ),
  customerName: nullable(text('Name of the customer', 'Ann Marsh')),
  gateway: text('Gateway that processed the payment', 'sandbox'),
  gatewayId: nullable(id('gw', 'ID of the gateway')),
  processorRef: id('sbx', 'Reference of Paydesk at the gateway'),
  since: time('Time of the request'),
  lastInquiryAt: nullable(time('Time of the last inquiry at the processor')),
  nextInquiryAt: nullable(time('Time of the next inquiry at the processor')),
  inquiries: count('Number of inquiries so far', 2),
  pendingReason: nullable(text('Why the gateway has not decided, such as held_for_review', null)),
  alert: nullable(text('Reason why a person should look at it')),
  stage: literals(
    ['open', 'waiting', 'ended'],
    'open: the outcome is unknown; waiting: a capture that could not be sent to its gateway in time; ended: concluded, but a person has something left to do',
  ),
  needsPerson: flag("A person should look it up on the processor's website, and may then conclude it", false),
  message: text(
    'One sentence: the situation and the next step',
    'The gateway did not respond. Paydesk inquires automatically; do not charge again.',
  ),
});
export type UnconfirmedPayment = RecordOf<typeof UnconfirmedPayment>;

export const UnconfirmedCounts = record(
  'UnconfirmedPaymentCounts',
  {
    unconfirmed: count('Number of unconfirmed payments', 0),
    inReview: count('Number of payments that a gateway holds for review', 0),
    needsPerson: count('Number of payments that only a person can resolve', 0),
  },
  'Counts for the requested merchants, without the other filters',
);
export type UnconfirmedCounts = RecordOf<typeof UnconfirmedCounts>;

/** Result of an inquiry: the attempt is concluded or still open; `isInquiring` while the gateway has not answered. */
export const InquiryResult = Type.Union([
  Type.Object({
    ended: Type.Literal(true, { description: 'True if the outcome is known' }),
    transaction: one(Transaction, 'The payment'),
  }),
  Type.Object({
    ended: Type.Literal(false, { description: 'False while the outcome is unknown' }),
    isInquiring: flag('True while the gateway has not responded, or another inquiry is running', false),
    unconfirmedPayment: one(UnconfirmedPayment, 'The unconfirmed payment'),
  }),
]);
export type InquiryResult = RecordOf<typeof InquiryResult>;
