import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { RECEIVER_CA_FILE } from '../support/webhook-receiver.ts';
import { type Running, start } from './processes.ts';
import type { BenchResult } from './results.ts';
import { createTables } from './sale.ts';

const EVENTS = 6_000;
const ROUNDS = 3;
const CONCURRENCY = 64;
const SELLERS = 64;
const OUTAGE_SECONDS = 3_600;
const TIMEOUT_MS = 120_000;

interface Ready {
  readonly baseUrl: string;
  readonly credentials: { readonly tenantId: string; readonly apiKey: string; readonly adminEmail: string; readonly adminPassword: string };
}

interface ReceiverReady {
  readonly plain: string;
  readonly secure: string;
}

const SALE = JSON.stringify({
  Amount: '49.99',
  CardNumber: '4111111111111111',
  ExpiryMonth: '12',
  ExpiryYear: '2030',
  BillingEmail: 'ada@example.com',
});

/**
 * Measures deliveries per second of a backlog after an hour of outage, in comparison with a plain undici pool that signs and posts the same
 * bodies to the same receiver, over HTTP and TLS (`docs/performance.md`), and with the shortest program that keeps the promises of a delivery (`promised`). Deliveries of Paydesk use TLS, and each attempt is stored
 * durably.
 */
export async function benchWebhooks(): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'paydesk-bench-'));
  const running: Running<unknown>[] = [];
  try {
    const receiver = await start<ReceiverReady>('test/bench/webhook-receiver.ts', [], 1);
    running.push(receiver);
    const { plain, secure } = receiver.line;
    const server = await start<Ready>('server/serve.ts', [
      ...['--data-dir', join(folder, 'ours'), '--port', '0', '--demo', '--sample-data', 'sales', '--log-level', 'silent'],
      ...['--webhook-ca', RECEIVER_CA_FILE],
    ]);
    running.push(server);
    const api = await signedIn(server.line);
    const promised = join(folder, 'promised');
    await createTables(promised);
    const found: Record<'plain' | 'tls' | 'promised' | 'paydesk', number[]> = { plain: [], tls: [], promised: [], paydesk: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      found.plain.push(await bare(plain));
      found.tls.push(await bare(secure, RECEIVER_CA_FILE));
      found.promised.push(await bare(secure, RECEIVER_CA_FILE, promised));
      found.paydesk.push(await drain(api, server.line, plain, secure));
    }
    const best = (rates: readonly number[]) => Math.max(...rates);
    const [ours, promisedTls, undici, undiciTls] = [best(found.paydesk), best(found.promised), best(found.plain), best(found.tls)];
    const figure = (perSecond: number) => ({ [`${CONCURRENCY} at once`]: { perSecond } });
    return {
      figures: {
        'paydesk (TLS)': figure(ours),
        'promised (TLS)': figure(promisedTls),
        'undici (TLS)': figure(undiciTls),
        'undici (plain)': figure(undici),
      },
      ratios: [
        { name: 'deliveries over TLS / bare undici, plain', value: ours / undici, must: 0.4 },
        { name: 'deliveries over TLS / bare undici, TLS', value: ours / undiciTls, must: 0.3, goal: 0.5 },
        { name: 'promised / bare undici, TLS', value: promisedTls / undiciTls },
        { name: 'deliveries / promised, TLS', value: ours / promisedTls, goal: 1 },
      ],
    };
  } finally {
    for (const process of running.reverse()) await process.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bare(origin: string, ca?: string, folder?: string): Promise<number> {
  const baseline = await start<{ perSecond: number }>('test/bench/webhook-baseline.ts', [
    origin,
    String(EVENTS),
    String(CONCURRENCY),
    ...(ca ? [ca] : []),
    ...(folder ? [folder] : []),
  ]);
  await baseline.stop();
  return baseline.line.perSecond;
}

type Api = (method: 'POST' | 'PUT' | 'GET' | 'DELETE', path: string, body?: object) => Promise<{ data: Record<string, unknown> }>;

async function signedIn({ baseUrl, credentials }: Ready): Promise<Api> {
  const { tenantId, adminEmail: email, adminPassword: password } = credentials;
  const tenant = { 'x-tenant-id': tenantId, 'content-type': 'application/json' };
  const login = await request(`${baseUrl}/api/v1/auth/login`, {
    method: 'POST',
    headers: tenant,
    body: JSON.stringify({ email, password }),
  });
  const { data } = (await login.body.json()) as { data: { token: string } };
  const headers = { ...tenant, authorization: `Bearer ${data.token}` };
  return async (method, path, body) => {
    const answer = await request(`${baseUrl}/api/v1${path}`, {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: TIMEOUT_MS,
    });
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${answer.statusCode} ${await answer.body.text()}`);
    return (await answer.body.json()) as { data: Record<string, unknown> };
  };
}

/**
 * Makes sales while the receiver is down, advances the test clock by an hour, and measures how fast the backlog is delivered once the
 * receiver is up.
 */
async function drain(api: Api, { baseUrl, credentials }: Ready, control: string, secure: string): Promise<number> {
  await request(`${control}/down`);
  const { data: endpoint } = await api('POST', '/webhooks', { url: `${secure}/`, events: ['transaction.approved'] });
  await sell(baseUrl, { 'x-tenant-id': credentials.tenantId, 'x-api-key': credentials.apiKey, 'content-type': 'application/json' });
  // While the endpoint is disabled, the backlog waits; once it is enabled, all of it is due immediately.
  await api('PUT', `/webhooks/${endpoint.id}`, { status: 'disabled' });
  await api('POST', '/sandbox/clock', { advanceSeconds: OUTAGE_SECONDS });
  await request(`${control}/up`);
  const began = performance.now();
  await api('PUT', `/webhooks/${endpoint.id}`, { status: 'active' });
  while ((await taken(control)) < EVENTS) {
    if (performance.now() - began > TIMEOUT_MS) throw new Error(`${await taken(control)} of ${EVENTS} arrived in ${TIMEOUT_MS} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  const perSecond = EVENTS / ((performance.now() - began) / 1_000);
  await api('DELETE', `/webhooks/${endpoint.id}`);
  process.stderr.write(`drained ${EVENTS} deliveries at ${Math.round(perSecond)}/s\n`);
  return perSecond;
}

async function taken(control: string): Promise<number> {
  const { body } = await request(`${control}/count`);
  return ((await body.json()) as { taken: number }).taken;
}

async function sell(baseUrl: string, headers: Record<string, string>): Promise<void> {
  const agent = new Agent({ connections: SELLERS });
  let left = EVENTS;
  await Promise.all(
    Array.from({ length: SELLERS }, async () => {
      while (left > 0) {
        left -= 1;
        const { statusCode, body } = await agent.request({
          origin: baseUrl,
          path: '/api/v1/public/transaction',
          method: 'POST',
          headers,
          body: SALE,
        });
        await body.dump();
        if (statusCode !== 200) throw new Error(`a sale was answered with ${statusCode}`);
      }
    }),
  );
  await agent.close();
}
