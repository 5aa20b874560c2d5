import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, Pool } from 'undici';
import { BlockedTarget, type ForbiddenTarget, lookupAll, reachable } from '#core/platform/outbound';
import type { HttpClient, HttpRequest, HttpResponse } from './http-client.ts';

interface HttpClientOptions {
  /** Certificates in PEM that are trusted besides those of the public authorities. */
  readonly ca?: readonly string[];
  /** Addresses that must never be reached: the server's own port and that of its database. */
  readonly forbidden?: () => readonly ForbiddenTarget[];
  /** The resolver of names. */
  readonly lookup?: typeof lookupAll;
}

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_OF_ORIGIN = 64;
/** Shorter than any processor keeps an idle connection: a question must not go into one that is being closed. */
const KEEP_ALIVE_MS = 2_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
/** This computer, as the host of a local simulator. */
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
const LOOPBACK = /^(127\.|::1$)/;

/**
 * Creates the HTTPS client for processors. It reaches only public internet addresses; this computer only if the host is its own name or
 * address, which a live gateway cannot have.
 */
export function createHttpClient({ ca = [], forbidden = () => [], lookup = lookupAll }: HttpClientOptions = {}): HttpClient {
  /** Errors before a connection existed: no byte of the request has left. */
  const failedToConnect = new WeakSet<object>();

  /** The addresses of a host that may be reached; BlockedTarget, or the resolver's error. */
  async function addressesOf(host: string, port: number) {
    const isLocal = LOCAL_NAME.test(host);
    const found = await reachable(host, port, { reach: isLocal ? 'private' : 'public', forbidden: forbidden(), lookup });
    if (isLocal && !found.every(({ address }) => LOOPBACK.test(address))) throw new BlockedTarget('This name is not this computer.');
    return [...found];
  }

  /** Connects to nothing but the addresses that were checked: another look at the name could bring others. */
  function connectorOf(origin: string): buildConnector.connector {
    const { protocol, port: written } = new URL(origin);
    const port = Number(written || (protocol === 'https:' ? 443 : 80));
    const checkedLookup: LookupFunction = (name, { all }, callback) => {
      addressesOf(name, port).then(
        (found) => {
          const [first] = found;
          if (first === undefined) callback(new Error('The name has no address.'), '');
          else if (all) callback(null, found);
          else callback(null, first.address, first.family);
        },
        (error: Error) => callback(error, ''),
      );
    };
    const connect = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      allowH2: false,
      lookup: checkedLookup,
      ...(ca.length > 0 ? { ca: [...rootCertificates, ...ca] } : {}),
    });
    return (target, callback) => {
      const fail = (error: Error) => {
        failedToConnect.add(error);
        callback(error, null);
      };
      const proceed = () => connect(target, (...[error, socket]) => (error ? fail(error) : callback(null, socket)));
      const host = target.hostname.replace(/^\[|\]$/g, '');
      // An address is not looked up.
      if (isIP(host) === 0) proceed();
      else addressesOf(host, port).then(proceed, fail);
    };
  }

  const agent = new Agent({
    connections: CONNECTIONS_OF_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    factory: (origin, options) => new Pool(origin, { ...options, connect: connectorOf(String(origin)) }),
  });

  async function ask({ url, contentType, body, timeoutMs }: HttpRequest): Promise<HttpResponse> {
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
      ask(request).catch((error: Error): HttpResponse => {
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
  if (error instanceof BlockedTarget) return 'The host of the processor is not an address that payments are sent to.';
  if (error.name === 'TimeoutError') return 'The processor did not answer in time.';
  const { code } = error;
  return typeof code === 'string' ? `The connection to the processor failed (${code}).` : 'The connection to the processor failed.';
}
