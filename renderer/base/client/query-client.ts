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

/** Returns true for failures worth an automatic retry: no response, or a service that is not ready. */
function isTransient(failure: Error): boolean {
  return failure instanceof ApiFailure && (failure.status === 0 || failure.status === 503);
}

/** Cache of the service's responses. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      refetchOnWindowFocus: false,
      retry: (count, failure) => count < RETRIES_MAX && isTransient(failure),
      retryDelay: (count) => Math.min(FIRST_PAUSE_MS * 2 ** count, LONGEST_PAUSE_MS),
      networkMode: 'always',
    },
    // Requests and responses may contain codes and passwords, so none is kept after its screen is closed.
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
});
