// A proxy before a processor simulator that changes answers on their way, or replaces the bytes of the response.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { HttpClient } from '#core/processing/gateways';
import type { Peer } from '../../simulators/index.ts';

/** A request with the answer of the simulator, which has processed it. */
export interface Exchange {
  readonly path: string;
  readonly request: string;
  readonly answer: string;
  readonly contentType: string;
  /** Connection of the request; the proxy writes nothing if the bytes of the response are written to it. */
  readonly socket: Socket;
}

/** Returns the answer to send, or null if the response was written to the connection. */
type Tamper = (exchange: Exchange) => string | null;

export type TamperingProxy = Peer & {
  /** Replaces the change of answers; by default none. */
  tamper(change?: Tamper): void;
};

/** Starts a proxy on loopback. It stops together with its simulator. */
export async function startTamperingProxy(simulator: Peer): Promise<TamperingProxy> {
  const unchanged: Tamper = ({ answer }) => answer;
  let change = unchanged;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString('utf8');
    const { 'content-type': type, authorization } = request.headers;
    const answered = await fetch(`${simulator.origin}${request.url}`, {
      method: request.method ?? 'POST',
      headers: { ...(type && { 'content-type': type }), ...(authorization && { authorization }) },
      ...(body !== '' && { body }),
    });
    const contentType = answered.headers.get('content-type') ?? '';
    const sent = change({ path: request.url ?? '', request: body, answer: await answered.text(), contentType, socket: request.socket });
    if (sent === null) return;
    response.writeHead(answered.status, { 'content-type': contentType, 'content-length': Buffer.byteLength(sent) });
    response.end(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...simulator,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tamper: (next = unchanged) => {
      change = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await simulator.stop();
    },
  };
}

/** Returns an HTTP client with changed bodies of answers. */
export function answersChanged(client: HttpClient, change: (body: string) => string): HttpClient {
  const changed = (response: Awaited<ReturnType<HttpClient['get']>>) =>
    response.kind === 'answered' ? { ...response, body: change(response.body) } : response;
  return { ...client, post: (request) => client.post(request).then(changed), get: (request) => client.get(request).then(changed) };
}
