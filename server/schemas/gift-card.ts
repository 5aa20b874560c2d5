import { Type } from 'typebox';
import { GiftCardMapping } from '#core/sales/gift-cards';
import { AMOUNT_RANGE, AmountIn, CurrencyIn, DateIn, EmailIn, Maybe, MerchantIn, Text } from './fields.ts';
import { named } from './named.ts';

const CODE_MAX = 120;
const PIN_MAX = 12;

/** Code of a gift card, also as the text of its QR code or magnetic stripe. */
export const GiftCardCodeIn = Text(
  CODE_MAX,
  'code of a gift card: typed, or the text of its QR code or magnetic stripe',
  'ABCD-EFGH-JKLM-7K2M',
);
export const GiftCardPinIn = Text(PIN_MAX, 'PIN of the gift card, if it has one');
const PrintedCode = {
  code: Type.Optional(
    Text(
      CODE_MAX,
      'code of a card that the merchant has printed, with 16 mixed letters and digits or 25 digits, or shorter with `pin`; by default a new code',
    ),
  ),
  pin: Type.Optional(Text(PIN_MAX, 'PIN of the printed card, 4 to 12 digits')),
};
const ReasonIn = Text(200, 'reason, which the history of the card shows');

export const NewGiftBody = named(
  'NewGiftCard',
  Type.Object({
    amount: AmountIn,
    currency: Type.Optional(CurrencyIn),
    reason: ReasonIn,
    ...PrintedCode,
    customerId: Type.Optional(Text(60, 'customer who gets the amount as store credit, without a code')),
    merchantId: MerchantIn,
  }),
);
export const GiftCardBalanceBody = Type.Object({
  code: GiftCardCodeIn,
  pin: Type.Optional(GiftCardPinIn),
  merchantId: MerchantIn,
});
export const EmailGiftCardBody = Type.Object({
  code: GiftCardCodeIn,
  email: EmailIn(),
  merchantId: MerchantIn,
});
export const ReloadGiftCardBody = Type.Object({ amount: AmountIn, reason: ReasonIn });
export const StoreCreditRefundBody = named(
  'NewStoreCreditRefund',
  Type.Object({
    paymentId: Type.Optional(Text(60, 'transaction or tender')),
    orderId: Type.Optional(Text(60, 'order, whose payments are refunded in proportion')),
    amount: Type.Optional({ ...AmountIn, description: `${AMOUNT_RANGE}; by default everything that can be refunded` }),
    reason: Type.Optional(ReasonIn),
    customerId: Type.Optional(Text(60, 'customer whose store credit gets the money')),
    giftCardId: Type.Optional(Text(60, 'gift card that gets the money; by default a new one')),
  }),
);
/** Fields of the form of an import; `mapping` is JSON. */
export const GiftCardImportFields = Type.Object({
  dryRun: Type.Optional(
    Type.String({ pattern: '^(true|false)$', description: '`true` or `false`; `true` checks the file and stores nothing' }),
  ),
  mapping: Type.Optional(GiftCardMapping),
  merchantId: Type.Optional(Text(60, "one merchant; by default the caller's")),
});
export const ExtendGiftCardBody = Type.Object({
  expiresOn: Maybe(DateIn('last day on which the card pays, in the time zone of the merchant; null for never')),
  reason: ReasonIn,
});
export const AssignGiftCardBody = Type.Object({ customerId: Maybe(Text(60, 'customer whom the card names; null for none')) });
export const BlockGiftCardBody = Type.Object({ reason: Type.Optional(ReasonIn) });
export const ReplaceGiftCardBody = Type.Object({ ...PrintedCode, reason: Type.Optional(ReasonIn) });

/** Gift cards that an order sells. */
export const OrderGiftCardsIn = Type.Optional(
  Type.Array(
    Type.Object({
      amount: { ...AmountIn, description: `${AMOUNT_RANGE}; put on the card when the order is paid` },
      ...PrintedCode,
      giftCardId: Type.Optional(Text(60, 'card that is reloaded; by default a new one')),
    }),
    {
      minItems: 1,
      maxItems: 20,
      description: 'gift cards that the order sells; each adds a line without tax, and the response contains the codes of new ones',
    },
  ),
);
