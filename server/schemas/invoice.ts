import { Type } from 'typebox';
import type { Invoice, InvoicePayment, InvoicesSummary, PaidInvoice, PayInput, SentInvoice } from '#core/billing/invoicing';
import { ServiceError, toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { type PaymentMethodInput, Transaction } from '#core/sales/payments';
import { declinedBody, success } from '#server/http';
import type { AccountHolder } from '#shared/channels';
import { BankAuthorizationIn, ChannelIn } from './channel.ts';
import { AddressIn, BankAccountIn } from './customer.ts';
import {
  AmountIn,
  CardIn,
  CurrencyIn,
  CvvIn,
  EmailIn,
  Lines,
  Maybe,
  PART_RANGE,
  PartsIn,
  PurchaseOrderIn,
  Success,
  Text,
  Timestamp,
} from './fields.ts';
import { PhoneIn } from './identity.ts';
import { METHOD_FIELDS, refuseSecondMethod, required } from './input.ts';
import { named } from './named.ts';

export const INVOICE_STATUSES = ['draft', 'sent', 'partially_paid', 'paid', 'overdue', 'cancelled'] as const;
export const INVOICE_KINDS = ['invoice', 'link'] as const;
const METHODS = ['cash', 'check', 'card', 'ach', 'token', 'other'] as const;
const ITEMS_MAX = 200;

/** Major units. */
const Amount = Type.Number({ description: 'major units' });
const DueDateIn = Type.String({
  maxLength: 20,
  description: 'YYYY-MM-DD in the time zone of the merchant; the invoice is overdue after that day. By default in 30 days',
  'x-error-code': 'INVALID_DATE',
});

const ItemIn = named(
  'InvoiceItemInput',
  Type.Object({
    itemId: Type.Optional(
      Maybe(Text(60, 'item of the merchant that fills description and unit price, with its tax; null for a line of its own')),
    ),
    description: Type.Optional(Lines(500, 'required without `itemId`')),
    quantity: Type.Union([Type.Number(), Type.String({ maxLength: 20 })], { description: 'greater than 0, with at most 3 decimals' }),
    unitPrice: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 20 })], { description: 'an amount of 0 or more; required without `itemId`' }),
    ),
  }),
);
const ItemsIn = Type.Array(ItemIn, {
  maxItems: ITEMS_MAX,
  description: `at most ${ITEMS_MAX} items of {description, quantity, unitPrice}, or {itemId, quantity}`,
});

const CollectShippingIn = Type.Optional(
  Type.Boolean({ description: 'whether the page requires a shipping address, which is kept with each payment; default false' }),
);

const TaxIn = Type.Optional({
  ...PartsIn.taxAmount,
  description: `${PART_RANGE}; the tax within the amount, of which each payment carries its share`,
});

const shared = {
  amount: Type.Optional(AmountIn),
  taxAmount: TaxIn,
  purchaseOrderNumber: Type.Optional(Maybe(PurchaseOrderIn)),
  currency: Type.Optional(CurrencyIn),
  dueDate: Type.Optional(DueDateIn),
  items: Type.Optional(ItemsIn),
  note: Type.Optional(Maybe(Lines(2_000))),
  description: Type.Optional(Maybe(Lines(500))),
  allowPartial: Type.Optional(Type.Boolean({ description: 'whether the payer may pay a part of the amount on the page; default false' })),
  collectShippingAddress: CollectShippingIn,
};

/** Fields of a new invoice: an amount, or items from which it is computed. */
export const NewInvoiceFields = { customerId: Text(60), ...shared, merchantId: Type.Optional(Text(60)) };
export const InvoiceChangeFields = { customerId: Type.Optional(Text(60)), ...shared };

