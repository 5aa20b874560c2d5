import { CASH_EVENTS } from './cash-events.ts';
import {
  amount,
  CUSTOMER,
  count,
  DECLINED,
  type Declaration,
  day,
  dayOf,
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

const customer = orNull(object({ email: orNull(text) }));
const ofBankPayment = { bankAccount: object({ last4: text, accountType: text }) };

/** Parts of an amount. */
const parts = { tipAmount: amount, surchargeAmount: amount, taxAmount: amount };
const PARTS = { tipAmount: 0, surchargeAmount: 0, taxAmount: 0 };

const payment = { transactionId: text, type: text, amount };
/** Fields of a payment that are absent unless the request had them. */
const ofRequest = { orderId: text, customerId: text, metadata: record };
const PAYMENT = { transactionId: TRANSACTION_ID, type: 'sale', amount: SAMPLE_AMOUNT, orderId: 'order-1003' };

const refund = { refundId: text, transactionId: text, amount };
const REFUND = { refundId: 'ref_00000000000000000000000000', transactionId: TRANSACTION_ID, amount: SAMPLE_AMOUNT };

const queueEntry = { id: text, transactionId: text, amount };
const QUEUE_ENTRY = { id: 'rdq_00000000000000000000000000', transactionId: TRANSACTION_ID, amount: SAMPLE_AMOUNT };

const chargeback = { chargebackId: text, transactionId: text, amount };
const CHARGEBACK = { chargebackId: 'dsp_00000000000000000000000000', transactionId: TRANSACTION_ID, amount: SAMPLE_AMOUNT };

const subscription = { subscriptionId: text, customerId: text, amount, status: text, nextPaymentDate: orNull(day) };
const subscriptionAt = (at: string, status: string) => ({
  subscriptionId: 'sub_00000000000000000000000000',
  customerId: 'cus_00000000000000000000000000',
  amount: SAMPLE_AMOUNT,
  status,
  nextPaymentDate: dayOf(at),
});

const invoice = object({ invoiceId: text, transactionId: orNull(text), amountPaid: amount, amountDue: amount, status: text, customer });
const invoiceOf = (status: string, amountPaid: number) => ({
  invoiceId: 'inv_00000000000000000000000000',
  transactionId: TRANSACTION_ID,
  amountPaid,
  amountDue: Math.round((SAMPLE_AMOUNT - amountPaid) * 100) / 100,
  status,
  customer: CUSTOMER,
});

const openInvoice = {
  invoiceId: text,
  number: text,
  dueDate: orNull(day),
  amountDue: amount,
  currency: text,
  status: text,
  customer,
};
const lateFee = { ...openInvoice, lateFeeId: text, period: count, feeAmount: amount, reason: orNull(text) };
const openInvoiceAt = (at: string) => ({
  invoiceId: 'inv_00000000000000000000000000',
  number: 'INV-000042',
  dueDate: dayOf(at),
  amountDue: SAMPLE_AMOUNT,
  currency: 'USD',
  status: 'overdue',
  customer: CUSTOMER,
});
const lateFeeAt = (at: string, reason: string | null) => ({
  ...openInvoiceAt(at),
  lateFeeId: 'lfe_00000000000000000000000000',
  period: 1,
  feeAmount: 5,
  reason,
});

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
        queuedPaymentId: text,
        customerId: text,
        amount,
        currency: text,
        status: text,
        transactionId: orNull(text),
        declineCode: orNull(text),
        declineReason: orNull(text),
        invoiceId: orNull(text),
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
        approvalId: text,
        kind: text,
        resource: text,
        amount: orNull(amount),
        currency: orNull(text),
        reason: text,
        requestedBy: text,
        decidedBy: orNull(text),
        expiresAt: time,
      }),
    ),
    (at) => ({
      approvalId: 'apr_00000000000000000000000000',
      kind: 'refund',
      resource: `transactions/${TRANSACTION_ID}`,
      amount: 250,
      currency: 'USD',
      reason: 'Refunds above 100 USD need two people.',
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
        id: text,
        kind: text,
        at: time,
        actor: text,
        action: text,
        resource: text,
        before: orNull(record),
        after: orNull(record),
        ip: orNull(text),
        userAgent: orNull(text),
        requestId: text,
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
        discountAmount: amount,
        discountApprovedBy: orNull(text),
        currency: text,
        authCode: orNull(text),
        card: orNull(object({ brand: text, last4: text })),
        channel: orNull(text),
        customer,
      },
      { ...ofBankPayment, ...ofRequest, requestedAmount: amount },
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
      { ...payment, channel: orNull(text), declineCode: orNull(text), declineReason: orNull(text), card: orNull(object({ last4: text })) },
      { ...ofBankPayment, ...ofRequest, returned: flag },
    ),
    () => ({ ...PAYMENT, channel: 'internet', ...DECLINED, card: { last4: '1111' } }),
  ),
  'transaction.voided': event(
    'Transactions',
    object({ ...payment, currency: text, reason: orNull(text), voidedAt: orNull(time) }, ofRequest),
    (at) => ({ ...PAYMENT, currency: 'USD', reason: 'test', voidedAt: at }),
  ),
  'transaction.settled': event('Transactions', object({ transactionId: text, amount, settlementId: text, settlementDate: day }), (at) => ({
    transactionId: TRANSACTION_ID,
    amount: SAMPLE_AMOUNT,
    settlementId: 'stl_00000000000000000000000000',
    settlementDate: dayOf(at),
  })),
  'refund.processed': event('Refunds', object({ ...refund, ...parts, status: text, reason: orNull(text) }), () => ({
    ...REFUND,
    ...PARTS,
    status: 'approved',
    reason: 'test',
  })),
  'refund.declined': event(
    'Refunds',
    object({ ...refund, declineReason: orNull(text), errorCode: orNull(text), queuedForRetry: flag }),
    () => ({ ...REFUND, declineReason: 'Not authorized', errorCode: 'REFUND_DECLINED', queuedForRetry: true }),
  ),
  'refund_decline_queue.created': event('Failed refunds', object({ ...queueEntry, declineReason: text }), () => ({
    ...QUEUE_ENTRY,
    declineReason: 'Not authorized',
  })),
  'refund_decline_queue.resolved': event('Failed refunds', object({ ...queueEntry, resolvedAt: orNull(time) }), (at) => ({
    ...QUEUE_ENTRY,
    resolvedAt: at,
  })),
  'refund_decline_queue.failed': event('Failed refunds', object({ ...queueEntry, attemptCount: count, lastError: orNull(text) }), () => ({
    ...QUEUE_ENTRY,
    attemptCount: 3,
    lastError: 'R29: Not authorized',
  })),
  'refund_decline_queue.cancelled': event(
    'Failed refunds',
    object({ ...queueEntry, reason: orNull(text), cancelledBy: orNull(text), cancelledAt: orNull(time) }),
    (at) => ({ ...QUEUE_ENTRY, reason: 'The payment was charged back.', cancelledBy: 'service', cancelledAt: at }),
  ),
  'chargeback.received': event('Chargebacks', object({ ...chargeback, reason: text, dueDate: day, stage: text }), (at) => ({
    ...CHARGEBACK,
    reason: 'fraudulent',
    dueDate: dayOf(at),
    stage: 'chargeback',
  })),
  'chargeback.won': event('Chargebacks', object({ ...chargeback, outcome: text, returnedAmount: amount }), () => ({
    ...CHARGEBACK,
    outcome: 'won',
    returnedAmount: SAMPLE_AMOUNT,
  })),
  'chargeback.lost': event('Chargebacks', object({ ...chargeback, outcome: text, returnedAmount: amount }), () => ({
    ...CHARGEBACK,
    outcome: 'lost',
    returnedAmount: 0,
  })),
  'dispute.evidence_due': event(
    'Chargebacks',
    object({ disputeId: text, transactionId: text, amount, reason: text, status: text, dueDate: day, daysRemaining: count }),
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
      paymentMethodId: text,
      customerId: text,
      replacedPaymentMethodId: orNull(text),
      type: text,
      brand: orNull(text),
      last4: text,
      expiryMonth: orNull(text),
      expiryYear: orNull(text),
      updatedBy: text,
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
  'subscription.created': event('Subscriptions', object(subscription), (at) => subscriptionAt(at, 'active')),
  'subscription.payment_succeeded': event(
    'Subscriptions',
    object({ ...subscription, transactionId: orNull(text), customer: object({ email: orNull(text) }) }),
    (at) => ({ ...subscriptionAt(at, 'active'), transactionId: TRANSACTION_ID, customer: CUSTOMER }),
  ),
  'subscription.payment_failed': event(
    'Subscriptions',
    object(
      { ...subscription, transactionId: orNull(text), declineCode: orNull(text), declineReason: orNull(text), attempt: count },
      { returned: flag },
    ),
    (at) => ({ ...subscriptionAt(at, 'past_due'), transactionId: TRANSACTION_ID, ...DECLINED, attempt: 1 }),
  ),
  'subscription.payment_abandoned': event(
    'Subscriptions',
    object({ ...subscription, dueDate: day, periods: count, attempts: count }),
    (at) => ({
      ...subscriptionAt(at, 'past_due'),
      dueDate: dayOf(at),
      periods: 1,
      attempts: 3,
    }),
  ),
  'subscription.cancelled': event('Subscriptions', object({ ...subscription, reason: orNull(text), cancelledAt: orNull(time) }), (at) => ({
    ...subscriptionAt(at, 'cancelled'),
    reason: 'test',
    cancelledAt: at,
  })),
  'subscription.expired': event('Subscriptions', object(subscription), (at) => subscriptionAt(at, 'expired')),
  'invoice.paid': event('Invoices', invoice, () => invoiceOf('paid', SAMPLE_AMOUNT)),
  'invoice.partially_paid': event('Invoices', invoice, () => invoiceOf('partially_paid', 20)),
  'invoice.overdue': event('Invoices', invoice, () => invoiceOf('overdue', 0)),
  'invoice.reminder_sent': event('Invoices', object({ ...openInvoice, days: count, channel: text, messageId: text }), (at) => ({
    ...openInvoiceAt(at),
    days: 7,
    channel: 'email',
    messageId: 'msg_00000000000000000000000000',
  })),
  'invoice.promised': event('Invoices', object({ ...openInvoice, promisedDate: orNull(day), promisedBy: orNull(text) }), (at) => ({
    ...openInvoiceAt(at),
    promisedDate: dayOf(at),
    promisedBy: 'Ines Brandt',
  })),
  'invoice.late_fee_charged': event('Invoices', object(lateFee), (at) => lateFeeAt(at, null)),
  'invoice.late_fee_reversed': event('Invoices', object(lateFee), (at) => lateFeeAt(at, 'Agreed with the customer')),
  ...INSTALLMENT_EVENTS,
  ...CASH_EVENTS,
  ...ORDER_EVENTS,
  ...GIFT_CARD_EVENTS,
  'customer_import.finished': event(
    'Customers',
    object({
      importId: text,
      provider: orNull(text),
      lines: count,
      create: count,
      update: count,
      duplicate: count,
      shared: count,
      rejected: count,
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
      exportId: text,
      layout: text,
      recipientFingerprint: text,
      customerCount: count,
      paymentMethodCount: count,
      leftOutCount: count,
      createdBy: text,
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
      state: text,
      previousState: text,
      since: time,
      gateways: list(object({ gatewayId: text, name: text, state: text })),
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
