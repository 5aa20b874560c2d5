import { api, type Item, queryClient, takeData } from '#renderer/base/client';
import { type ImportedFile, importForm } from '#renderer/kit/file-import';

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
export function importItems(
  merchantId: string,
  chosen: ImportedFile,
  { dryRun, taxIncluded }: { readonly dryRun: boolean; readonly taxIncluded: boolean },
) {
  const form = importForm(chosen, { merchantId, dryRun: String(dryRun), ...(taxIncluded && { taxIncluded: 'true' }) });
  return takeData(api.POST('/api/v1/items/import', { body: { file: chosen.file.name }, bodySerializer: () => form }));
}

export const refreshItems = () => queryClient.invalidateQueries({ queryKey: ['items'] });