/** Fields of a new payment link: an amount, or items from which it is computed. */
export const NewLinkIn = named(
  'NewPaymentLink',
  Type.Object({
    amount: Type.Optional(AmountIn),
    items: Type.Optional(ItemsIn),
    taxAmount: TaxIn,
    purchaseOrderNumber: Type.Optional(PurchaseOrderIn),
    currency: Type.Optional(CurrencyIn),
    description: Type.Optional(Lines(500)),
    customerEmail: Type.Optional(EmailIn),
    phone: Type.Optional(PhoneIn),
    sendVia: Type.Optional(
      Type.Array(literals(['email', 'sms']), {
        maxItems: 2,
        uniqueItems: true,
        description: 'email, sms or both: sends the link to `customerEmail` and `phone`; without it, the link is only returned',
      }),
    ),
    expiresAt: Type.Optional(Text(40, 'an ISO 8601 time in the future, such as 2027-01-31T12:00:00Z')),
    allowPartial: Type.Optional(Type.Boolean({ description: 'whether the payer may pay a part of the amount; default false' })),
    collectShippingAddress: CollectShippingIn,
    askForTip: Type.Optional({
      ...literals(['default', 'yes', 'no']),
      description: 'whether the page asks for a tip; `default` follows `pageTips` of the merchant',
    }),
    merchantId: Type.Optional(Text(60)),
  }),
);

export const SendFields = {
  sendVia: Type.Optional(
    Type.Array(literals(['email', 'sms']), { minItems: 1, maxItems: 2, uniqueItems: true, description: 'email (default), sms or both' }),
  ),
  email: Type.Optional(EmailIn),
  phone: Type.Optional(PhoneIn),
  message: Type.Optional(Lines(1_000, 'text that is added to the message')),
};

export const InvoicePaymentFields = {
  amount: AmountIn,
  surchargeAmount: Type.Optional({
    ...PartsIn.surchargeAmount,
    description: `${PART_RANGE}; the surcharge on a card, charged in addition to the amount`,
  }),
  paymentMethod: Type.Optional(
    Type.Union(
      METHODS.map((method) => Type.Literal(method)),
      { description: `one of ${METHODS.join(', ')}; required unless \`token\` is given` },
    ),
  ),
  card: Type.Optional(CardIn),
  bankAccount: Type.Optional(BankAccountIn),
  token: Type.Optional(Text(60, 'token of a stored payment method of the customer; without it the default payment method is charged')),
  cvv: Type.Optional(CvvIn),
  channel: ChannelIn,
  bankAuthorization: BankAuthorizationIn,
  reference: Type.Optional(Text(100, 'reference of the payment, such as a check number')),
  note: Type.Optional(Lines(500)),
  drawer: Type.Optional(Text(40, 'for cash: drawer into which it goes, whose open shift counts it')),
};

type InvoicePaymentBody = Pick<
  PayInput,
  'amount' | 'surchargeAmount' | 'channel' | 'bankAuthorization' | 'reference' | 'note' | 'drawer'
> & {
  readonly paymentMethod?: string;
  readonly card?: { readonly number: string; readonly expiryMonth: string; readonly expiryYear: string; readonly cvv?: string };
  readonly bankAccount?: {
    readonly accountNumber: string;
    readonly routingNumber: string;
    readonly accountType: string;
    readonly accountHolderName: string;
    readonly accountHolderType?: AccountHolder;
  };
  readonly token?: string;
  readonly cvv?: string;
};

/** Parses a payment. @throws ServiceError REQUIRED_FIELD_MISSING for the card or account to charge; VALIDATION_ERROR for one that would not be charged. */
export function payInputFrom(body: InvoicePaymentBody): PayInput {
  const { amount, surchargeAmount, channel, bankAuthorization, reference, note, drawer } = body;
  const kind = body.paymentMethod ?? kindOf(body);
  const paymentMethod = required(kind, 'paymentMethod') as PayInput['paymentMethod'];
  const method = methodOf({ ...body, paymentMethod });
  // Of a recorded payment, the invoice would be paid, and no money taken.
  refuseSecondMethod(body, isCharged(paymentMethod) ? METHOD_FIELDS[paymentMethod] : null);
  const { cvv } = body;
  if (cvv !== undefined && !isCharged(paymentMethod)) {
    const message = '`cvv` is the security code of a stored card. Leave it out, or change `paymentMethod`.';
    throw new ServiceError('VALIDATION_ERROR', message, { field: 'cvv' });
  }
  for (const field of ['channel', 'bankAuthorization'] as const)
    if (body[field] !== undefined && !isCharged(paymentMethod))
      throw new ServiceError('VALIDATION_ERROR', `A payment without a processor has no \`${field}\`.`, { field });
  return { amount, surchargeAmount, channel, bankAuthorization, reference, note, drawer, paymentMethod, method, cvv };
}

