import { toNumber } from '#core/kernel';
import { toItem } from './item.ts';
import type { ItemRow } from './schema.ts';

const FIELDS = ['kind', 'name', 'price', 'taxRate', 'taxIncluded', 'key', 'barcode', 'category', 'status'] as const;
type Value = string | number | boolean | null;

/** A field of an item with its value before and after a change. */
export interface FieldChange {
  readonly field: (typeof FIELDS)[number];
  readonly before: Value;
  readonly after: Value;
}

/** Returns the fields that differ between two states of an item, with the values of the API. */
export function fieldChanges(before: ItemRow, after: ItemRow): FieldChange[] {
  const [old, next] = [before, after].map((row) => ({ ...toItem(row), price: toNumber(toItem(row).price) }));
  return FIELDS.flatMap((field) => (old && next && old[field] !== next[field] ? [{ field, before: old[field], after: next[field] }] : []));
}
