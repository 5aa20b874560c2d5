import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { schemaErrorsOf } from './events.ts';
import { freePort } from './free-port.ts';

const TLS = join(import.meta.dirname, 'tls');
/** The authority that signed the receiver's certificate; the server gets it as --webhook-ca. */
export const RECEIVER_CA_FILE = join(TLS, 'ca.pem');

export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  /** The raw bytes as text. */
  readonly body: string;
  readonly event: {
    id: string;
    type: string;
    createdAt: string;
    tenantId: string;
    merchantId: string;
    test?: boolean;
    data: Record<string, unknown>;
  };
}

export type Answer = (request: Received, response: ServerResponse, socket: Socket) => void;

/** Answers 200 without a body. */
export const accept: Answer = (_, response) => void response.writeHead(200).end();
export const refuse =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(status, headers).end('no');

/** An HTTPS receiver of webhooks on this computer that records its requests. */
export interface Receiver {
  url(path?: string): string;
  readonly received: Received[];
  /** The response to every path without its own. */
  answer: Answer;
  readonly answers: Map<string, Answer>;
  /** Returns the requests to a path. */
  receivedAt(path: string): Received[];
  /** Waits until a path has received that many requests in total. */
  waitFor(path: string, count: number): Promise<Received[]>;
  /** Number of opened connections. */
  connections(): number;
  /** Stops listening; the port stays reserved. */
  stop(): Promise<void>;
  restart(): Promise<void>;
}

export async function startReceiver(certificate: 'trusted' | 'stranger' = 'trusted'): Promise<Receiver> {
  const name = certificate === 'trusted' ? 'receiver' : 'stranger';
  const identity = { key: readFileSync(join(TLS, `${name}-key.pem`)), cert: readFileSync(join(TLS, `${name}.pem`)) };
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let connections = 0;
  const port = await freePort();
  let server: Server | undefined;

  function take(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const path = request.url ?? '/';
      const noted: Received = { path, headers: request.headers, body, event: JSON.parse(body) as Received['event'] };
      // Tests of the transport alone use bodies that are not events.
      const faults = noted.event.type === undefined ? [] : schemaErrorsOf(noted.event.type, noted.event.data);
      if (faults.length > 0) throw new Error(`An event is not as its type declares it: ${faults.join('; ')}`);
      received.push(noted);
      (receiver.answers.get(path) ?? receiver.answer)(noted, response, request.socket);
      for (const look of waiting) look();
    });
  }

  async function listen(): Promise<void> {
    const fresh = createServer({ ...identity, keepAliveTimeout: 30_000 }, take);
    fresh.on('connection', (socket: Socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => fresh.listen(port, '127.0.0.1', resolve));
    server = fresh;
  }

  const receiver: Receiver = {
    url: (path = '/') => `https://localhost:${port}${path}`,
    received,
    answer: accept,
    answers: new Map(),
    receivedAt: (path) => received.filter((request) => request.path === path),
    waitFor: (path, count) =>
      new Promise((resolve) => {
        const look = () => {
          const found = receiver.receivedAt(path);
          if (found.length < count) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    connections: () => connections,
    async stop() {
      const closed = new Promise((resolve) => server?.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      server = undefined;
    },
    restart: listen,
  };
  await listen();
  return receiver;
}
