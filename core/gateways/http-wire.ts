import { rootCertificates } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { Wire, WireAnswer, WireRequest } from './wire.ts';

export interface HttpWireOptions {
  /** Certificates in PEM that are trusted besides those of the public authorities. */
  readonly ca?: readonly string[];
}

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_OF_ORIGIN = 64;
/** Shorter than any processor keeps an idle connection: a question must not go into one that is being closed. */
const KEEP_ALIVE_MS = 2_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/** The way to the processors over HTTPS; see Wire. */
export function createHttpWire({ ca = [] }: HttpWireOptions = {}): Wire {
  /** What went wrong before there was a connection: then no byte of a question has left. */
  const failedToConnect = new WeakSet<object>();
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    allowH2: false,
    ...(ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {}),
  });
  const agent = new Agent({
    connections: CONNECTIONS_OF_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connect: (target, callback) =>
      connect(target, (error, socket) => {
        if (error) {
          failedToConnect.add(error);
          callback(error, null);
        } else {
          callback(null, socket);
        }
      }),
  });

  async function ask({ url, contentType, body, timeoutMs }: WireRequest): Promise<WireAnswer> {
    const { origin, pathname } = new URL(url);
    const answer = await agent.request({
      origin,
      path: pathname,
      method: 'POST',
      headers: { 'content-type': contentType, accept: '*/*' },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await wholeOf(answer.body);
    if (text === null) return { kind: 'lost', reason: 'The answer was longer than any of the processor’s.' };
    const type = answer.headers['content-type'];
    return { kind: 'answered', status: answer.statusCode, contentType: typeof type === 'string' ? type : '', body: text };
  }

  return {
    post: (request) =>
      ask(request).catch((error: Error): WireAnswer => {
        const reason = wordsOf(error);
        return failedToConnect.has(error) ? { kind: 'not-sent', reason } : { kind: 'lost', reason };
      }),
    close: () => agent.destroy(),
  };
}

/** Null when it is longer than it may be. */
async function wholeOf(body: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The code alone: a message could hold an address with what is behind it. */
function wordsOf(error: Error & { code?: unknown; cause?: unknown }): string {
  if (error.name === 'TimeoutError') return 'The processor did not answer in time.';
  const { code } = error;
  return typeof code === 'string' ? `The connection to the processor failed (${code}).` : 'The connection to the processor failed.';
}
