import type { TaxRule } from '#renderer/base/money';
import { digitsOf, monthOf, readExpiry } from '#renderer/shared/card-entry';
import type { AccountHolder } from '#shared/channels';
import { isOrderId } from '#shared/order-id';
import { shippingAddressText } from '#shared/shipping-address';
import type { Discount } from '../form/discount.ts';
import type { AccountType, CardEntry, ChargeMode, SaleType, SaleValues, SellChannel } from '../form/form.ts';
import { totalOf } from '../form/total.ts';
import type { LineRequest } from '../items/basket.ts';

/** Properties of a sale besides the text of its fields. */
export interface SaleChoices {
  readonly type: SaleType;
  readonly mode: ChargeMode;
  readonly entry: CardEntry;
  readonly accountType: AccountType;
  readonly accountHolder: AccountHolder;
  readonly channel: SellChannel;
  readonly merchantId: string;
  readonly currency: string;
  readonly country: string;
  readonly tax?: TaxRule | null;
  readonly surchargePercent?: number;
  /** Discount on the typed amount; lines have their own. */
  readonly discount?: Discount | null;
  /** True if the payment method may pay a part of a split sale: a card by its number, on a card reader, or on file. */
  readonly takesPart: boolean;
  /** Card reader of a payment on it. */
  readonly terminalId?: string;
  readonly customerId?: string;
  /** Consent of the customer to save the card or account. */
  readonly saveConsent?: string;
  /** Lines of an itemized sale, which add up to the amount without tip and surcharge. */
  readonly lineItems?: LineRequest[] | undefined;
  /** Lines of the order that the payment pays, by their position. */
  readonly orderLines?: number[];
}

/** The body of POST /transactions. Contains card data: created for one request and never stored. */
export interface SaleRequest {
  type: SaleType;
  /** Total, with the parts below included. */
  amount: string;
  tipAmount?: string;
  taxAmount?: string;
  surchargeAmount?: string;
  discountAmount?: string;
  /** Discount that was granted before. */
  discountId?: string;
  currency: string;
  merchantId: string;
  paymentMethod: 'card' | 'ach' | 'token' | 'terminal';
  source?: CardEntry | 'saved';
  card?: { number: string; expiryMonth: string; expiryYear: string; cvv?: string };
  bankAccount?: {
    accountNumber: string;
    routingNumber: string;
    accountType: AccountType;
    accountHolderName: string;
    accountHolderType: AccountHolder;
  };
  terminalId?: string;
  /** True if the card reader adds the surcharge after it has read a credit card. */
  addSurcharge?: true;
  /** Absent on a card reader, which reports it. */
  channel?: SellChannel;
  bankAuthorization?: { reference: string };
  token?: string;
  billing?: Record<string, string>;
  customer?: { name?: string; email?: string };
  customerId?: string;
  saveConsent?: string;
  orderId?: string;
  orderLines?: number[];
  /** True if a prepaid card may pay a part of a split sale. */
  allowPartialApproval?: true;
  description?: string;
  shippingAddress?: string;
  lineItems?: LineRequest[];
  /** Phone of the customer. */
  metadata?: Record<string, string>;
}