/** Returns true if a payment method is charged; the others are recorded only. */
const isCharged = (method: PayInput['paymentMethod']): method is keyof typeof METHOD_FIELDS => Object.hasOwn(METHOD_FIELDS, method);

/** Returns the payment method of a body without `paymentMethod`, by its other fields. */
function kindOf({ card, bankAccount, token }: InvoicePaymentBody): 'card' | 'ach' | 'token' | undefined {
  if (token !== undefined) return 'token';
  if (card !== undefined) return 'card';
  return bankAccount === undefined ? undefined : 'ach';
}

function methodOf({ paymentMethod, card, bankAccount, token }: InvoicePaymentBody): PaymentMethodInput | undefined {
  if (paymentMethod === 'card') return { kind: 'card', ...required(card, 'card') };
  if (paymentMethod === 'ach') return { kind: 'ach', ...required(bankAccount, 'bankAccount') };
  return paymentMethod === 'token' && token !== undefined ? { kind: 'token', token } : undefined;
}

const PaymentOut = named(
  'InvoicePayment',
  Type.Object({
    paymentId: Type.String(),
    method: literals(METHODS),
    amount: Type.Number({ description: 'amount that pays the invoice, in major units; tip and surcharge come in addition' }),
    taxAmount: Type.Number({ description: 'share of the tax of the invoice within the amount, in major units' }),
    tipAmount: Amount,
    surchargeAmount: Amount,
    status: literals(['pending', 'succeeded', 'failed', 'voided']),
    transactionId: Maybe(Type.String({ description: 'null for a payment without a processor' })),
    tenderId: Maybe(Type.String({ description: 'tender of a payment in cash, by check or otherwise without a processor' })),
    card: Maybe(Type.Object({ brand: Type.String(), last4: Type.String() })),
    bankAccount: Maybe(Type.Object({ last4: Type.String() })),
    reference: Maybe(Type.String()),
    note: Maybe(Type.String()),
    origin: literals(['desk', 'page']),
    actor: Type.String(),
    declineCode: Transaction.properties.declineCode,
    declineReason: Maybe(Type.String()),
    refundedAmount: Type.Number({ description: 'refunded amount, in major units; a refund does not reopen the invoice' }),
    createdAt: Timestamp,
  }),
);

