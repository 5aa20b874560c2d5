import { Type } from 'typebox';
import { group, literals } from '#core/platform/fields';
import { type PaymentMethodInput, Transaction } from '#core/sales/payments';
import { check, NOT_FREE_TEXT, Outcome, route } from '#server/http';
import {
  AmountIn,
  CardIn,
  CurrencyIn,
  CustomerIdIn,
  CvvIn,
  checkMetadata,
  EmailIn,
  OwnFieldsIn,
  SALE_ERRORS,
  Text,
  TokenIn,
} from '#server/schemas';

const ByToken = Type.Object({ token: TokenIn, cvv: Type.Optional(CvvIn) });
/** Required format of `paymentMethod.data` for a token and for a card. */
const WITH_TOKEN = Type.Object({ paymentMethod: group('Payment method', { data: ByToken }) });
const WITH_CARD = Type.Object({ paymentMethod: group('Payment method', { data: CardIn }) });

const FIELDS = {
  ...Object.fromEntries(['number', 'expiryMonth', 'expiryYear', 'cvv'].map((name) => [`card.${name}`, `paymentMethod.data.${name}`])),
  cvv: 'paymentMethod.data.cvv',
};

const Body = Type.Object({
  amount: AmountIn,
  currency: CurrencyIn,
  gid: Type.String({
    [NOT_FREE_TEXT]: 'identifier',
    minLength: 1,
    maxLength: 200,
    description: "the platform's own ID of the payment, 1 to 200 characters",
  }),
  paymentMethod: group('Payment method', {
    type: literals(['card', 'credit_card', 'token'], 'card, credit_card or token'),
    data: Type.Object(
      { ...Type.Partial(CardIn).properties, token: Type.Optional(TokenIn) },
      { [NOT_FREE_TEXT]: 'protected', description: '`token` with an optional `cvv`, or a card as on POST /transactions' },
    ),
  }),
  description: OwnFieldsIn.description,
  metadata: OwnFieldsIn.metadata,
  customerId: Type.Optional(CustomerIdIn),
  cancelUrl: Type.Optional(Text(2_000, 'address to which the platform returns the buyer; stored with the payment')),
  orderId: Type.Optional(Type.String({ [NOT_FREE_TEXT]: 'identifier', maxLength: 100, description: "the platform's ID of the order" })),
  merchantId: Type.Optional(
    Text(60, 'merchant that charges, for an API key of the whole account; by default that of the token, else the first one'),
  ),
  customer: Type.Optional(
    group('Customer as named for this record', {
      email: Type.Optional(EmailIn()),
      name: Type.Optional(Text(200, 'Name')),
      firstName: Type.Optional(Text(100, 'First name')),
      lastName: Type.Optional(Text(100, 'Last name')),
    }),
  ),
});
type Sale = Type.Static<typeof Body>;

/** Returns the payment method, by the fields of its data. */
function methodOf({ data }: Sale['paymentMethod']): { readonly method: PaymentMethodInput; readonly cvv?: string } {
  const isToken = 'token' in data;
  check(isToken ? WITH_TOKEN : WITH_CARD, { paymentMethod: { data } });
  if (!isToken) return { method: { kind: 'card', ...(data as Type.Static<typeof CardIn>) } };
  const { token, cvv } = data as Type.Static<typeof ByToken>;
  return { method: { kind: 'token', token }, ...(cvv !== undefined && { cvv }) };
}

function nameOf({ customer }: Sale): string | undefined {
  return customer?.name ?? ([customer?.firstName, customer?.lastName].filter(Boolean).join(' ') || undefined);
}

/** Route for a payment of an e-commerce platform. */
export const shopifyTransaction = route({
  surface: 'public',
  scope: 'merchant',
  method: 'POST',
  tag: 'Public API',
  permission: 'transactions:write',
  idempotent: true,
  idempotentBy: ['gid', 'amount', 'currency'],
  path: '/shopifyTransaction',
  id: 'public.shopifyTransaction',
  summary: 'Sale for an e-commerce platform',
  description:
    'A sale for an order of the platform. Without an Idempotency-Key, a repeated request with the same `gid`, amount and currency gets the first response and charges nothing more, because platforms repeat requests whose response they did not receive. `gid` and `cancelUrl` are stored in `metadata`, and replace fields of these names in it.',
  rate: 'create-transaction',
  body: Body,
  response: Outcome(Transaction),
  fields: FIELDS,
  errors: SALE_ERRORS,
  run: ({ core, actor, body }) => {
    const { gid, cancelUrl, paymentMethod, customer, metadata, ...sale } = body;
    return core.payments.createPayment(actor, {
      ...sale,
      type: 'sale',
      ...methodOf(paymentMethod),
      customer: { email: customer?.email, name: nameOf(body) },
      metadata: checkMetadata({ ...metadata, gid, ...(cancelUrl !== undefined && { cancelUrl }) }),
      source: 'api',
    });
  },
});
