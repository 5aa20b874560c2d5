import { queryOptions } from '@tanstack/react-query';
import { api, type DisputeEvidence, keptQuery, queryClient, takeData, takePage } from '#renderer/base/client';
import { t } from '#renderer/base/language';

export const PAGE_SIZE = 50;

/** Tabs of the list with the status filter of each. */
export const TABS = [
  { id: 'due', name: t('Response due'), status: 'due' },
  { id: 'submitted', name: t('Submitted', { context: 'disputes' }), status: 'submitted' },
  { id: 'closed', name: t('Closed', { context: 'disputes' }), status: 'closed' },
] as const;
type Tab = (typeof TABS)[number];

/** Orders of the lists. The most urgent dispute is the first one. */
export const SORTS = ['dueDate', '-dueDate', 'amount', '-amount'] as const;

export function disputesQuery(merchantId: string, { status }: Tab, sort: (typeof SORTS)[number], page: number) {
  return keptQuery(['disputes', 'list', merchantId, status, sort, page], (signal) =>
    takePage(
      api.GET('/api/v1/disputes', {
        params: { query: { merchantId, status, sort, page, limit: PAGE_SIZE } },
        signal,
      }),
    ),
  );
}

/** Totals of a list by currency. */
export function totalsQuery(merchantId: string, { status }: Tab) {
  return queryOptions({
    queryKey: ['disputes', 'totals', merchantId, status],
    queryFn: () => takeData(api.GET('/api/v1/disputes/totals', { params: { query: { merchantId, status } } })),
  });
}

export function evidenceQuery(id: string) {
  return queryOptions({
    queryKey: ['disputes', 'evidence', id],
    queryFn: () => takeData(api.GET('/api/v1/disputes/{id}/evidence', { params: { path: { id } } })),
    staleTime: 0,
  });
}

/** The disputed payment, for the timeline. */
export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: ['transactions', 'one', id, 'dispute'],
    queryFn: () => takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id } } })),
  });
}

const pathOf = (id: string) => ({ params: { path: { id } } });

export type EvidenceItem = DisputeEvidence['checklist'][number]['item'];
export type Outcome = 'won' | 'lost' | 'chargeback' | 'prearbitration' | 'arbitration';

export const submit = (id: string, packId?: string) =>
  takeData(api.POST('/api/v1/disputes/{id}/submit', { ...pathOf(id), body: packId === undefined ? {} : { packId } }));
export const reopen = (id: string) => takeData(api.POST('/api/v1/disputes/{id}/reopen', pathOf(id)));
export const accept = (id: string) => takeData(api.POST('/api/v1/disputes/{id}/accept', pathOf(id)));
export const conclude = (id: string, body: { outcome: Outcome; feeAmount?: string; returnedAmount?: string }) =>
  takeData(api.POST('/api/v1/disputes/{id}/conclude', { ...pathOf(id), body }));
export const saveNotes = (id: string, notes: string) => takeData(api.PUT('/api/v1/disputes/{id}', { ...pathOf(id), body: { notes } }));
/** Reads the chargebacks of the processors soon. Returns the number of gateways. */
export const checkProcessors = () => takeData(api.POST('/api/v1/disputes/check'));
export type OwnDocument = DisputeEvidence['documents'][number]['document'];
/** Content of a pack. Without `letter`, the draft names only what is included. */
interface PackContent {
  readonly letter?: string;
  readonly attachmentIds: string[];
  readonly documents: OwnDocument[];
}
export const createPack = (id: string, body: PackContent) => takeData(api.POST('/api/v1/disputes/{id}/evidence', { ...pathOf(id), body }));
/** Removes an attached document. */
export const detach = (id: string, attachmentId: string) =>
  takeData(api.DELETE('/api/v1/disputes/{id}/attachments/{attachmentId}', { params: { path: { id, attachmentId } } }));

/** Adds a document to an item of the checklist. */
export function attach(id: string, item: EvidenceItem, file: File) {
  const form = new FormData();
  form.set('item', item);
  form.set('file', file);
  const body = { item, file: file.name };
  return takeData(api.POST('/api/v1/disputes/{id}/attachments', { ...pathOf(id), body, bodySerializer: () => form }));
}

/** Refreshes the lists after a change, or after a refusal that shows a change by another user. */
export const refreshDisputes = () => queryClient.invalidateQueries({ queryKey: ['disputes'] });