/** An invoice or a payment link. */
export const InvoiceOut = named(
  'Invoice',
  Type.Object({
    invoiceId: Type.String(),
    number: Type.String({ description: 'consecutive number per merchant, without gaps' }),
    kind: literals(INVOICE_KINDS),
    merchantId: Type.String(),
    customerId: Maybe(Type.String()),
    customer: Maybe(
      Type.Object({
        name: Maybe(Type.String()),
        email: Maybe(Type.String()),
        phone: Maybe(Type.String()),
        company: Maybe(Type.String()),
        address: Maybe(AddressIn),
      }),
    ),
    amount: Amount,
    taxAmount: Type.Number({ description: 'tax within the amount, in major units' }),
    amountPaid: Amount,
    amountPending: Type.Number({ description: 'amount reserved by pending payments, in major units' }),
    amountDue: Type.Number({ description: 'amount less amountPaid, in major units' }),
    currency: Type.String(),
    dueDate: Maybe(Type.String()),
    items: Type.Array(
      Type.Object({
        itemId: Maybe(Type.String({ description: 'item that the line was filled from; null for a line of its own' })),
        description: Type.String(),
        quantity: Type.Number(),
        unitPrice: Amount,
        amount: Amount,
      }),
    ),
    note: Maybe(Type.String()),
    description: Maybe(Type.String()),
    purchaseOrderNumber: Maybe(Type.String()),
    allowPartial: Type.Boolean(),
    collectShippingAddress: Type.Boolean(),
    askForTip: literals(['default', 'yes', 'no']),
    status: literals(INVOICE_STATUSES),
    delivery: Type.Union(
      [
        Type.Object({ channel: literals(['email', 'sms']), status: literals(['waiting', 'queued', 'sent', 'failed', 'expired']) }),
        Type.Null(),
      ],
      {
        description:
          'whether a provider has accepted a message with it; `waiting` means that its channel is not set up, and null that there is no message',
      },
    ),
    sentAt: Maybe(Timestamp),
    paidAt: Maybe(Timestamp),
    overdueAt: Maybe(Timestamp),
    cancelledAt: Maybe(Timestamp),
    cancelReason: Maybe(Type.String()),
    expiresAt: Maybe(Timestamp),
    url: Type.String({ description: 'address of the payment page' }),
    shortUrl: Type.String(),
    isLocalOnly: Type.Boolean({ description: 'whether the addresses can be opened on this computer only' }),
    payments: Type.Array(PaymentOut, { description: 'oldest first; of the payments that failed on the page, only the newest 20' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);
export const SentInvoiceOut = named('SentInvoice', Type.Object({ ...InvoiceOut.properties, messageIds: Type.Array(Type.String()) }));
export const PaidInvoiceOut = Type.Union([Success(InvoiceOut), declinedBody(Transaction)]);
export const LinkOut = named(
  'InvoiceLink',
  Type.Object({
    invoiceId: Type.String(),
    url: Type.String(),
    shortUrl: Type.String(),
    messageIds: Type.Array(Type.String(), { description: 'messages with the link in the outbox; empty without `sendVia`' }),
  }),
);

const Sum = named('InvoiceSum', Type.Object({ count: Type.Integer(), amount: Amount }));
export const InvoicesSummaryOut = named(
  'InvoicesSummary',
  Type.Object({ currency: Type.String(), outstanding: Sum, overdue: Sum, paidIn30Days: Sum }),
);

export function invoiceRecord({ tenantId: _, ...invoice }: Invoice) {
  return {
    ...invoice,
    amount: toNumber(invoice.amount),
    taxAmount: toNumber(invoice.taxAmount),
    amountPaid: toNumber(invoice.amountPaid),
    amountPending: toNumber(invoice.amountPending),
    amountDue: toNumber(invoice.amountDue),
    items: invoice.items.map((item) => ({ ...item, unitPrice: toNumber(item.unitPrice), amount: toNumber(item.amount) })),
    payments: invoice.payments.map(paymentRecord),
  };
}

function paymentRecord(payment: InvoicePayment) {
  const { amount, taxAmount, tipAmount, surchargeAmount } = payment;
  return {
    ...payment,
    amount: toNumber(amount),
    taxAmount: toNumber(taxAmount),
    tipAmount: toNumber(tipAmount),
    surchargeAmount: toNumber(surchargeAmount),
    refundedAmount: toNumber(payment.refundedAmount),
  };
}

export const showInvoice = ({ invoice }: { readonly invoice: Invoice }) => success(invoiceRecord(invoice));

export function showLink({ invoice: { invoiceId, url, shortUrl }, messageIds }: SentInvoice) {
  return success({ invoiceId, url, shortUrl, messageIds });
}

/** Parses a new link. */
export function newLinkFrom<Body extends { readonly sendVia?: readonly string[] }>({ sendVia, ...body }: Body) {
  return { ...body, ...(sendVia !== undefined && { sendVia: sendVia as ('email' | 'sms')[] }) };
}

/** Returns the response of a payment: the invoice, or the declined transaction. */
export function showPaidInvoice({ invoice, transaction }: PaidInvoice) {
  if (transaction?.status === 'declined') return { success: false, data: transaction };
  return success(invoiceRecord(invoice));
}

export function invoicesSummaryRecord({ currency, outstanding, overdue, paidIn30Days }: InvoicesSummary) {
  const shown = ({ count, amount }: InvoicesSummary['overdue']) => ({ count, amount: toNumber(amount) });
  return { currency, outstanding: shown(outstanding), overdue: shown(overdue), paidIn30Days: shown(paidIn30Days) };
}
