import { amount, currencyCode, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';

/** A granted discount. */
export const Discount = record('Discount', {
  discountId: text('ID that the payment names in `discountId`', 'dct_00000000000000000000000000'),
  merchantId: text('ID of the merchant', 'mer_00000000000000000000000000'),
  price: amount('Price before the discount', 50),
  discountAmount: amount('Largest discount of the payment', 10),
  currency: currencyCode(),
  reason: nullable(text('Reason', 'Damaged box')),
  status: literals(['open', 'used'], '`open` until a payment uses it'),
  requestedBy: text('Email address of the user, or name of the API key, which alone may use it', 'cashier@example.com'),
  approvedBy: nullable(text('Person who approved the discount as the second one; null if it needed no approval', 'manager@shop.example')),
  expiresAt: time('End of the 15 minutes in which a payment can use it'),
});
export type Discount = RecordOf<typeof Discount>;
