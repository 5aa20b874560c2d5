import { Type } from 'typebox';
import { CODE, literals } from '#core/platform/fields';
import { ITEM_KINDS, ITEM_STATUSES, ItemMapping } from '#core/sales/items';
import { NOT_FREE_TEXT, ZERO_ALLOWED } from '#server/http';
import { Maybe, MerchantIn, PART_RANGE, Text } from './fields.ts';

const PriceIn = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  [CODE]: 'INVALID_AMOUNT',
  [ZERO_ALLOWED]: true,
  description: `${PART_RANGE}; the price of one unit in the currency of the merchant`,
  examples: [4.5],
});
const TaxRateIn = Type.Union([Type.Number(), Type.String({ maxLength: 10 })], {
  description: 'tax rate in percent, at most 100 with at most 3 decimals',
  examples: [8.875],
});
const KeyIn = Text(20, 'short code that is typed at the terminal; 1 to 8 letters or digits, stored in capitals');
const BarcodeIn = Type.String({ [NOT_FREE_TEXT]: 'barcode', maxLength: 64, description: 'barcode; 4 to 64 characters without spaces' });

const CategoryIn = Text(40, 'group of buttons on the Sell screen and of the report by item, such as Drinks');

const ItemFields = {
  kind: Type.Optional(literals(ITEM_KINDS, 'Kind')),
  name: Type.Optional(Text(100, 'Name', 'Harbor Street')),
  price: Type.Optional(PriceIn),
  taxRate: Type.Optional(Maybe(TaxRateIn)),
  taxIncluded: Type.Optional(Type.Boolean({ description: 'true if the price includes the tax; otherwise the tax is added' })),
  key: Type.Optional(Maybe(KeyIn)),
  barcode: Type.Optional(Maybe(BarcodeIn)),
  category: Type.Optional(Maybe(CategoryIn)),
  status: Type.Optional(literals(ITEM_STATUSES, 'Status')),
};

export const NewItemBody = Type.Object({ ...ItemFields, merchantId: MerchantIn });
export const ItemBody = Type.Object(ItemFields);
export const ItemOrderBody = Type.Object({
  itemIds: Type.Array(Text(60), { maxItems: 2_000, description: 'items in the order of their buttons; items that are not named follow' }),
  merchantId: MerchantIn,
});
/** Fields of the form of an import; `mapping` is JSON. */
export const ItemImportFields = Type.Object({
  dryRun: Type.Optional(
    Type.String({ pattern: '^(true|false)$', description: '`true` or `false`; `true` checks the file and stores nothing' }),
  ),
  taxIncluded: Type.Optional(
    Type.String({
      pattern: '^(true|false)$',
      description: '`true` if the prices of a file without the column `taxIncluded` include the tax',
    }),
  ),
  mapping: Type.Optional(ItemMapping),
  merchantId: MerchantIn,
});
