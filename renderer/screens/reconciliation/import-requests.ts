import { api, takeData } from '#renderer/base/client';
import type { Mapping } from './mapping.ts';
import type { MerchantScope } from './queries.ts';

/** Uploads a settlement file with the mapping of its columns. */
export function importFile(file: File, { transactionId, amount, date, currency, dateFormat, sign }: Mapping, merchantScope: MerchantScope) {
  const mapping = { transactionId, amount, date, dateFormat, sign, ...(currency !== '' && { currency }) };
  const form = new FormData();
  form.set('mapping', JSON.stringify(mapping));
  if (merchantScope !== undefined) form.set('merchantId', merchantScope);
  form.set('file', file);
  return takeData(api.POST('/api/v1/settlement/imports', { body: { file: file.name, mapping }, bodySerializer: () => form }));
}
