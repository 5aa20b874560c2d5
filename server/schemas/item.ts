import { Type } from 'typebox';
import { toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import { ITEM_LAYOUTS, type Item, type ItemImport } from '#core/sales/items';
import { CODE, NOT_FREE_TEXT, ZERO_ALLOWED } from '#server/http';
import { Maybe, PART_RANGE, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

export const ITEM_KINDS = ['item', 'amount'] as const;
export const ITEM_STATUSES = ['active', 'archived'] as const;

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
  kind: Type.Optional(literals(ITEM_KINDS)),
  name: Type.Optional(Text(100)),
  price: Type.Optional(PriceIn),
  taxRate: Type.Optional(Maybe(TaxRateIn)),
  taxIncluded: Type.Optional(Type.Boolean({ description: 'true if the price includes the tax; otherwise the tax is added' })),
  key: Type.Optional(Maybe(KeyIn)),
  barcode: Type.Optional(Maybe(BarcodeIn)),
  category: Type.Optional(Maybe(CategoryIn)),
  status: Type.Optional(literals(ITEM_STATUSES)),
};

export const NewItemBody = Type.Object({ ...ItemFields, merchantId: Type.Optional(Text(60)) });
export const ItemBody = Type.Object(ItemFields);
export const ItemOrderBody = Type.Object({
  itemIds: Type.Array(Text(60), { maxItems: 2_000, description: 'items in the order of their buttons; items that are not named follow' }),
  merchantId: Type.Optional(Text(60)),
});
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
  merchantId: Type.Optional(Text(60)),
});

/** An item or quick amount of a merchant. */
export const ItemOut = named(
  'Item',
  Type.Object({
    itemId: Type.String({ examples: ['itm_00000000000000000000000000'] }),
    merchantId: Type.String(),
    kind: literals(ITEM_KINDS),
    name: Type.String(),
    price: Type.Number({ description: 'price of one unit, in major units' }),
    currency: Type.String(),
    taxRate: Maybe(Type.Number({ description: 'tax rate in percent; null for no tax' })),
    taxIncluded: Type.Boolean(),
    key: Maybe(Type.String()),
    barcode: Maybe(Type.String()),
    category: Maybe(
      Type.String({ description: 'group of buttons on the Sell screen and of the report by item; null for none', examples: ['Drinks'] }),
    ),
    status: literals(ITEM_STATUSES),
    position: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
);

const ITEM_FIELDS = ['kind', 'name', 'price', 'taxRate', 'taxIncluded', 'key', 'barcode', 'category', 'status'] as const;
const ChangedValue = Maybe(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));

const FieldChangeOut = named(
  'ItemFieldChange',
  Type.Object({
    field: literals(ITEM_FIELDS),
    before: ChangedValue,
    after: ChangedValue,
  }),
);

const ItemFieldsOut = named(
  'ImportedItem',
  Type.Pick(ItemOut, ITEM_FIELDS, { description: 'the item as the line is read; null for an error, and for a line that is skipped' }),
);

const LineOut = named(
  'ItemImportLine',
  Type.Object({
    line: Type.Integer({ description: 'number of the line in the file, from 1' }),
    name: Maybe(Type.String()),
    result: literals(['created', 'updated', 'unchanged', 'skipped', 'error']),
    reason: Maybe(Type.String({ description: 'reason of an error, or why the line is skipped; null otherwise' })),
    changes: Type.Array(FieldChangeOut, { description: 'fields of an existing item that the line changes' }),
    item: Maybe(ItemFieldsOut),
  }),
);

export const ItemImportOut = named(
  'ItemImport',
  Type.Object({
    stored: Type.Boolean({ description: 'false after a dry run, and if a line has an error: then nothing was stored' }),
    layout: literals(ITEM_LAYOUTS),
    ignoredColumns: Type.Array(Type.String(), { description: 'columns of the file that are not read, at most 50' }),
    created: Type.Integer({ description: 'number of new items' }),
    updated: Type.Integer({ description: 'number of changed items' }),
    unchanged: Type.Integer({ description: 'number of lines that equal their item' }),
    skipped: Type.Integer({ description: 'number of lines of other products without a fixed price' }),
    failed: Type.Integer({ description: 'number of lines with an error' }),
    lines: Type.Array(LineOut, { description: 'result of each line, in the order of the file' }),
  }),
);

export const catalogItemRecord = ({ price, ...rest }: Item) => ({ ...rest, price: toNumber(price) });
export const itemImportRecord = (result: ItemImport) => ({
  ...result,
  ignoredColumns: [...result.ignoredColumns],
  lines: result.lines.map((line) => ({ ...line, changes: [...line.changes] })),
});
