import { api, takeData } from '#renderer/client';
import type { Mapping } from './mapping.ts';
import type { Whose } from './queries.ts';

/** Sends a file of settlements with what its columns mean. */
export function importFile(file: File, { transactionId, amount, date, currency, dateFormat, sign }: Mapping, whose: Whose) {
  const mapping = { transactionId, amount, date, dateFormat, sign, ...(currency !== '' && { currency }) };
  const form = new FormData();
  form.set('mapping', JSON.stringify(mapping));
  if (whose !== undefined) form.set('merchantId', whose);
  form.set('file', file);
  return takeData(api.POST('/api/v1/settlement/imports', { body: { file: file.name, mapping }, bodySerializer: () => form }));
}
