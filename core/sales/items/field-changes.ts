import { toNumber } from '#core/kernel';
import { toItem } from './item.ts';
import { ITEM_FIELDS, type ItemFieldChange, type ItemFields } from './records.ts';
import type { ItemRow } from './schema.ts';

/** Returns the fields of an item with the values of the API. */
export function fieldsOf(row: ItemRow): ItemFields {
  const { kind, name, price, taxRate, taxIncluded, key, barcode, category, status } = toItem(row);
  return { kind, name, price: toNumber(price), taxRate, taxIncluded, key, barcode, category, status };
}

/** Returns the fields that differ between two states of an item, with the values of the API. */
export function fieldChanges(before: ItemRow, after: ItemRow): ItemFieldChange[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return ITEM_FIELDS.flatMap((field) => (old[field] === next[field] ? [] : [{ field, before: old[field], after: next[field] }]));
}
