import { queryOptions } from '@tanstack/react-query';
import { api, type Transaction, take, takeData } from '#renderer/base/client';

export interface ReaderFields {
  readonly name: string;
  /** Drawer of the workstation that uses the reader first; null for none. */
  readonly workstation: string | null;
  readonly asksTip: boolean;
}

export const pairReader = (body: ReaderFields & { code: string; address?: string; merchantId: string; gatewayId?: string }) =>
  takeData(api.POST('/api/v1/terminals', { body }));

export const changeReader = (id: string, body: ReaderFields & { address?: string }) =>
  takeData(api.PUT('/api/v1/terminals/{id}', { params: { path: { id } }, body }));

/** Starts a credit to the card that the customer presents. */
export async function creditOnReader(id: string, amount: string, key: string): Promise<Transaction> {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  return (await take(api.POST('/api/v1/terminals/{id}/credit', { params, body: { amount } }))).data;
}

const POLL_MS = 1_000;

/** Transaction of a credit, read until it has an outcome. */
export const creditQuery = (started: Transaction) =>
  queryOptions({
    queryKey: ['card-readers', 'credit', started.transactionId],
    queryFn: (): Promise<Transaction> =>
      takeData(api.GET('/api/v1/transactions/{id}', { params: { path: { id: started.transactionId } } })),
    refetchInterval: ({ state }) => ((state.data?.status ?? 'pending') === 'pending' ? POLL_MS : false),
  });

export const cancelOnReader = (id: string) => takeData(api.POST('/api/v1/transactions/{id}/cancel-terminal', { params: { path: { id } } }));

export const removeReader = (id: string) => takeData(api.DELETE('/api/v1/terminals/{id}', { params: { path: { id } } }));
