import { type Page, type PageRequest, pageOf, type Read } from '#core/database';
import { type Caller, ServiceError } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { toItem } from './item.ts';
import type { Item } from './records.ts';
import { CATALOG_ITEMS, type ItemKind, type ItemRow } from './schema.ts';

/** Filters of the list; absent ones do not narrow. */
export interface ItemFilter {
  readonly status?: Item['status'];
  readonly kind?: ItemKind;
  /** A part of the name, a key or a barcode. */
  readonly q?: string;
  readonly merchantId?: string;
}

export const itemNotFound = (itemId: string, field?: string) =>
  new ServiceError('NOT_FOUND', `There is no item ${itemId.slice(0, 60)}.`, {
    details: { itemId: itemId.slice(0, 60) },
    ...(field && { field }),
  });

/** Returns the items of a merchant in the order of its buttons. */
export const itemsOfMerchant = (read: Read, merchantId: string): Promise<ItemRow[]> =>
  read.find(
    CATALOG_ITEMS,
    { merchant_id: merchantId },
    {
      orderBy: [
        ['position', 'asc'],
        ['id', 'asc'],
      ],
    },
  );

/** Returns an item of the caller's merchants. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findItem(deps: Dependencies, actor: Caller, itemId: string): Promise<ItemRow> {
  const row = await deps.database.read(actor.tenantId).one(CATALOG_ITEMS, { id: itemId });
  if (!row) throw itemNotFound(itemId);
  await deps.merchantFor(actor, row.merchant_id);
  return row;
}

/** Returns the items of one merchant that match, in the order of its buttons. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function listItems(deps: Dependencies, actor: Caller, { merchantId, status, kind, q = '' }: ItemFilter): Promise<Item[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const rows = await itemsOfMerchant(deps.database.read(actor.tenantId), merchant.merchantId);
  const wanted = q.trim().toLowerCase();
  return rows
    .map(toItem)
    .filter(
      (item) =>
        (status === undefined || item.status === status) &&
        (kind === undefined || item.kind === kind) &&
        (wanted === '' ||
          item.name.toLowerCase().includes(wanted) ||
          item.key?.toLowerCase() === wanted ||
          item.barcode?.toLowerCase() === wanted ||
          item.itemId === wanted),
    );
}

export async function pageOfItems(deps: Dependencies, actor: Caller, filter: ItemFilter, request: PageRequest): Promise<Page<Item>> {
  return pageOf(await listItems(deps, actor, filter), request, ({ itemId }) => itemId);
}