/** Returns the request of a valid form; null if a field is invalid. */
export function saleRequest(values: SaleValues, choices: SaleChoices, now: Date): SaleRequest | null {
  const total = totalOf(values, choices);
  const payment = paymentOf(values, choices, now);
  if (total === null || payment === null) return null;
  const textOf = (field: keyof SaleValues) => values[field]?.trim() || undefined;
  const proof = choices.mode === 'card' || choices.mode === 'reader' ? undefined : textOf('proof');
  return {
    type: choices.type,
    amount: total.decimal,
    ...withoutEmpty({
      tipAmount: total.tip ?? undefined,
      taxAmount: total.tax ?? undefined,
      surchargeAmount: total.surcharge ?? undefined,
      discountAmount: total.discount ?? undefined,
    }),
    currency: choices.currency,
    merchantId: choices.merchantId,
    ...payment,
    ...(choices.mode === 'reader' ? {} : { channel: choices.channel }),
    ...(proof === undefined ? {} : { bankAuthorization: { reference: proof } }),
    ...optionalField('billing', billingOf(values, choices.country)),
    ...optionalField('customer', withoutEmpty({ name: textOf('name') ?? textOf('holder'), email: textOf('email') })),
    ...withoutEmpty({
      orderId: textOf('order'),
      description: textOf('description'),
      shippingAddress: shippingOf(values, choices.country),
      customerId: choices.customerId,
      saveConsent: choices.mode === 'saved' || choices.mode === 'reader' ? undefined : choices.saveConsent,
    }),
    ...(choices.takesPart && choices.type === 'sale' && isOrderId(textOf('order')) && { allowPartialApproval: true as const }),
    ...(choices.lineItems && { lineItems: choices.lineItems }),
    ...(choices.orderLines && { orderLines: choices.orderLines }),
    ...optionalField('metadata', withoutEmpty({ phone: textOf('phone') })),
  };
}

type Payment = Pick<SaleRequest, 'paymentMethod' | 'source' | 'card' | 'bankAccount' | 'token' | 'terminalId' | 'addSurcharge'>;

function paymentOf(
  values: SaleValues,
  { mode, entry, accountType, accountHolder, terminalId, surchargePercent = 0 }: SaleChoices,
  now: Date,
): Payment | null {
  if (mode === 'reader')
    return terminalId === undefined
      ? null
      : { paymentMethod: 'terminal', terminalId, ...(surchargePercent > 0 && { addSurcharge: true as const }) };
  if (mode === 'saved') return { paymentMethod: 'token', source: 'saved', token: (values.token ?? '').trim() };
  if (mode === 'bank') {
    const bankAccount = {
      accountNumber: digitsOf(values.account ?? ''),
      routingNumber: digitsOf(values.routing ?? ''),
      accountType,
      accountHolderName: (values.holder ?? '').trim(),
      accountHolderType: accountHolder,
    };
    return { paymentMethod: 'ach', source: 'keyed', bankAccount };
  }
  const expiry = readExpiry(values.expiry ?? '', monthOf(now));
  if (expiry.kind !== 'valid') return null;
  const cvv = digitsOf(values.code ?? '');
  const card = { number: digitsOf(values.number ?? ''), expiryMonth: expiry.month, expiryYear: expiry.year, ...(cvv ? { cvv } : {}) };
  return { paymentMethod: 'card', source: entry, card };
}

function billingOf(values: SaleValues, country: string): Record<string, string> {
  const [firstName, ...rest] = (values.name ?? '').trim().split(/\s+/);
  const address = withoutEmpty({
    address: values.street?.trim(),
    city: values.city?.trim(),
    state: values.state?.trim(),
    zip: values.zip?.trim(),
  });
  const billingCountry = Object.keys(address).length > 0 ? country : '';
  return { ...withoutEmpty({ firstName, lastName: rest.join(' ') }), ...address, ...withoutEmpty({ country: billingCountry }) };
}

function shippingOf(values: SaleValues, country: string): string {
  const textOf = (field: keyof SaleValues) => values[field]?.trim().replaceAll(/\s+/g, ' ') ?? '';
  const [street, city, state, zip] = [textOf('shipStreet'), textOf('shipCity'), textOf('shipState'), textOf('shipZip')];
  return shippingAddressText({ street, city, state, zip, country: textOf('shipCountry') }, country);
}

function optionalField<Key extends string, Value extends object>(key: Key, value: Value): Partial<Record<Key, Value>> {
  return (Object.keys(value).length === 0 ? {} : { [key]: value }) as Partial<Record<Key, Value>>;
}

/** Returns the texts that are not empty: the service distinguishes an absent field from an empty one. */
function withoutEmpty(texts: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== ''));
}
