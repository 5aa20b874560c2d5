import { Type } from 'typebox';
import { ASK_FOR_TIP, PAYMENT_METHODS, type PayInput } from '#core/billing/invoicing';
import { ServiceError } from '#core/kernel';
import { literals } from '#core/platform/fields';
import type { PaymentMethodInput } from '#core/sales/payments';
import type { AccountHolder } from '#shared/channels';
import { BankAuthorizationIn, ChannelIn } from './channel.ts';
import { BankAccountIn } from './customer.ts';
import {
  AmountIn,
  CardIn,
  CurrencyIn,
  CustomerIdIn,
  CvvIn,
  DescriptionIn,
  EmailIn,
  Lines,
  Maybe,
  MerchantIn,
  NoteIn,
  PART_RANGE,
  PartsIn,
  PurchaseOrderIn,
  Text,
} from './fields.ts';
import { PhoneIn } from './identity.ts';
import { METHOD_FIELDS, refuseSecondMethod, required } from './input.ts';
import { named } from './named.ts';

const ITEMS_MAX = 200;

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
  note: Type.Optional(Maybe(Lines(2_000, 'Note', 'Agreed with the customer.'))),
  description: Type.Optional(Maybe(DescriptionIn)),
  allowPartial: Type.Optional(Type.Boolean({ description: 'whether the payer may pay a part of the amount on the page; default false' })),
  collectShippingAddress: CollectShippingIn,
};

/** Fields of a new invoice: an amount, or items from which it is computed. */
export const NewInvoiceFields = { customerId: CustomerIdIn, ...shared, merchantId: MerchantIn };
export const InvoiceChangeFields = { customerId: Type.Optional(CustomerIdIn), ...shared };

/** Fields of a new payment link: an amount, or items from which it is computed. */
export const NewLinkIn = named(
  'NewPaymentLink',
  Type.Object({
    amount: Type.Optional(AmountIn),
    items: Type.Optional(ItemsIn),
    taxAmount: TaxIn,
    purchaseOrderNumber: Type.Optional(PurchaseOrderIn),
    currency: Type.Optional(CurrencyIn),
    description: Type.Optional(DescriptionIn),
    customerEmail: Type.Optional(EmailIn('Email address of the customer')),
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
      ...literals(ASK_FOR_TIP),
      description: 'whether the page asks for a tip; `default` follows `pageTips` of the merchant',
    }),
    merchantId: MerchantIn,
  }),
);

export const SendFields = {
  sendVia: Type.Optional(
    Type.Array(literals(['email', 'sms']), { minItems: 1, maxItems: 2, uniqueItems: true, description: 'email (default), sms or both' }),
  ),
  email: Type.Optional(EmailIn()),
  phone: Type.Optional(PhoneIn),
  message: Type.Optional(Lines(1_000, 'text that is added to the message')),
};

export const InvoicePaymentFields = {
  amount: AmountIn,
  surchargeAmount: Type.Optional({
    ...PartsIn.surchargeAmount,
    description: `${PART_RANGE}; the surcharge on a card, charged in addition to the amount`,
  }),
  paymentMethod: Type.Optional(literals(PAYMENT_METHODS, `one of ${PAYMENT_METHODS.join(', ')}; required unless \`token\` is given`)),
  card: Type.Optional(CardIn),
  bankAccount: Type.Optional(BankAccountIn),
  token: Type.Optional(Text(60, 'token of a stored payment method of the customer; without it the default payment method is charged')),
  cvv: Type.Optional(CvvIn),
  channel: ChannelIn,
  bankAuthorization: BankAuthorizationIn,
  reference: Type.Optional(Text(100, 'reference of the payment, such as a check number')),
  note: Type.Optional(NoteIn),
  drawer: Type.Optional(Text(40, 'for cash: drawer into which it goes, whose open shift counts it')),
};

type InvoicePaymentBody = Pick<
  PayInput,
  'amount' | 'surchargeAmount' | 'channel' | 'bankAuthorization' | 'reference' | 'note' | 'drawer'
> & {
  readonly paymentMethod?: PayInput['paymentMethod'];
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
  const paymentMethod = required(kind, 'paymentMethod');
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
