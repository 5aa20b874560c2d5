import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, Pool } from 'undici';
import {
  BlockedTarget,
  createTrust,
  type ForbiddenTarget,
  lookupAll,
  lookupForTenant,
  reachable,
  type Trust,
} from '#core/platform/outbound';
import type { HttpClient, HttpReading, HttpRequest, HttpResponse } from './http-client.ts';
import { createReaderClient } from './reader-client.ts';

interface HttpClientOptions {
  /** Trusted authorities; by default the public ones. */
  readonly trust?: Trust;
  /** Addresses that must never be reached: the server's own port and that of its database. */
  readonly forbidden?: () => readonly ForbiddenTarget[];
  /** Resolver of host names. */
  readonly lookup?: typeof lookupAll;
}

const CONNECT_TIMEOUT_MS = 10_000;
const CONNECTIONS_PER_ORIGIN = 64;
/** Shorter than any processor keeps an idle connection open, so that no request is sent on a connection that is being closed. */
const KEEP_ALIVE_MS = 2_000;
/** A page of 500 transactions, the longest response of any processor, has half of it. Nothing is decompressed. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
/** This computer, as the host of a local simulator. */
const LOCAL_NAME = /^(localhost|127(\.\d{1,3}){3}|::1)$/;
const LOOPBACK = /^(127\.|::1$)/;

/**
 * Creates the HTTPS client for processors. It reaches only public internet addresses; this computer only if the host is its own name or
 * address, which a live gateway cannot have.
 */
export function createHttpClient({ trust = createTrust(), forbidden = () => [], lookup: ownLookup }: HttpClientOptions = {}): HttpClient {
  const lookup = ownLookup ?? lookupAll;
  /** Errors before a connection existed: no byte of the request has left. */
  const failedToConnect = new WeakSet<object>();

  /** Returns the addresses of a host that may be reached. @throws BlockedTarget, or the error of the resolver. */
  async function addressesOf(host: string, port: number) {
    const isLocal = LOCAL_NAME.test(host);
    const found = await reachable(host, port, { reach: isLocal ? 'private' : 'public', forbidden: forbidden(), lookup });
    if (isLocal && !found.every(({ address }) => LOOPBACK.test(address)))
      throw new BlockedTarget('The host name does not belong to this computer.');
    return [...found];
  }

  /** Returns a connector that connects only to checked addresses, because a second lookup of the name could return others. */
  function connectorOf(origin: string): buildConnector.connector {
    const { protocol, port: explicitPort } = new URL(origin);
    const port = Number(explicitPort || (protocol === 'https:' ? 443 : 80));
    const checkedLookup: LookupFunction = (name, { all }, callback) => {
      addressesOf(name, port).then(
        (found) => {
          const [first] = found;
          if (first === undefined) callback(new Error('The host name has no address.'), '');
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
      secureContext: trust(),
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
    connections: CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    factory: (origin, options) => new Pool(origin, { ...options, connect: connectorOf(String(origin)) }),
  });

  async function send(
    { url, authorization, timeoutMs }: HttpReading,
    sent?: Pick<HttpRequest, 'contentType' | 'body'>,
  ): Promise<HttpResponse> {
    const { origin, pathname } = new URL(url);
    const response = await agent.request({
      origin,
      path: pathname,
      method: sent ? 'POST' : 'GET',
      headers: { ...(sent && { 'content-type': sent.contentType }), ...(authorization && { authorization }), accept: '*/*' },
      body: sent?.body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readBody(response.body);
    if (text === null) return { kind: 'lost', reason: 'The response exceeds the supported size.' };
    // Without a length, the end of the connection ends the response, wherever it broke off.
    if (response.headers['content-length'] === undefined && response.headers['transfer-encoding'] === undefined)
      return { kind: 'lost', reason: 'The response of the processor states no length, so it may be incomplete.' };
    const type = response.headers['content-type'];
    return { kind: 'answered', status: response.statusCode, contentType: typeof type === 'string' ? type : '', body: text };
  }

  const readers = createReaderClient({ forbidden, lookup: ownLookup ?? lookupForTenant });
  const failureOf = (error: Error): HttpResponse => {
    const reason = reasonOf(error);
    return failedToConnect.has(error) ? { kind: 'not-sent', reason } : { kind: 'lost', reason };
  };
  return {
    post: (request) => send(request, request).catch(failureOf),
    get: (request) => send(request).catch(failureOf),
    postToReader: readers.post,
    async close() {
      readers.close();
      await agent.destroy();
    },
  };
}

/** Returns the body; null if it is too long. */
async function readBody(body: AsyncIterable<Uint8Array>): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > RESPONSE_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Codes of errors that mean that this computer, and not the processor, is cut off. */
const NETWORK_FAULT = /\((ENOTFOUND|EAI_AGAIN|EAI_FAIL|ENETUNREACH|ENETDOWN|EHOSTUNREACH|EADDRNOTAVAIL)\)/;

/** Returns true if a reason of a failed request means that the network of this computer is down. */
export const isNetworkFault = (reason: string): boolean => NETWORK_FAULT.test(reason);

/** Returns the reason of an error with its code only, because a message could contain an address with its query. */
function reasonOf(error: Error & { code?: unknown; cause?: unknown }): string {
  if (error instanceof BlockedTarget) return 'The host of the processor is not an allowed address for payments.';
  if (error.name === 'TimeoutError') return 'The processor did not respond in time.';
  const { code } = error;
  return typeof code === 'string' ? `The connection to the processor failed (${code}).` : 'The connection to the processor failed.';
}
