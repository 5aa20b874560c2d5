import type { PageRequest } from '#core/database';
import type { Actor } from '#core/kernel';
import { createItem, orderItems, updateItem } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { type ItemImportInput, importItems } from './import.ts';
import { type ItemInput, toItem } from './item.ts';
import { findItem, type ItemFilter, listItems, pageOfItems } from './read.ts';
import { CATALOG_ITEMS } from './schema.ts';

export type { ItemInput } from './item.ts';
export {
  checkLineItems,
  discountOfSale,
  LINE_DESCRIPTION_MAX,
  lineItemsFrom,
  lineItemsOf,
  type NewLineItem,
  requestOfLine,
  storedLineItems,
  taxOfLines,
  unitOfItem,
} from './line-items.ts';
export { discountOfLines } from './price-before-discount.ts';
export type { ItemFilter } from './read.ts';
export { READABLE_ITEMS } from './read-model.ts';
export { Item, ItemImport, LineItem } from './records.ts';
export { ITEM_KINDS, ITEM_STATUSES, type ItemKind } from './schema.ts';

export const TABLES = [CATALOG_ITEMS];

export type Items = ReturnType<typeof createItems>;

/** Items and quick amounts of merchants, from which sales and invoices are filled. */
export function createItems(deps: Dependencies) {
  return {
    page: (actor: Actor, filter: ItemFilter, request: PageRequest) => pageOfItems(deps, actor, filter, request),
    list: (actor: Actor, filter: ItemFilter) => listItems(deps, actor, filter),
    get: async (actor: Actor, itemId: string) => toItem(await findItem(deps, actor, itemId)),
    create: (actor: Actor, input: ItemInput & { readonly merchantId?: string }) => createItem(deps, actor, input),
    update: (actor: Actor, itemId: string, input: ItemInput) => updateItem(deps, actor, itemId, input),
    order: (actor: Actor, input: { readonly itemIds: readonly string[]; readonly merchantId?: string }) => orderItems(deps, actor, input),
    import: (actor: Actor, input: ItemImportInput) => importItems(deps, actor, input),
  };
}
