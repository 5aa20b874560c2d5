import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Running } from './processes.ts';
import { quantile } from './results.ts';

/** The ready line of `serve --demo`. */
export interface Ready {
  readonly baseUrl: string;
  readonly credentials: { readonly tenantId: string; readonly apiKey: string; readonly adminEmail: string; readonly adminPassword: string };
}

/** A server whose administrator is signed in. */
export interface ApiClient {
  readonly server: Running<Ready>;
  readonly headers: Readonly<Record<string, string>>;
  /** Reads JSON and returns it with the duration of the request. @throws Error if the status is not 2xx. */
  get<Body>(path: string): Promise<{ body: Body; ms: number }>;
  post<Body>(path: string, body: object): Promise<{ body: Body; ms: number }>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 600_000;
const BASE = '/api/v1';

/** Signs in as the demo's administrator. */
export async function signIn(server: Running<Ready>): Promise<ApiClient> {
  const { baseUrl: origin, credentials } = server.line;
  const agent = new Agent({ connections: 4, pipelining: 1, headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const tenant = { 'x-tenant-id': credentials.tenantId, 'content-type': 'application/json' };
  async function send<Body>(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: object) {
    const began = performance.now();
    const answer = await agent.request({
      origin,
      path: BASE + path,
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.body.text();
    const ms = performance.now() - began;
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return { body: JSON.parse(text) as Body, ms };
  }
  const { adminEmail: email, adminPassword: password } = credentials;
  const login = await send<{ data: { token: string } }>('POST', '/auth/login', tenant, { email, password });
  const headers = { ...tenant, authorization: `Bearer ${login.body.data.token}` };
  return {
    server,
    headers,
    get: (path) => send('GET', path, headers),
    post: (path, body) => send('POST', path, headers, body),
    close: () => agent.close(),
  };
}

/** A request that is sent repeatedly. */
export interface LoadRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Gives each request its own Idempotency-Key. */
  readonly hasIdempotencyKey?: boolean;
}

const SOCKETS = 64;

/**
 * Sends a fixed number of requests per second, independent of earlier responses, and returns the latencies counted from the time when each
 * request was due. @throws Error if any status is not 2xx.
 */
export async function sendAtRate(load: LoadRequest, perSecond: number, until: (sent: number) => boolean): Promise<readonly number[]> {
  const agent = new Agent({ connections: SOCKETS, pipelining: 1 });
  const latencies: number[] = [];
  const pending = new Set<Promise<void>>();
  const prefix = `o${process.pid}-${Math.random().toString(36).slice(2)}-`;
  let failure: Error | null = null;
  const began = performance.now();
  let sent = 0;
  const one = async (dueAt: number, key: string) => {
    const headers = { ...load.headers, ...(load.hasIdempotencyKey ? { 'idempotency-key': key } : {}) };
    const answer = await request(load.url, { method: load.method, headers, body: load.body ?? null, dispatcher: agent });
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    latencies.push(performance.now() - dueAt);
    if (answer.statusCode >= 300) failure = new Error(`${load.url}: ${answer.statusCode}`);
  };
  while (!until(sent) && failure === null) {
    const dueAt = began + (sent * 1_000) / perSecond;
    if (dueAt > performance.now()) await wait(1);
    for (; !until(sent) && began + (sent * 1_000) / perSecond <= performance.now(); sent += 1) {
      const sending = one(began + (sent * 1_000) / perSecond, `${prefix}${sent}`).catch((cause: Error) => {
        failure = cause;
      });
      pending.add(sending);
      void sending.finally(() => pending.delete(sending));
    }
  }
  await Promise.all(pending);
  await agent.close();
  if (failure !== null) throw failure;
  return latencies;
}

export const latencyOf = (latencies: readonly number[]) => ({ p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) });
