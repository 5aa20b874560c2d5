import { type Actor, bind } from '#core/kernel';
import { createItem, orderItems, updateItem } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { importItems } from './import.ts';
import { toItem } from './item.ts';
import { findItem, listItems, pageOfItems } from './read.ts';
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
export { READABLE_ITEMS } from './read-model.ts';
export { Item, ItemImport, ItemMapping, LineItem } from './records.ts';
export { ITEM_KINDS, ITEM_STATUSES } from './schema.ts';

export const TABLES = [CATALOG_ITEMS];

export type Items = ReturnType<typeof createItems>;

/** Items and quick amounts of merchants, from which sales and invoices are filled. */
export function createItems(deps: Dependencies) {
  return {
    ...bind(deps, { page: pageOfItems, list: listItems }),
    get: async (actor: Actor, itemId: string) => toItem(await findItem(deps, actor, itemId)),
    ...bind(deps, { create: createItem, update: updateItem, order: orderItems, import: importItems }),
  };
}
