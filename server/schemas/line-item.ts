import { type Static, Type } from 'typebox';
import { CODE } from '#core/platform/fields';
import { ZERO_ALLOWED } from '#server/http';
import { Maybe, PART_RANGE, Text } from './fields.ts';
import { named } from './named.ts';

const LINES_MAX = 100;

const LineItemIn = named(
  'LineItemInput',
  Type.Object({
    itemId: Type.Optional(Text(60, 'item that fills the fields that are not sent')),
    description: Type.Optional(Text(100, 'by default the name of the item')),
    quantity: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 15 })], {
        description: 'above 0 with at most 3 decimals; by default 1',
        examples: [2],
      }),
    ),
    unitPrice: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
        [CODE]: 'INVALID_AMOUNT',
        [ZERO_ALLOWED]: true,
        description: `${PART_RANGE}; the price of one unit, by default that of the item`,
        examples: [4.5],
      }),
    ),
    taxRate: Type.Optional(
      Maybe(
        Type.Union([Type.Number(), Type.String({ maxLength: 10 })], {
          description: 'tax rate in percent; null for none; by default that of the item',
          examples: [8.875],
        }),
      ),
    ),
    taxIncluded: Type.Optional(Type.Boolean({ description: 'true if `unitPrice` includes the tax; by default that of the item' })),
    discountAmount: Type.Optional(
      Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
        [CODE]: 'INVALID_AMOUNT',
        [ZERO_ALLOWED]: true,
        description: `${PART_RANGE}; the discount of the line, taken off before the tax: at most quantity times unit price, by default 0`,
        examples: [5],
      }),
    ),
  }),
);

const LINES = {
  maxItems: LINES_MAX,
  description: `lines of the sale, at most ${LINES_MAX}. Their amounts, with tip and surcharge, must add up to the amount, and their taxes to the tax; a tax that is not sent is computed`,
};

/** Lines of an itemized sale. */
export const LineItemsIn = Type.Optional(Type.Array(LineItemIn, LINES));

const { itemId, description, quantity, unitPrice, taxRate, discountAmount } = LineItemIn.properties;

/** Same as LineItemsIn, in the naming of the SDK surface. */
export const SdkLineItemsIn = Type.Optional(
  Type.Array(
    Type.Object({
      ItemId: itemId,
      Description: description,
      Quantity: quantity,
      UnitPrice: unitPrice,
      TaxRate: taxRate,
      TaxIncluded: Type.Optional(Type.Boolean({ description: 'true if `UnitPrice` includes the tax; by default that of the item' })),
      DiscountAmount: discountAmount,
    }),
    LINES,
  ),
);

/** Returns the lines of a request of the SDK surface in the naming of the core. */
export const linesFromSdk = (lines: Static<typeof SdkLineItemsIn> | undefined): Static<typeof LineItemsIn> | undefined =>
  lines?.map((line) => ({
    itemId: line.ItemId,
    description: line.Description,
    quantity: line.Quantity,
    unitPrice: line.UnitPrice,
    taxRate: line.TaxRate,
    taxIncluded: line.TaxIncluded,
    discountAmount: line.DiscountAmount,
  }));
