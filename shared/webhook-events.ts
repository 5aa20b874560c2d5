import { BILLING_EVENTS } from './billing-events.ts';
import { CASH_EVENTS } from './cash-events.ts';
import {
  amount,
  CUSTOMER,
  common,
  commonOrNull,
  count,
  customer,
  DECLINED,
  type Declaration,
  day,
  dayOf,
  described,
  type EventGroup,
  event,
  flag,
  list,
  object,
  orNull,
  record,
  SAMPLE_AMOUNT,
  TRANSACTION_ID,
  text,
  time,
  titled,
  type ValueOf,
} from './event-schemas.ts';
import { GIFT_CARD_EVENTS } from './gift-card-events.ts';
import { INSTALLMENT_EVENTS } from './installment-events.ts';
import { ORDER_EVENTS } from './order-events.ts';
import { TERMINAL_EVENTS } from './terminal-events.ts';

const ofBankPayment = {
  bankAccount: described('Bank account that was charged', object({ ...common('last4'), accountType: text('Type of the account') })),
};

/** Parts of an amount. */
const parts = common('tipAmount', 'surchargeAmount', 'taxAmount');
const PARTS = { tipAmount: 0, surchargeAmount: 0, taxAmount: 0 };

const payment = common('transactionId', 'type', 'amount');
/** Fields of a payment that are absent unless the request had them. */
const ofRequest = {
  orderId: text('Order number of the shop'),
  ...common('customerId'),
  metadata: record('Values of your own, stored unchanged'),
};
const PAYMENT = { transactionId: TRANSACTION_ID, type: 'sale', amount: SAMPLE_AMOUNT, orderId: 'order-1003' };

const refund = { refundId: text('ID of the refund'), ...common('transactionId', 'amount') };
const REFUND = { refundId: 'ref_00000000000000000000000000', transactionId: TRANSACTION_ID, amount: SAMPLE_AMOUNT };

const queueEntry = { id: text('ID of the entry in the refund queue'), ...common('transactionId', 'amount') };
const QUEUE_ENTRY = { id: 'rdq_00000000000000000000000000', transactionId: TRANSACTION_ID, amount: SAMPLE_AMOUNT };

const chargeback = { chargebackId: text('ID of the chargeback'), ...common('transactionId', 'amount') };
const decidedChargeback = object({
  ...chargeback,
  outcome: text('Outcome: won or lost'),
  returnedAmount: amount('Part of the disputed amount that the decision returned to the merchant'),
});
const CHARGEBACK = { chargebackId: 'dsp_00000000000000000000000000', transactionId: TRANSACTION_ID, amount: SAMPLE_AMOUNT };

interface QueuedPaymentFields {
  readonly transactionId?: string;
  readonly declineCode?: string;
  readonly declineReason?: string;
  readonly invoiceId?: string;
}

/** Declares an event about a payment that is charged later. */
const queuedPayment = (status: string, fields: QueuedPaymentFields = {}) =>
  event(
    'Charge later',
    titled(
      'QueuedPaymentEventData',
      object({
        queuedPaymentId: text('ID of the payment that is charged later'),
        ...common('customerId', 'amount', 'currency', 'status'),
        ...commonOrNull('transactionId', 'declineCode', 'declineReason', 'invoiceId'),
      }),
    ),
    () => ({
      queuedPaymentId: 'qpy_00000000000000000000000000',
      customerId: 'cus_00000000000000000000000000',
      amount: SAMPLE_AMOUNT,
      currency: 'USD',
      status,
      transactionId: null,
      declineCode: null,
      declineReason: null,
      invoiceId: null,
      ...fields,
    }),
  );

const approval = (decidedBy: string | null) =>
  event(
    'Approvals',
    titled(
      'ApprovalEventData',
      object({
        approvalId: text('ID of the approval'),
        ...common('kind'),
        resource: text('Record of the request, such as `transactions/txn_…`'),
        ...commonOrNull('amount', 'currency'),
        ...common('reason'),
        requestReason: orNull(text('Reason that the requester gave; null if none')),
        customerName: orNull(text('Customer of the payment; null if it has none, or no name')),
        requestedBy: text('Email address of the user, or name of the API key, that made the request'),
        decidedBy: orNull(text('Person who approved or rejected; null before a decision')),
        expiresAt: time('Time at which it expires'),
      }),
    ),
    (at) => ({
      approvalId: 'apr_00000000000000000000000000',
      kind: 'refund',
      resource: `transactions/${TRANSACTION_ID}`,
      amount: 250,
      currency: 'USD',
      reason: 'Refunds above 100 USD need two people.',
      requestReason: 'The coffee was cold.',
      customerName: 'Ada Marlow',
      requestedBy: 'cashier@example.com',
      decidedBy,
      expiresAt: at,
    }),
  );

