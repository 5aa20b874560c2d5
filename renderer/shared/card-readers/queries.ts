import { queryOptions } from '@tanstack/react-query';
import { api, type CardReader, queryClient, takeData, takePage } from '#renderer/base/client';
import type { ReaderAction } from '#shared/terminals';

/** A merchant rarely has more card readers. */
const READERS_MAX = 100;
const STALE_MS = 60_000;
const SIMULATED_POLL_MS = 1_000;

/** Card readers of a merchant, oldest first. */
export const cardReadersQuery = (merchantId: string) =>
  queryOptions({
    queryKey: ['card-readers', merchantId],
    queryFn: async () => (await takePage(api.GET('/api/v1/terminals', { params: { query: { merchantId, limit: READERS_MAX } } }))).items,
    staleTime: STALE_MS,
  });

export const refreshCardReaders = () => queryClient.invalidateQueries({ queryKey: ['card-readers'] });

/** Asks the processor whether a card reader is connected. */
export async function checkCardReader(id: string): Promise<CardReader> {
  const reader = await takeData(api.POST('/api/v1/terminals/{id}/check', { params: { path: { id } } }));
  void refreshCardReaders();
  return reader;
}

/** Display of a simulated card reader. */
export const simulatedReaderQuery = (id: string) =>
  queryOptions({
    queryKey: ['card-readers', 'simulated', id],
    queryFn: () => takeData(api.GET('/api/v1/sandbox/terminals/{id}', { params: { path: { id } } })),
    refetchInterval: SIMULATED_POLL_MS,
  });

/** Acts at a simulated card reader, as a person at the counter does. */
export const actAtReader = (
  id: string,
  body: { readonly action: ReaderAction; readonly cardNumber?: string; readonly tipAmount?: number },
) => takeData(api.POST('/api/v1/sandbox/terminals/{id}/present', { params: { path: { id } }, body }));
