import { api, keptQuery, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type ImportedFile, importForm } from '#renderer/kit/file-import';

const PAGE_SIZE = 50;

/** Lists of the screen. */
export const TABS = [
  { id: 'cards', name: t('Gift cards'), kind: 'gift_card' },
  { id: 'credit', name: t('Store credit'), kind: 'store_credit' },
] as const;

/** Orders of the list. */
export const SORTS = ['createdAt', '-createdAt', 'balance', '-balance'] as const;

export function giftCardsQuery(
  merchantId: string,
  kind: 'gift_card' | 'store_credit',
  { q, sort, page }: { readonly q: string; readonly sort: (typeof SORTS)[number]; readonly page: number },
) {
  const query = { merchantId, kind, ...(q && { q }), sort, page, limit: PAGE_SIZE };
  return keptQuery(['gift-cards', 'list', query], (signal) => takePage(api.GET('/api/v1/gift-cards', { params: { query }, signal })));
}

const paramsOf = (id: string, key: string) => ({ path: { id }, header: { 'Idempotency-Key': key } });

export const addToGiftCard = (id: string, body: { amount: string; reason: string }, key: string) =>
  takeData(api.POST('/api/v1/gift-cards/{id}/reload', { body, params: paramsOf(id, key) }));
export const blockGiftCard = (id: string, key: string) =>
  takeData(api.POST('/api/v1/gift-cards/{id}/block', { body: {}, params: paramsOf(id, key) }));
export const unblockGiftCard = (id: string, key: string) =>
  takeData(api.POST('/api/v1/gift-cards/{id}/unblock', { params: paramsOf(id, key) }));
export const extendGiftCard = (id: string, body: { expiresOn: string | null; reason: string }, key: string) =>
  takeData(api.POST('/api/v1/gift-cards/{id}/extend', { body, params: paramsOf(id, key) }));
export const assignGiftCard = (id: string, customerId: string | null, key: string) =>
  takeData(api.POST('/api/v1/gift-cards/{id}/assign', { body: { customerId }, params: paramsOf(id, key) }));
export const replaceGiftCard = (id: string, key: string) =>
  takeData(api.POST('/api/v1/gift-cards/{id}/replace', { body: {}, params: paramsOf(id, key) }));

/** Uploads a CSV file of balances; with `dryRun`, it is only checked. */
export function importGiftCards(merchantId: string, chosen: ImportedFile, dryRun: boolean) {
  const form = importForm(chosen, { merchantId, dryRun: String(dryRun) });
  return takeData(api.POST('/api/v1/gift-cards/import', { body: { file: chosen.file.name }, bodySerializer: () => form }));
}
