import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** HTTP methods that change nothing, such as the reads of pages and their open streams. */
const READ_ONLY_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Longest time of a payment request: the slowest processor is called three times with a minute each, and our own work is added. */
export const PAYMENT_MS_MAX = 190_000;

/** Open requests to the server of this process that may change something; all of them count as payments. */
export interface InFlightRequests {
  readonly count: number;
  /** Resolves to true when nothing is in flight, and to false after the time limit. */
  waitUntilNone(withinMs: number): Promise<boolean>;
}

/** Starts counting the requests in flight. */
export function trackInFlightRequests(): InFlightRequests {
  let count = 0;
  const waiters = new Set<() => void>();
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (READ_ONLY_METHODS.has(request.method ?? '')) return;
    count += 1;
    response.once('close', () => {
      count -= 1;
      if (count === 0) for (const resume of waiters) resume();
    });
  });
  return {
    get count() {
      return count;
    },
    waitUntilNone(withinMs) {
      if (count === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const conclude = (isNoneLeft: boolean) => {
          clearTimeout(timer);
          waiters.delete(resume);
          resolve(isNoneLeft);
        };
        const resume = () => conclude(true);
        const timer = setTimeout(conclude, withinMs, false).unref();
        waiters.add(resume);
      });
    },
  };
}
