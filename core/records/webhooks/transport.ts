import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import { Agent } from 'undici';
import {
  BlockedTarget,
  checkedConnector,
  type ForbiddenTarget,
  type Lookup,
  lookupForTenant,
  type Reach,
  type Trust,
} from '#core/platform/outbound';
import type { DeliveryError } from './event.ts';

/** Time limit from the first byte sent to the last byte read, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Equal to the number of parallel deliveries, because endpoints of one host must not wait for each other. */
const CONNECTIONS_PER_ORIGIN = 256;
const ORIGINS_MAX = 500;
const BODY_READ_MAX = 65_536;
const STORED_BODY_MAX = 4_096;
const SUCCESS = 200;
const HTTPS_PORT = 443;

export interface TransportOptions {
  readonly trust: Trust;
  /** Returns true if a tenant's events may go to this host although its address is private. */
  readonly allowsPrivate: (tenantId: string, host: string, port: number) => Promise<boolean>;
  readonly forbidden: () => readonly ForbiddenTarget[];
  readonly timeoutMs?: number;
  readonly lookup?: Lookup;
}

/** Result of one request. */
interface TransportResponse {
  readonly status: number | null;
  /** null only for status 200. */
  readonly error: DeliveryError | null;
  readonly headers: Readonly<Record<string, string>> | null;
  /** Beginning of the response body as text. */
  readonly body: string | null;
  readonly durationMs: number;
}

interface TransportRequest {
  readonly tenantId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends POST requests over HTTPS. Redirects are not followed, at most 64 KB of a response are read, and errors of a receiver are returned, not thrown. */
export interface Transport {
  post(request: TransportRequest): Promise<TransportResponse>;
  close(): Promise<void>;
}

export function createTransport(options: TransportOptions): Transport {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  // An open connection of a tenant that may reach private addresses must never serve a tenant that may not.
  const agents: Record<Reach, Agent> = { public: agentOf(options, 'public', timeoutMs), private: agentOf(options, 'private', timeoutMs) };

  return {
    async post({ tenantId, url, headers, body }) {
      const startedAt = performance.now();
      // Unlike an AbortController, an emitter costs hardly anything for each request.
      const abort = new EventEmitter();
      let isLate = false;
      let timer: NodeJS.Timeout | undefined;
      try {
        const { origin, pathname, search, hostname, port } = new URL(url);
        const agent = agents[(await options.allowsPrivate(tenantId, hostname, Number(port || HTTPS_PORT))) ? 'private' : 'public'];
        // The request listens to the emitter before the timer can end.
        timer = setTimeout(() => {
          isLate = true;
          abort.emit('abort');
        }, timeoutMs);
        const response = await agent.request({ origin, path: pathname + search, method: 'POST', headers, body, signal: abort });
        const text = await readBeginning(response.body);
        const { statusCode: status } = response;
        return {
          status,
          error: status === SUCCESS ? null : statusError(status, response.headers.location),
          headers: flattenHeaders(response.headers),
          body: text,
          durationMs: performance.now() - startedAt,
        };
      } catch (error) {
        const failure = isLate ? timeoutError(timeoutMs) : failureOf(error);
        return { status: null, error: failure, headers: null, body: null, durationMs: performance.now() - startedAt };
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await Promise.all([agents.public.destroy(), agents.private.destroy()]);
    },
  };
}

function agentOf({ trust, forbidden, lookup = lookupForTenant }: TransportOptions, reach: Reach, timeoutMs: number): Agent {
  return new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    maxOrigins: ORIGINS_MAX,
    pipelining: 1,
    connect: checkedConnector({ trust, timeoutMs, rules: () => ({ reach, forbidden: forbidden(), lookup }) }),
  });
}

/** Reads a response body up to its limit and returns the beginning. The rest is not read. */
function readBeginning(body: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const beginning: Uint8Array[] = [];
    let size = 0;
    let isFinished = false;
    const finish = () => {
      isFinished = true;
      resolve(textOf(beginning));
    };
    body.on('data', (chunk: Uint8Array) => {
      if (size < STORED_BODY_MAX) beginning.push(chunk);
      size += chunk.length;
      if (size < BODY_READ_MAX) return;
      finish();
      body.destroy();
    });
    body.on('end', finish);
    body.on('error', reject);
    body.on('close', () => {
      if (!isFinished) reject(new Error('the response ended early'));
    });
  });
}

function textOf(beginning: readonly Uint8Array[]): string {
  if (beginning.length === 0) return '';
  // PostgreSQL stores no NUL in a text.
  return Buffer.concat(beginning).subarray(0, STORED_BODY_MAX).toString('utf8').replaceAll('\u0000', '\ufffd');
}

function flattenHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).filter((entry): entry is [string, string | string[]] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

function statusError(status: number, location: string | string[] | undefined): DeliveryError {
  if (status >= 300 && status < 400 && location !== undefined) {
    return {
      kind: 'redirect',
      message: `The receiver responded with ${status} and a redirect to ${String(location).slice(0, 200)}. Redirects are not followed.`,
    };
  }
  return { kind: 'status', message: `The receiver responded with ${status}. Only 200 counts as received.` };
}

function timeoutError(timeoutMs: number): DeliveryError {
  return { kind: 'timeout', message: `The receiver did not respond within ${timeoutMs / 1_000} seconds.` };
}

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ENODATA', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const TLS_CODE = /^(CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)/;
const CERTIFICATE_ERRORS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed and not trusted.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate was issued by an authority that is not trusted.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate was issued by an authority that is not trusted.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate was issued by an authority that is not trusted.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another host name.',
};

function failureOf(error: unknown): DeliveryError {
  if (error instanceof BlockedTarget) return { kind: 'blocked', message: error.message };
  const code = codeOf(error);
  if (DNS_CODES.has(code)) return { kind: 'dns', message: 'The host name of the receiver cannot be resolved.' };
  if (TLS_CODE.test(code))
    return { kind: 'tls', message: CERTIFICATE_ERRORS[code] ?? 'No secure connection to the receiver could be established.' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return { kind: 'timeout', message: 'The receiver could not be reached in time.' };
  if (code === 'ECONNREFUSED')
    return { kind: 'connection', message: 'The receiver refused the connection: no program listens on this port.' };
  return { kind: 'connection', message: 'The connection to the receiver was lost before it responded.' };
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && code !== 'UND_ERR_SOCKET') return code;
  return cause === undefined ? '' : codeOf(cause);
}