/** Declares an event with an entry of the security activity. */
const activity = (group: EventGroup, kind: string) =>
  event(
    group,
    titled(
      'SecurityEventData',
      object({
        id: text('ID of the entry in the audit log'),
        ...common('kind'),
        at: time('Time of the event'),
        actor: text('User, API key or job that did it'),
        action: text('Action'),
        resource: text('ID of the changed record'),
        before: orNull(record('Values before the change')),
        after: orNull(record('Values after the change')),
        ip: orNull(text('Network address of the caller')),
        userAgent: orNull(text('Program of the caller')),
        requestId: text('ID of the request, as in its `X-Request-Id` header'),
      }),
    ),
    (at) => ({
      id: 'aud_00000000000000000000000000',
      kind,
      at,
      actor: 'owner@example.com',
      action: 'test',
      resource: 'users/usr_00000000000000000000000000',
      before: {},
      after: {},
      ip: '203.0.113.7',
      userAgent: 'Test',
      requestId: 'req_00000000000000000000000000000000',
    }),
  );

/** All event types. The emitted events, lists, documentation and tests derive from them. */
export const WEBHOOK_EVENTS = {
  'transaction.approved': event(
    'Transactions',
    object(
      {
        ...payment,
        ...parts,
        ...common('discountAmount'),
        ...commonOrNull('discountApprovedBy'),
        ...common('currency'),
        authCode: orNull(text('Authorization code of the issuer')),
        card: orNull(described('Card; null for other payment methods', object(common('brand', 'last4')))),
        ...commonOrNull('channel'),
        customer,
      },
      { ...ofBankPayment, ...ofRequest, requestedAmount: amount('Requested amount, of which a part was approved') },
    ),
    () => ({
      ...PAYMENT,
      ...PARTS,
      discountAmount: 0,
      discountApprovedBy: null,
      currency: 'USD',
      authCode: '123456',
      card: { brand: 'visa', last4: '1111' },
      channel: 'internet',
      customer: CUSTOMER,
    }),
  ),
  'transaction.declined': event(
    'Transactions',
    object(
      {
        ...payment,
        ...commonOrNull('channel', 'declineCode', 'declineReason'),
        card: orNull(described('Card; null for other payment methods', object(common('last4')))),
      },
      { ...ofBankPayment, ...ofRequest, ...common('returned') },
    ),
    () => ({ ...PAYMENT, channel: 'internet', ...DECLINED, card: { last4: '1111' } }),
  ),
  'transaction.voided': event(
    'Transactions',
    object({ ...payment, ...common('currency'), ...commonOrNull('reason'), voidedAt: orNull(time('Time of the void')) }, ofRequest),
    (at) => ({ ...PAYMENT, currency: 'USD', reason: 'test', voidedAt: at }),
  ),
  'transaction.settled': event(
    'Transactions',
    object({
      ...common('transactionId', 'amount'),
      settlementId: text('ID of the settlement'),
      settlementDate: day('Day of the settlement'),
    }),
    (at) => ({
      transactionId: TRANSACTION_ID,
      amount: SAMPLE_AMOUNT,
      settlementId: 'stl_00000000000000000000000000',
      settlementDate: dayOf(at),
    }),
  ),
  'refund.processed': event('Refunds', object({ ...refund, ...parts, ...common('status'), ...commonOrNull('reason') }), () => ({
    ...REFUND,
    ...PARTS,
    status: 'approved',
    reason: 'test',
  })),
  'refund.declined': event(
    'Refunds',
    object({
      ...refund,
      ...commonOrNull('declineReason'),
      errorCode: orNull(text('Error code that matches the decline')),
      queuedForRetry: flag('true if the refund is retried automatically'),
    }),
    () => ({ ...REFUND, declineReason: 'Not authorized', errorCode: 'REFUND_DECLINED', queuedForRetry: true }),
  ),
  'refund_decline_queue.created': event('Failed refunds', object({ ...queueEntry, ...common('declineReason') }), () => ({
    ...QUEUE_ENTRY,
    declineReason: 'Not authorized',
  })),
  'refund_decline_queue.resolved': event(
    'Failed refunds',
    object({ ...queueEntry, resolvedAt: orNull(time('Time at which it was resolved')) }),
    (at) => ({
      ...QUEUE_ENTRY,
      resolvedAt: at,
    }),
  ),
  'refund_decline_queue.failed': event(
    'Failed refunds',
    object({ ...queueEntry, attemptCount: count('Number of attempts so far'), lastError: orNull(text('Reason of the last failure')) }),
    () => ({
      ...QUEUE_ENTRY,
      attemptCount: 3,
      lastError: 'R29: Not authorized',
    }),
  ),
  'refund_decline_queue.cancelled': event(
    'Failed refunds',
    object({
      ...queueEntry,
      ...commonOrNull('reason'),
      cancelledBy: orNull(text('Name of the person who canceled it')),
      ...commonOrNull('cancelledAt'),
    }),
    (at) => ({ ...QUEUE_ENTRY, reason: 'The payment was charged back.', cancelledBy: 'service', cancelledAt: at }),
  ),
  'chargeback.received': event(
    'Chargebacks',
    object({ ...chargeback, ...common('reason'), dueDate: day('Last day to respond'), stage: text('Stage of the dispute') }),
    (at) => ({
      ...CHARGEBACK,
      reason: 'fraudulent',
      dueDate: dayOf(at),
      stage: 'chargeback',
    }),
  ),
  'chargeback.won': event('Chargebacks', decidedChargeback, () => ({
    ...CHARGEBACK,
    outcome: 'won',
    returnedAmount: SAMPLE_AMOUNT,
  })),
  'chargeback.lost': event('Chargebacks', decidedChargeback, () => ({
    ...CHARGEBACK,
    outcome: 'lost',
    returnedAmount: 0,
  })),
  'dispute.evidence_due': event(
    'Chargebacks',
    object({
      disputeId: text('ID of the dispute'),
      ...common('transactionId', 'amount', 'reason', 'status'),
      dueDate: day('Last day to respond'),
      daysRemaining: count('Days until the evidence is due'),
    }),
    (at) => ({
      disputeId: CHARGEBACK.chargebackId,
      transactionId: TRANSACTION_ID,
      amount: SAMPLE_AMOUNT,
      reason: 'fraudulent',
      status: 'open',
      dueDate: dayOf(at),
      daysRemaining: 7,
    }),
  ),
  'payment_method.updated': event(
    'Payment methods',
    object({
      ...common('paymentMethodId', 'customerId'),
      replacedPaymentMethodId: orNull(text('ID of the payment method that was replaced; null if one was renewed with its own number')),
      ...common('type'),
      ...commonOrNull('brand'),
      ...common('last4'),
      expiryMonth: orNull(text('Month of expiry, two digits')),
      expiryYear: orNull(text('Year of expiry, four digits')),
      updatedBy: text('`customer` on the page of a link, or `merchant`'),
    }),
    () => ({
      paymentMethodId: 'pm_00000000000000000000000000',
      customerId: 'cus_00000000000000000000000000',
      replacedPaymentMethodId: 'pm_00000000000000000000000001',
      type: 'card',
      brand: 'visa',
      last4: '1111',
      expiryMonth: '12',
      expiryYear: '2031',
      updatedBy: 'customer',
    }),
  ),
  ...BILLING_EVENTS,
  ...INSTALLMENT_EVENTS,
  ...CASH_EVENTS,
  ...ORDER_EVENTS,
  ...GIFT_CARD_EVENTS,
  'customer_import.finished': event(
    'Customers',
    object({
      importId: text('ID of the import'),
      provider: orNull(text('Earlier provider of the customers')),
      lines: count('Number of payment methods and customers in the file'),
      create: count('Number of lines with a new customer'),
      update: count('Number of lines that add or renew a payment method of an existing customer'),
      duplicate: count('Number of lines that are known already'),
      shared: count('Number of lines with a card that another customer has'),
      rejected: count('Number of lines that cannot be imported'),
    }),
    () => ({
      importId: 'cim_00000000000000000000000000',
      provider: 'stripe',
      lines: 120,
      create: 100,
      update: 12,
      duplicate: 4,
      shared: 1,
      rejected: 3,
    }),
  ),
  'customer_export.downloaded': event(
    'Customers',
    object({
      exportId: text('ID of the export'),
      layout: text('Layout of the file: paydesk or stripe'),
      recipientFingerprint: text('Fingerprint of the OpenPGP key of the recipient'),
      customerCount: count('Number of customers in the file'),
      paymentMethodCount: count('Number of payment methods in the file'),
      leftOutCount: count('Number of cards that are stored at a gateway only, so the file has no number of them'),
      createdBy: text('Name of the creator'),
    }),
    () => ({
      exportId: 'cex_00000000000000000000000000',
      layout: 'paydesk',
      recipientFingerprint: '0000000000000000000000000000000000000000',
      customerCount: 100,
      paymentMethodCount: 112,
      leftOutCount: 0,
      createdBy: 'owner@example.com',
    }),
  ),
  'approval.requested': approval(null),
  'approval.approved': approval('manager@example.com'),
  'approval.rejected': approval('manager@example.com'),
  'approval.expired': approval(null),
  'queued_payment.created': queuedPayment('waiting'),
  'queued_payment.paid': queuedPayment('paid', { transactionId: TRANSACTION_ID }),
  'queued_payment.declined': queuedPayment('declined', { transactionId: TRANSACTION_ID, ...DECLINED }),
  'queued_payment.expired': queuedPayment('expired'),
  'queued_payment.cancelled': queuedPayment('cancelled'),
  'queued_payment.replaced': queuedPayment('replaced', { invoiceId: 'inv_00000000000000000000000000' }),
  ...TERMINAL_EVENTS,
  'system.connectivity_changed': event(
    'Connection',
    object({
      ...common('state'),
      previousState: text('State before the change'),
      since: time('Time since which this is so'),
      gateways: list(object({ gatewayId: text('ID of the gateway'), ...common('name', 'state') }), 'Active gateways of the merchant'),
    }),
    (at) => ({
      state: 'gateway-down',
      previousState: 'online',
      since: at,
      gateways: [{ gatewayId: 'gtw_00000000000000000000000000', name: 'Main', state: 'down' }],
    }),
  ),
  'security.sign_in': activity('Sign-ins', 'sign-in'),
  'security.sign_in_failed': activity('Sign-ins', 'sign-in-failed'),
  'security.second_factor_failed': activity('Sign-ins', 'second-factor-failed'),
  'security.new_device': activity('Sign-ins', 'new-device'),
  'security.session_revoked': activity('Sign-ins', 'session-revoked'),
  'security.password_changed': activity('Changes of access', 'password-changed'),
  'security.two_factor_changed': activity('Changes of access', 'two-factor-changed'),
  'security.role_changed': activity('Changes of access', 'role-changed'),
  'security.company_sign_in': activity('Sign-ins', 'company-sign-in'),
  'security.key_changed': activity('Changes of access', 'key-changed'),
  'security.channel_changed': activity('Changes of access', 'channel-changed'),
  'security.payer_address_changed': activity('Changes of access', 'payer-address-changed'),
  'security.destination_changed': activity('Changes of access', 'destination-changed'),
} as const satisfies Record<string, Declaration<object>>;

export type EventType = keyof typeof WEBHOOK_EVENTS;
type PaymentEventType = Exclude<EventType, `security.${string}`>;
export const EVENT_TYPES = Object.keys(WEBHOOK_EVENTS) as EventType[];

/** An event about payments: its type with the data that the type declares. */
export type PaymentEvent = {
  [Type in PaymentEventType]: { readonly type: Type; readonly data: ValueOf<(typeof WEBHOOK_EVENTS)[Type]['data']> };
}[PaymentEventType];

/** Other names of event types for registration; the event is delivered under the registered name. */
export const ALIASES: Readonly<Record<string, EventType>> = { 'refund.approved': 'refund.processed' };
/** Subscribes to every type except those of security activity, which are for owners only. */
export const EVERY_TYPE = '*';
/** Subscribes to every type of security activity. */
export const EVERY_SECURITY_TYPE = 'security.*';

/** Returns true if a registered name is a type of security activity. */
export const isSecurityName = (name: string): boolean => name.startsWith('security.');
