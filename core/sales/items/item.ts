import { type Currency, money, parseMoneyOrZero, ServiceError } from '#core/kernel';
import { isLongGtin } from '#shared/barcodes';
import { containsCardNumber } from '#shared/card-numbers';
import { RATE_UNIT, readTaxRate } from '#shared/line-items';
import type { Item } from './records.ts';
import type { ItemKind, ItemRow } from './schema.ts';

/** Fields of an item. Null clears a field; an absent field stays as it is. */
export interface ItemInput {
  readonly kind?: ItemKind;
  readonly name?: string;
  readonly price?: string | number;
  readonly taxRate?: string | number | null;
  readonly taxIncluded?: boolean;
  readonly key?: string | null;
  readonly barcode?: string | null;
  readonly category?: string | null;
  readonly status?: Item['status'];
}

/** Columns that a request can set. */
export type ItemColumns = Pick<
  ItemRow,
  'kind' | 'name' | 'price_minor' | 'tax_rate' | 'tax_included' | 'key' | 'barcode' | 'category' | 'archived_at'
>;

export const NEW_ITEM: Omit<ItemColumns, 'name' | 'price_minor'> = {
  kind: 'item',
  tax_rate: null,
  tax_included: 0,
  key: null,
  barcode: null,
  category: null,
  archived_at: null,
};

const NAME_MAX = 100;
const CATEGORY_MAX = 40;
/** One to eight letters or digits, so that a key is typed with one hand and never resembles a barcode. */
const KEY = /^[\p{L}\p{N}]{1,8}$/u;
const BARCODE = /^[\x21-\x7e]{4,64}$/;

const invalid = (field: string, message: string) => new ServiceError('VALIDATION_ERROR', message, { field });

/** Parses a tax rate in percent. @throws ServiceError VALIDATION_ERROR. */
export function parseTaxRate(rate: string | number | null, field: string): number | null {
  if (rate === null) return null;
  const parsed = readTaxRate(String(rate));
  if (parsed === null) throw invalid(field, `\`${field}\` must be a percentage from 0 to 100 with at most 3 decimals.`);
  return parsed;
}

function nameFrom(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new ServiceError('REQUIRED_FIELD_MISSING', '`name` is required.', { field: 'name' });
  if (trimmed.length > NAME_MAX) throw invalid('name', `\`name\` must have at most ${NAME_MAX} characters.`);
  return trimmed;
}

function keyFrom(key: string | null): string | null {
  const trimmed = key?.trim().toUpperCase() || null;
  if (trimmed !== null && !KEY.test(trimmed)) throw invalid('key', '`key` must be 1 to 8 letters or digits.');
  return trimmed;
}

function barcodeFrom(barcode: string | null): string | null {
  const trimmed = barcode?.trim() || null;
  if (trimmed === null) return null;
  if (!BARCODE.test(trimmed)) throw invalid('barcode', '`barcode` must be 4 to 64 characters without spaces.');
  if (containsCardNumber(trimmed) && !isLongGtin(trimmed)) throw invalid('barcode', '`barcode` contains a card number.');
  return trimmed;
}

/** Returns a category with single spaces, so that the same words are the same category. */
function categoryFrom(category: string | null): string | null {
  const trimmed = category?.trim().replaceAll(/\s+/g, ' ') || null;
  if (trimmed !== null && trimmed.length > CATEGORY_MAX)
    throw invalid('category', `\`category\` must have at most ${CATEGORY_MAX} characters.`);
  return trimmed;
}

/**
 * Returns the columns of a change of an item. @throws ServiceError REQUIRED_FIELD_MISSING, INVALID_AMOUNT, VALIDATION_ERROR, also for a quick amount
 * with a tax or a barcode, or with the price 0.
 */
export function applyInput(before: ItemColumns, input: ItemInput, currency: Currency, at: string): ItemColumns {
  const next: ItemColumns = {
    kind: input.kind ?? before.kind,
    name: input.name === undefined ? before.name : nameFrom(input.name),
    price_minor: input.price === undefined ? before.price_minor : parseMoneyOrZero(input.price, currency, 'price').minor,
    tax_rate: input.taxRate === undefined ? before.tax_rate : parseTaxRate(input.taxRate, 'taxRate'),
    tax_included: input.taxIncluded === undefined ? before.tax_included : Number(input.taxIncluded),
    key: input.key === undefined ? before.key : keyFrom(input.key),
    barcode: input.barcode === undefined ? before.barcode : barcodeFrom(input.barcode),
    category: input.category === undefined ? before.category : categoryFrom(input.category),
    archived_at: archivedAt(before, input.status, at),
  };
  // There are few short keys, so an archived item gives its key away.
  if (next.archived_at !== null) return checkKind({ ...next, key: null });
  return checkKind(next);
}

function checkKind(next: ItemColumns): ItemColumns {
  if (next.kind === 'item') return next;
  if (next.tax_rate !== null) throw invalid('taxRate', 'A quick amount has no `taxRate`.');
  if (next.barcode !== null) throw invalid('barcode', 'A quick amount has no `barcode`.');
  if (next.price_minor === 0)
    throw new ServiceError('INVALID_AMOUNT', 'The `price` of a quick amount must be greater than 0.', { field: 'price' });
  return next;
}

function archivedAt({ archived_at }: ItemColumns, status: Item['status'] | undefined, at: string): string | null {
  if (status === undefined) return archived_at;
  return status === 'active' ? null : (archived_at ?? at);
}

/** Returns a stored rate as a percentage. */
export const percentOf = (rate: number | null): number | null => (rate === null ? null : rate / (RATE_UNIT / 100));

export function toItem(row: ItemRow): Item {
  const currency = row.currency as Currency;
  return {
    itemId: row.id,
    merchantId: row.merchant_id,
    kind: row.kind,
    name: row.name,
    price: money(row.price_minor, currency),
    currency,
    taxRate: percentOf(row.tax_rate),
    taxIncluded: row.tax_included === 1,
    key: row.key,
    barcode: row.barcode,
    category: row.category,
    status: row.archived_at === null ? 'active' : 'archived',
    position: row.position,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
