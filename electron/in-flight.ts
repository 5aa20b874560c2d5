import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Methods that change nothing: the pages' reading and the streams that stay open. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Counts the requests to this process's server that may change something and are not answered yet. Answers how to read the count. */
export function countInFlight(): () => number {
  let count = 0;
  subscribe('http.server.request.start', (message) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
    if (READING.has(request.method ?? '')) return;
    count += 1;
    response.once('close', () => {
      count -= 1;
    });
  });
  return () => count;
}
