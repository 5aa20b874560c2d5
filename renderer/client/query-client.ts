import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './failure.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: ApiFailure;
  }
}

const RETRIES_MAX = 2;
const STALE_MS = 15_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4000;

/** Only silence and a service that is not ready are worth asking again by ourselves. */
function isPassing(failure: Error): boolean {
  return failure instanceof ApiFailure && (failure.status === 0 || failure.status === 503);
}

/** What the service answered, kept while it is looked at. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      refetchOnWindowFocus: false,
      retry: (count, failure) => count < RETRIES_MAX && isPassing(failure),
      retryDelay: (count) => Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_PAUSE_MS),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
