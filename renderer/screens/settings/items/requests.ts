import { api, type Item, queryClient, takeData } from '#renderer/base/client';

/** Fields of an item as the form sends them. */
export interface ItemFields {
  readonly kind: Item['kind'];
  readonly name: string;
  readonly price: string;
  readonly taxRate: string | null;
  readonly taxIncluded: boolean;
  readonly key: string | null;
  readonly barcode: string | null;
  readonly category: string | null;
}

export const createItem = (merchantId: string, fields: ItemFields) =>
  takeData(api.POST('/api/v1/items', { body: { ...fields, merchantId } }));

export const changeItem = (id: string, fields: Partial<ItemFields> | { status: Item['status'] }) =>
  takeData(api.PUT('/api/v1/items/{id}', { params: { path: { id } }, body: fields }));

export const orderItems = (merchantId: string, itemIds: string[]) =>
  takeData(api.POST('/api/v1/items/order', { body: { itemIds, merchantId } }));

/** Uploads a CSV file of items; with `dryRun`, it is only checked. */
export function importItems(merchantId: string, file: File, options: { readonly dryRun: boolean; readonly taxIncluded: boolean }) {
  const form = new FormData();
  form.set('merchantId', merchantId);
  form.set('dryRun', String(options.dryRun));
  if (options.taxIncluded) form.set('taxIncluded', 'true');
  form.set('file', file);
  return takeData(api.POST('/api/v1/items/import', { body: { file: file.name }, bodySerializer: () => form }));
}

export const refreshItems = () => queryClient.invalidateQueries({ queryKey: ['items'] });
