import type { Work } from '#core/database';
import { type Actor, formatDecimal, isoTime, money, newId, ServiceError, storedCurrency, timeAfter } from '#core/kernel';
import { checkOpen, type Merchant } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import { applyInput, type ItemColumns, type ItemInput, NEW_ITEM, percentOf, toItem } from './item.ts';
import { findItem, itemNotFound, itemsOfMerchant } from './read.ts';
import type { Item } from './records.ts';
import { CATALOG_ITEMS, type ItemRow } from './schema.ts';

/** A catalogue is read as a whole at every terminal. */
export const ITEMS_MAX = 2_000;

/** Returns the fields of an item that the audit log keeps. */
function auditFields(row: ItemRow) {
  return {
    kind: row.kind,
    name: row.name,
    price: formatDecimal(money(row.price_minor, storedCurrency(row.currency))),
    currency: row.currency,
    taxRate: percentOf(row.tax_rate),
    taxIncluded: row.tax_included === 1,
    key: row.key,
    barcode: row.barcode,
    category: row.category,
    status: row.archived_at === null ? 'active' : 'archived',
  };
}

/** Locks the catalogue of a merchant and returns it, so that keys, barcodes and positions are assigned one after another. */
export async function lockCatalog(work: Work, merchantId: string): Promise<ItemRow[]> {
  await work.advisoryLock(`items/${work.tenantId}/${merchantId}`);
  return itemsOfMerchant(work, merchantId);
}

/** Checks that no other item has the key or the barcode. @throws ServiceError RESOURCE_CONFLICT with the other item. */
function checkUnique(items: Iterable<ItemRow>, columns: Pick<ItemColumns, 'key' | 'barcode'>, exceptId: string | null): void {
  for (const item of items) {
    if (item.id === exceptId) continue;
    for (const field of ['key', 'barcode'] as const)
      if (columns[field] !== null && columns[field] === item[field])
        throw new ServiceError('RESOURCE_CONFLICT', `The ${field} ${columns[field]} belongs to ${item.name}.`, {
          field,
          details: { itemId: item.id },
        });
  }
}

/**
 * Creates an item at the end of the merchant's list. @throws ServiceError REQUIRED_FIELD_MISSING, INVALID_AMOUNT, VALIDATION_ERROR; RESOURCE_CONFLICT
 * if another item has its key or barcode, or if the catalogue is full.
 */
export async function createItem(deps: Dependencies, actor: Actor, input: ItemInput & { readonly merchantId?: string }): Promise<Item> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = newItem(deps, actor, merchant, await lockCatalog(work, merchant.merchantId), input);
    writeNew(deps, work, actor, row);
    return toItem(row);
  });
}

/** Returns a new item behind those of a catalogue. @throws ServiceError as `createItem`. */
export function newItem(
  deps: Pick<Dependencies, 'clockOf'>,
  { tenantId }: Pick<Actor, 'tenantId'>,
  { merchantId, currency }: Pick<Merchant, 'merchantId' | 'currency'>,
  items: readonly ItemRow[],
  input: ItemInput,
): ItemRow {
  const now = deps.clockOf(tenantId).now();
  const at = isoTime(now);
  for (const field of ['name', 'price'] as const)
    if (input[field] === undefined) throw new ServiceError('REQUIRED_FIELD_MISSING', `\`${field}\` is required.`, { field });
  const columns = applyInput({ ...NEW_ITEM, name: '', price_minor: 0 }, input, currency, at);
  if (items.length >= ITEMS_MAX)
    throw new ServiceError('RESOURCE_CONFLICT', `A merchant has at most ${ITEMS_MAX} items, including archived ones.`);
  checkUnique(items, columns, null);
  return {
    ...columns,
    tenant_id: tenantId,
    id: newId('itm', now),
    merchant_id: merchantId,
    currency,
    position: Math.max(0, ...items.map(({ position }) => position)) + 1,
    created_at: at,
    updated_at: at,
  };
}

/** Returns an item with the changes of a request. @throws ServiceError as `createItem`. */
export function changedItem(deps: Pick<Dependencies, 'clockOf'>, items: readonly ItemRow[], before: ItemRow, input: ItemInput): ItemRow {
  const updated_at = isoTime(timeAfter(deps.clockOf(before.tenant_id).now(), before.updated_at));
  const columns = applyInput(before, input, storedCurrency(before.currency), updated_at);
  checkUnique(items, columns, before.id);
  return { ...before, ...columns, updated_at };
}

export function writeNew(deps: Dependencies, work: Work, actor: Actor, row: ItemRow): void {
  work.insert(CATALOG_ITEMS, row);
  deps.audit(work, { actor, action: 'item.created', resource: `items/${row.id}`, merchantId: row.merchant_id, after: auditFields(row) });
  work.afterCommit(() => deps.changed(row.tenant_id, 'items', row.merchant_id));
}

/** Writes a changed item, with its audit entry. Columns that stay as they are need no write. */
export async function writeChange(deps: Dependencies, work: Work, actor: Actor, before: ItemRow, next: ItemRow): Promise<void> {
  const { tenant_id, id, merchant_id, created_at, ...set } = next;
  await work.update(CATALOG_ITEMS, { id }, set);
  deps.audit(work, {
    actor,
    action: 'item.updated',
    resource: `items/${id}`,
    merchantId: merchant_id,
    before: auditFields(before),
    after: auditFields(next),
  });
  work.afterCommit(() => deps.changed(tenant_id, 'items', merchant_id));
}

/** Changes the fields that are given. Archiving an item releases its key. @throws ServiceError as `createItem`, and NOT_FOUND. */
export async function updateItem(deps: Dependencies, actor: Actor, itemId: string, input: ItemInput): Promise<Item> {
  const { merchant_id } = await findItem(deps, actor, itemId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const items = await lockCatalog(work, merchant_id);
    const before = items.find(({ id }) => id === itemId);
    if (!before) throw itemNotFound(itemId);
    const next = changedItem(deps, items, before, input);
    await writeChange(deps, work, actor, before, next);
    return toItem(next);
  });
}

/**
 * Puts the named items first, in the order of the list; the others follow in their present order. @throws ServiceError NOT_FOUND for an item that the
 * merchant does not have.
 */
export async function orderItems(
  deps: Dependencies,
  actor: Actor,
  { itemIds, merchantId: named }: { readonly itemIds: readonly string[]; readonly merchantId?: string },
): Promise<Item[]> {
  const { merchantId } = await deps.merchantFor(actor, named);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const items = await lockCatalog(work, merchantId);
    const byId = new Map(items.map((item) => [item.id, item]));
    const first = [...new Set(itemIds)].map((itemId) => {
      const item = byId.get(itemId);
      if (!item) throw itemNotFound(itemId, 'itemIds');
      byId.delete(itemId);
      return item;
    });
    const ordered = [...first, ...byId.values()].map((item, index) => ({ before: item, position: index + 1 }));
    for (const { before, position } of ordered)
      if (before.position !== position) await work.update(CATALOG_ITEMS, { id: before.id }, { position });
    deps.audit(work, {
      actor,
      action: 'items.ordered',
      resource: `merchants/${merchantId}/items`,
      merchantId,
      after: { first: first.map(({ name }) => name) },
    });
    work.afterCommit(() => deps.changed(actor.tenantId, 'items', merchantId));
    return ordered.map(({ before, position }) => toItem({ ...before, position }));
  });
}
