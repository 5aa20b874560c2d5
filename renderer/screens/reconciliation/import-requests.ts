import { api, takeData } from '#renderer/base/client';
import { apiColumns } from '#renderer/kit/file-import';
import type { Mapping } from './mapping.ts';
import type { MerchantScope } from './queries.ts';

/** Uploads a settlement file with the mapping of its columns. */
export function importFile(file: File, columns: Mapping, merchantScope: MerchantScope) {
  const mapping = { transactionId: columns.transactionId, ...apiColumns(columns), unit: columns.unit };
  const form = new FormData();
  form.set('mapping', JSON.stringify(mapping));
  if (merchantScope !== undefined) form.set('merchantId', merchantScope);
  form.set('file', file);
  return takeData(api.POST('/api/v1/settlement/imports', { body: { file: file.name, mapping }, bodySerializer: () => form }));
}
