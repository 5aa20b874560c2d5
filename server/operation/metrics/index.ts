import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Core, CoreOptions } from '#core';
import type { UnitOfWork } from '#core/database';
import { ServiceError } from '#core/kernel';
import { addressOf, allowedHosts, countWrongCredentials } from '#server/hooks';
import { type Route, SECURITY_HEADERS, urlOf } from '#server/http';
import type { ProcessGroup } from '#server/operation/processes';
import type { Address } from '../address.ts';
import { createSeries, type MetricObject, type Series } from './series.ts';

const HOST = '127.0.0.1';
const PATH = '/metrics';
const TOKEN_MIN = 32;
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 20;

interface MetricsOptions {
  /** Port on the loopback address on which the metrics are served without a token; 0 selects a free one. */
  readonly metricsPort?: number | undefined;
  /** File with the token for the metrics on the server's own address. */
  readonly metricsToken?: string | undefined;
}

/** Metrics of a server in the text format of Prometheus. */
export interface Metrics {
  readonly countOutcome: NonNullable<CoreOptions['countOutcome']>;
  /** Returns a unit of work whose writes are measured. */
  measured(unitOfWork: UnitOfWork): UnitOfWork;
  /** Counts the requests of an application, and adds the route of the metrics if there is a token. */
  addTo(app: FastifyInstance, routes: readonly Route[], core: () => Core): void;
  /** Listens on the port of the metrics, if there is one. @throws if the port is in use. */
  listen(core: () => Core): Promise<void>;
  /** The address of the port of the metrics; null if there is none. */
  address(): Address | null;
  close(): Promise<void>;
}

/** Creates the metrics of a server; undefined if neither a port nor a token enables them. @throws Error if the token can't be used. */
export async function createMetrics({ metricsPort, metricsToken }: MetricsOptions, group?: ProcessGroup): Promise<Metrics | undefined> {
  if (metricsPort === undefined && metricsToken === undefined) return undefined;
  const token = metricsToken === undefined ? null : await readToken(metricsToken);
  const series = await createSeries(group?.role.index);
  let server: Server | null = null;
  const address = (): Address | null => {
    const bound = server?.address();
    return typeof bound === 'object' && bound ? { host: bound.address, port: bound.port } : null;
  };
  return {
    countOutcome: ({ processor, operation, outcome }) =>
      series.payments.inc({ gateway: processor ?? 'none', operation, outcome: OUTCOMES[outcome] }),
    measured: (unitOfWork) => ({
      transaction: (tenantId, work) => timed(series, 'transaction', () => unitOfWork.transaction(tenantId, work)),
      writeBatch: (tenantId, fill) => timed(series, 'batch', () => unitOfWork.writeBatch(tenantId, fill)),
    }),
    addTo(app, routes, core) {
      group?.respond('metrics', () => ownMetrics(series, core));
      const areas = new Map(routes.map((route) => [`${route.method} ${urlOf(route)}`, route.tag]));
      app.addHook('onResponse', (request, reply, done) => {
        countRequest(series, areas, request, reply);
        done();
      });
      if (token === null) return;
      // The token protects the route under any name, such as the address of a container.
      app.get(PATH, { config: { isForAnyHost: true } }, async (request, reply) => {
        await checkToken(token, core, request, reply);
        return reply
          .type(series.contentType)
          .header('cache-control', 'no-store')
          .send(await textOf(series, core, group));
      });
    },
    async listen(core) {
      if (metricsPort === undefined) return;
      server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS });
      server.maxConnections = CONNECTIONS_MAX;
      await once(server.listen({ host: HOST, port: metricsPort }), 'listening').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        throw new Error(`Another program uses port ${metricsPort}. Choose another one for the metrics with --metrics-port.`, {
          cause: error,
        });
      });
      const { hosts } = allowedHosts(HOST, address()?.port ?? 0, async () => false);
      server.on('request', (request, response) => {
        request.resume();
        const answer = (status: number, type: string, text: string) => {
          response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type, 'cache-control': 'no-store' });
          response.end(request.method === 'HEAD' ? undefined : text);
        };
        const isRead = request.method === 'GET' || request.method === 'HEAD';
        const [path] = (request.url ?? '').split('?');
        // A page of another site could otherwise read the metrics under a name that resolves to this computer.
        if (!hosts.has(request.headers.host?.toLowerCase() ?? '')) return answer(400, TEXT, 'The Host header does not name this server.\n');
        if (!isRead || path !== PATH) return answer(404, TEXT, `There is only GET ${PATH}.\n`);
        void textOf(series, core, group).then(
          (text) => answer(200, series.contentType, text),
          () => answer(500, TEXT, 'The metrics could not be read.\n'),
        );
      });
    },
    address,
    async close() {
      series.clear();
      server?.closeAllConnections();
      if (server?.listening) await new Promise((resolve) => server?.close(resolve));
    },
  };
}

