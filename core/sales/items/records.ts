import { Type } from 'typebox';
import type { Money } from '#core/kernel';
import {
  amount,
  count,
  currencyCode,
  flag,
  id,
  list,
  literals,
  nullable,
  number,
  type RecordOf,
  record,
  text,
  time,
} from '#core/platform/fields';
import { columnMapping } from '#core/platform/imports';
import { ITEM_COLUMNS, ITEM_LAYOUTS } from './file-layouts.ts';
import { ITEM_KINDS, ITEM_STATUSES } from './schema.ts';

/** One line of a sale. It is a copy: later changes of its item never alter it. */
export const LineItem = record('LineItem', {
  itemId: nullable(id('itm', 'Item that the line was filled from; null for none')),
  description: text('Description', 'Repair'),
  quantity: number('Number of units, with at most three decimals', 1),
  unitPrice: amount('Price of one unit', 80),
  taxRate: nullable(number('Tax rate in percent; null for no tax')),
  taxIncluded: flag('True if the price includes the tax; otherwise the tax is added', false),
  discountAmount: amount('Discount that was taken off quantity times unit price before the tax', 5),
  taxAmount: amount('Tax within the amount', 4.25),
  amount: amount('Amount of the line with its tax', 49.99),
});
export interface LineItem extends RecordOf<typeof LineItem> {
  /** Price of the item, if it is higher and in the same currency; only on lines of a request, not on stored ones. */
  readonly listPrice?: Money;
}

const fields = {
  kind: literals(ITEM_KINDS, '`item`, or `amount` for a quick amount without a tax or a barcode'),
  name: text('Name', 'Coffee'),
  price: amount('Price of one unit', 4.5),
  taxRate: nullable(number('Tax rate in percent; null for no tax', 8.875)),
  taxIncluded: flag('True if the price includes the tax; otherwise the tax is added', false),
  key: nullable(text('Short code that is typed at the terminal; null for none', 'C1')),
  barcode: nullable(text('Barcode, as a scanner types it; null for none', '4006381333931')),
  category: nullable(text('Group of buttons on the Sell screen and of the report by item; null for none', 'Drinks')),
  status: literals(ITEM_STATUSES, 'An archived item is not offered at the terminal'),
};

/** An item or quick amount of a merchant. */
export const Item = record('Item', {
  itemId: id('itm', 'ID of the item'),
  merchantId: id('mer', 'ID of the merchant'),
  kind: fields.kind,
  name: fields.name,
  price: fields.price,
  currency: currencyCode(),
  taxRate: fields.taxRate,
  taxIncluded: fields.taxIncluded,
  key: fields.key,
  barcode: fields.barcode,
  category: fields.category,
  status: fields.status,
  position: count('Order of the buttons', 1),
  createdAt: time('Time of creation'),
  updatedAt: time('Time of the last change'),
});
export type Item = RecordOf<typeof Item>;

const ImportedItem = record('ImportedItem', { ...fields, price: number('Price of one unit, in major units', 4.5) });
/** Fields of an item as a file states them. */
export type ItemFields = RecordOf<typeof ImportedItem>;
export const ITEM_FIELDS = Object.keys(fields) as (keyof ItemFields)[];

const value = (description: string) => nullable(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), description);

/** A field of an item with its value before and after a change. */
const ItemFieldChange = record('ItemFieldChange', {
  field: literals(ITEM_FIELDS, 'Name of the field'),
  before: value('Value before the change'),
  after: value('Value after the change'),
});
export type ItemFieldChange = RecordOf<typeof ItemFieldChange>;

/** Result of one line of a file. */
const ItemImportLine = record('ItemImportLine', {
  line: count('Number of the line in the file, from 1', 2),
  name: nullable(text('Name of the item; null if it cannot be read', 'Coffee')),
  result: literals(['created', 'updated', 'unchanged', 'skipped', 'error'], 'Result of the line'),
  reason: nullable(text('Reason of an error, or why the line is skipped; null otherwise', null)),
  changes: list(ItemFieldChange, 'Fields of an existing item that the line changes'),
  item: nullable(ImportedItem, 'The item as the line is read; null for an error, and for a line that is skipped'),
});
export type ItemImportLine = RecordOf<typeof ItemImportLine>;

/** Columns of a file of items by field. */
export const ItemMapping = columnMapping(ITEM_COLUMNS, ['name', 'price']);

/** Result of an import. */
export const ItemImport = record('ItemImport', {
  stored: flag('False after a dry run, and if a line has an error: then nothing was stored', true),
  layout: literals(ITEM_LAYOUTS, 'Product whose export was recognized'),
  mapping: ItemMapping,
  ignoredColumns: list(text('Name of a column', 'Supplier'), 'Columns of the file that are not read, at most 50'),
  created: count('Number of new items', 1),
  updated: count('Number of changed items', 0),
  unchanged: count('Number of lines that equal their item', 0),
  skipped: count('Number of lines of other products without a fixed price', 0),
  failed: count('Number of lines with an error', 0),
  lines: list(ItemImportLine, 'Result of each line, in the order of the file'),
});
export type ItemImport = RecordOf<typeof ItemImport>;
