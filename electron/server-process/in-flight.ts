import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Methods that change nothing: the pages' reading and the streams that stay open. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** No payment waits longer for its processor: the slowest is asked three times, a minute each, and then comes our own part. */
export const PAYMENT_MS_MAX = 190_000;

/** The requests to this process's server that may change something and are not answered yet; all of them are taken for payments. */
export interface InFlight {
  readonly count: number;
  /** Resolves to true when nothing is in flight, and to false after the time limit. */
  drained(withinMs: number): Promise<boolean>;
}

/** Counts them from now on. */
export function watchInFlight(): InFlight {
  let count = 0;
  const waiting = new Set<() => void>();
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (READING.has(request.method ?? '')) return;
    count += 1;
    response.once('close', () => {
      count -= 1;
      if (count === 0) for (const go of waiting) go();
    });
  });
  return {
    get count() {
      return count;
    },
    drained(withinMs) {
      if (count === 0) return Promise.resolve(true);
      return new Promise((resolve) => {
        const conclude = (isDrained: boolean) => {
          clearTimeout(timer);
          waiting.delete(go);
          resolve(isDrained);
        };
        const go = () => conclude(true);
        const timer = setTimeout(conclude, withinMs, false).unref();
        waiting.add(go);
      });
    },
  };
}
