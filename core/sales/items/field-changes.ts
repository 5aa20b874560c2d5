import { toNumber } from '#core/kernel';
import { type Item, toItem } from './item.ts';
import type { ItemRow } from './schema.ts';

const FIELDS = ['kind', 'name', 'price', 'taxRate', 'taxIncluded', 'key', 'barcode', 'category', 'status'] as const;
type Value = string | number | boolean | null;

/** Fields of an item with the values of the API. */
export type ItemFields = Omit<Pick<Item, (typeof FIELDS)[number]>, 'price'> & { readonly price: number };

/** A field of an item with its value before and after a change. */
export interface FieldChange {
  readonly field: (typeof FIELDS)[number];
  readonly before: Value;
  readonly after: Value;
}

/** Returns the fields of an item with the values of the API. */
export function fieldsOf(row: ItemRow): ItemFields {
  const { kind, name, price, taxRate, taxIncluded, key, barcode, category, status } = toItem(row);
  return { kind, name, price: toNumber(price), taxRate, taxIncluded, key, barcode, category, status };
}

/** Returns the fields that differ between two states of an item, with the values of the API. */
export function fieldChanges(before: ItemRow, after: ItemRow): FieldChange[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return FIELDS.flatMap((field) => (old[field] === next[field] ? [] : [{ field, before: old[field], after: next[field] }]));
}