const TEXT = 'text/plain; charset=utf-8';

/** Values of the label `outcome`. */
const OUTCOMES = {
  approved: 'approved',
  declined: 'declined',
  pending: 'in_review',
  'not-sent': 'failed',
  unknown: 'unconfirmed',
} as const;

/** Reads the token. @throws Error if the file can't be read, or its token is short. */
async function readToken(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The token of the metrics cannot be read from ${file}: ${cause.message}`, { cause });
  });
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token) || token.length < TOKEN_MIN)
    throw new Error(
      `${file} must contain one token of at least ${TOKEN_MIN} characters without spaces, such as that of \`openssl rand -hex 32\`.`,
    );
  return digestOf(token);
}

const digestOf = (token: string) => createHash('sha256').update(token).digest();

/** @throws ServiceError UNAUTHORIZED without a token, TOKEN_INVALID for a wrong one, and RATE_LIMIT_EXCEEDED after too many of them. */
async function checkToken(token: Buffer, core: () => Core, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { authorization } = request.headers;
  if (authorization === undefined) throw new ServiceError('UNAUTHORIZED', 'The metrics require their token in the Authorization header.');
  if (timingSafeEqual(digestOf(authorization.replace(/^Bearer /i, '')), token)) return;
  await countWrongCredentials(core().limits, addressOf(request), reply, async () => {
    throw new ServiceError('TOKEN_INVALID', 'This is not the token of the metrics.');
  });
}

/** Returns the metrics as text. They also answer while the database does not. */
async function textOf(series: Series, core: () => Core, group: ProcessGroup | undefined): Promise<string> {
  const figures = await Promise.resolve()
    .then(() => core().status.figures())
    .catch(() => null);
  series.setFigures(figures, group?.state ?? ONE_PROCESS);
  const own = ownMetrics(series, core);
  const others = (await group?.request<Awaited<typeof own>>('metrics')) ?? [];
  return series.text([await own, ...others.flatMap(({ data }) => (data === undefined ? [] : [data]))]);
}

const ONE_PROCESS = { expected: 1, running: [1], restarts: 0 };

/** Returns the metrics of this process. */
function ownMetrics(series: Series, core: () => Core): Promise<MetricObject[]> {
  return series.ofProcess(() => core().database.waiting());
}

async function timed<Result>(series: Series, kind: 'transaction' | 'batch', write: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  try {
    return await write();
  } finally {
    series.writeSeconds.observe({ kind }, (performance.now() - startedAt) / 1_000);
  }
}

/** Counts a request by the declaration of its route. Paths and methods of a client are no labels, because it can choose them freely. */
function countRequest(series: Series, areas: ReadonlyMap<string, string>, request: FastifyRequest, reply: FastifyReply): void {
  const { url, config } = request.routeOptions;
  const surface = (config as { surface?: string }).surface ?? 'page';
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const area = areas.get(`${method} ${url ?? ''}`) ?? (url === undefined ? 'none' : 'Pages');
  series.requests.inc({ surface, area, status: String(reply.statusCode) });
  if (!String(reply.getHeader('content-type')).startsWith('text/event-stream'))
    series.requestSeconds.observe({ surface }, reply.elapsedTime / 1_000);
}
