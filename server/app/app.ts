import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Core } from '#core';
import type { IsConfirmed, Principal } from '#core/access/identity';
import { type Actor, ApprovalRequired, assert, type IdempotencyKey, ServiceError, type StoredResponse } from '#core/kernel';
import { hostOf } from '#core/processing/merchants';
import {
  type AllowedHosts,
  addressOf,
  allowedHosts,
  answerPreflight,
  beginRecording,
  checkAccess,
  checkApiVersion,
  checkHost,
  checkOrigin,
  confirmCaller,
  countAddress,
  countCaller,
  countWrongCredentials,
  deprecationHeaders,
  isRecorded,
  isReplayable,
  isSignInRecent,
  loginContextOf,
  namedTenant,
  principalOf,
  readApprovalReason,
  readDrawer,
  readIdempotencyKey,
  recordResponse,
  setUnlimitedHeaders,
} from '#server/hooks';
import {
  addCompactResponses,
  BODY_TIMEOUTS,
  bodyText,
  type ErrorFormat,
  errorResponse,
  failure,
  isShown,
  keepBodyDeadlines,
  logOptions,
  methodsByPath,
  nameIgnoredFields,
  type OtherRequests,
  parseJson,
  type RecordExport,
  RequestLog,
  type Route,
  readInput,
  responseBody,
  SECURITY_HEADERS,
  type StreamExchange,
  Streams,
  statusOf,
  toServiceError,
  UPLOAD_LIMITS,
  urlOf,
} from '#server/http';
import { approvalAnswer, storeForApproval } from '#server/routes';
import { closeIdleConnections } from './idle-connections.ts';

const BODY_LIMIT = 1_048_576;
/** Time for the headers of a request to arrive. */
const HEADERS_TIMEOUT_MS = 10_000;
/** Number of checks within `HEADERS_TIMEOUT_MS`; by default Node checks every 30 seconds only. */
const HEADERS_CHECKS = 10;
/** Time that a client has to read the response to a malformed request, before its connection is destroyed. */
const LINGER_MS = 1_000;
const SOCKETS_MAX = 2_000;
const LOGGED_PATH_MAX = 200;

/** Dependencies of the HTTP server. The core is replaced once if the first run chooses another database. */
interface Runtime {
  readonly core: Core;
  /** Resolves to false until this server, or another one on the same database, has created the first tenant. */
  isSetUp(): Promise<boolean>;
}

interface AppOptions {
  readonly runtime: Runtime;
  readonly routes: readonly Route[];
  readonly host: string;
  readonly logLevel: string;
  /** Returns the internal service key, which is accepted on routes with `serviceKey` only. */
  readonly serviceKey: () => string;
  /** Address of this server for payers, if it differs from its own. */
  readonly publicUrl?: string;
  /** Proxies whose X-Forwarded-For is trusted; by default none. */
  readonly trustedProxies?: readonly string[];
  /** Time for the headers of a request to arrive; ten seconds by default. */
  readonly headersTimeoutMs?: number;
  /** Number of this process, if the server has several. */
  readonly processNumber?: number | undefined;
  readonly otherRequests?: OtherRequests | undefined;
  readonly streamExchange?: StreamExchange | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal | null;
    /** The tenant that the request named, even if its credential was rejected. */
    tenantId: string | null;
    errorCode: string | null;
    /** The tenant's time at the start of a request that is being recorded. */
    recordedAtMs: number | null;
    /** Checks that the password that confirmed the request is still that of the caller; null if no password was required. */
    isConfirmed: IsConfirmed | null;
    /** Records the file that a route with `exports` sends; null for other routes. */
    recordExport: RecordExport | null;
  }
  interface FastifyContextConfig {
    fields?: Route['fields'];
    surface?: Route['surface'];
    isForPayers?: boolean;
    /** True if the route answers under every host name, because the name is not known yet. */
    isForAnyHost?: boolean;
  }
  interface FastifyInstance {
    streams: Streams;
    requestLog: RequestLog;
    /** Every route of the server. */
    routes: readonly Route[];
    /** Aborts when the server starts to close. */
    closing: AbortSignal;
  }
}

/** Name of a scope. Fastify would search the exports of every loaded module for the name of a scope without one. */
const UPLOAD_SCOPE = { [Symbol.for('fastify.display-name')]: 'upload' };

/** Builds the Fastify application: hooks in the order of the checks of a request, then the routes. */
export function buildApp(options: AppOptions): FastifyInstance {
  const { runtime, routes, host, logLevel, serviceKey, publicUrl, trustedProxies, headersTimeoutMs = HEADERS_TIMEOUT_MS } = options;
  const { processNumber, otherRequests, streamExchange } = options;
  let hosts: AllowedHosts | undefined;
  const hostsFor = ({ socket }: FastifyRequest) =>
    (hosts ??= allowedHosts(host, socket.localPort ?? 0, (name) => isPublicHost(runtime.core, publicUrl, name)));
  const closing = new AbortController();
  const app: FastifyInstance = Fastify({
    logger: logOptions(logLevel, processNumber),
    logController: new LogController({ disableRequestLogging: true }),
    // Each entry names its request itself.
    childLoggerFactory: (logger) => logger,
    bodyLimit: BODY_LIMIT,
    trustProxy: trustedProxies ? [...trustedProxies] : false,
    requestTimeout: BODY_TIMEOUTS.uploadMs,
    forceCloseConnections: 'idle',
    // Fastify's own response does not have the error envelope of this API.
    return503OnClosing: false,
    genReqId: newRequestId,
    http: { headersTimeout: headersTimeoutMs, connectionsCheckingInterval: headersTimeoutMs / HEADERS_CHECKS, requireHostHeader: false },
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: (error, socket) => respondToBrokenHttp(app, error, socket),
    // A request whose path cannot be decoded is handled here and has not passed the hooks.
    frameworkErrors: (error, request, reply) => {
      logRequest(request, reply);
      watchBody(request, reply);
      addCommonHeaders(request, reply);
      return sendError(reply, toServiceError(error));
    },
  });
  app.server.maxConnections = SOCKETS_MAX;
  app.server.on('connection', () => runtime.core.database.expectWrites());
  app.decorateRequest('principal', null);
  app.decorateRequest('tenantId', null);
  app.decorateRequest('errorCode', null);
  app.decorateRequest('recordedAtMs', null);
  app.decorateRequest('isConfirmed', null);
  app.decorateRequest('recordExport', null);
  app.decorateRequest('ignoredFields', null);
  app.decorateRequest('sentNames', null);
  app.decorate('requestLog', new RequestLog(otherRequests));
  app.decorate('routes', routes);
  app.decorate('streams', new Streams(app, streamExchange));
  app.decorate('closing', closing.signal);
  app.addHook('onRequest', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  const watchBody = keepBodyDeadlines(app, (socket) => respondToBrokenHttp(app, { code: 'ERR_HTTP_REQUEST_TIMEOUT' }, socket));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, done) => {
    try {
      done(null, parseJson(bodyText(headers, body as Buffer)));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addHook('onRequest', async (request, reply) => {
    addCommonHeaders(request, reply);
    checkApiVersion(request, reply);
    if (closing.signal.aborted)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Paydesk is stopping. Nothing was changed. Try again in a moment.');
    await checkHost(request, hostsFor(request));
  });
  closeIdleConnections(app);
  app.addHook('preClose', async () => {
    closing.abort();
    runtime.core.payments.stopWaiting();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    nameIgnoredFields(request, reply);
    if (closing.signal.aborted) reply.header('connection', 'close');
    done();
  });
  addCompactResponses(app);
  app.addHook('onResponse', (request, reply, done) => {
    recordRequest(request, reply);
    done();
  });
  app.setErrorHandler((thrown, request, reply) => {
    const error = toServiceError(thrown);
    const { code, cause } = error;
    // Failures of external systems are logged in one line, internal errors with their stack.
    if (code === 'SERVICE_UNAVAILABLE' || code.startsWith('GATEWAY_')) {
      request.log.warn(
        { requestId: request.id, code, cause: cause instanceof Error ? cause.message : undefined },
        'external system unavailable',
      );
    } else if (error.status >= 500) request.log.error({ requestId: request.id, code, err: cause ?? error }, 'request failed');
    request.errorCode = code;
    return sendError(reply, error, { ...(request.routeOptions.config as ErrorFormat), sentNames: request.sentNames });
  });
  const methodsAt = methodsByPath(routes);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(pathOf(request));
    if (allowed !== '') reply.header('allow', allowed);
    return sendError(reply, noRoute(request, allowed));
  });
  app.options('/api/v1/sdk/*', { config: { surface: 'sdk' } }, (request, reply) =>
    answerPreflight(runtime.core, request, reply, hostsFor(request)),
  );
  for (const declared of routes) {
    const key = declared.serviceKey ? serviceKey : null;
    if (!declared.upload) mount(app, declared, runtime, key, hostsFor);
    // Only routes that accept a file parse forms.
    else
      void app.register(
        Object.assign(async (scope: FastifyInstance) => mountUpload(scope, declared, runtime, key, hostsFor), UPLOAD_SCOPE),
      );
  }
  return app;
}

async function isPublicHost(core: Core, publicUrl: string | undefined, host: string): Promise<boolean> {
  return (publicUrl !== undefined && hostOf(publicUrl) === host) || core.merchants.isPublicHost(host);
}

/** Logs the request in one line after the response was sent, or when the client disconnects. */
function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once('close', () => {
    const { raw, elapsedTime } = reply;
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        // The route pattern instead of the URL, which may contain a secret, such as the token of a payment link.
        route: request.routeOptions.url ?? null,
        status: raw.headersSent ? raw.statusCode : null,
        ms: Math.round(elapsedTime * 10) / 10,
        ...(raw.writableFinished ? {} : { aborted: true }),
      },
      'request',
    );
  });
}

/** Adds a request to one of the API surfaces to the request log of its tenant. */
function recordRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { surface } = request.routeOptions.config as { surface?: string };
  const { principal } = request;
  const tenantId = principal?.tenantId ?? request.tenantId;
  if (surface === undefined || tenantId === null) return;
  const [path = ''] = request.url.split('?');
  request.server.requestLog.add(tenantId, {
    id: request.id,
    at: new Date().toISOString(),
    surface,
    method: request.method,
    path: path.slice(0, LOGGED_PATH_MAX),
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    code: request.errorCode,
    credential: principal?.name ?? null,
    merchantId: principal?.merchantId ?? null,
  });
}

/** Adds the headers of every response. */
function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id);
  reply.headers(SECURITY_HEADERS);
  setUnlimitedHeaders(reply);
}

function sendError(reply: FastifyReply, error: ServiceError, format?: ErrorFormat): FastifyReply {
  if ((error.status === 409 || error.status === 429) && error.details?.retryAfter !== undefined)
    reply.header('retry-after', String(error.details.retryAfter));
  return reply
    .code(error.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(failure(error, format)));
}

/** Sends the error envelope to a client whose request Node could not parse. */
function respondToBrokenHttp({ log }: FastifyInstance, error: Pick<NodeJS.ErrnoException, 'code'>, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, message] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'The request is not valid HTTP.'];
  const body = JSON.stringify(failure(new ServiceError('VALIDATION_ERROR', message)));
  const requestId = newRequestId();
  log.info({ requestId, method: null, route: null, status: Number(status.slice(0, 3)), ms: null }, 'request');
  const head = `content-type: application/json; charset=utf-8\r\nx-request-id: ${requestId}\r\nconnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  // A client that never closes its side would keep the connection open.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

const newRequestId = () => `req_${randomUUID().replaceAll('-', '')}`;

type HostsFor = (request: FastifyRequest) => AllowedHosts;

async function mountUpload(
  scope: FastifyInstance,
  declared: Route,
  runtime: Runtime,
  serviceKey: (() => string) | null,
  hostsFor: HostsFor,
): Promise<void> {
  await scope.register(multipart, { limits: { ...UPLOAD_LIMITS, fileSize: declared.upload?.bytesMax }, throwFileSizeLimit: false });
  mount(scope, declared, runtime, serviceKey, hostsFor);
}

function mount(app: FastifyInstance, declared: Route, runtime: Runtime, serviceKey: (() => string) | null, hostsFor: HostsFor): void {
  const { surface, method } = declared;
  app.route({
    method,
    url: urlOf(declared),
    config: { fields: declared.fields, surface, isForPayers: declared.isForPayers },
    ...(declared.upload ? { bodyLimit: declared.upload.bytesMax + BODY_LIMIT } : {}),
    // A HEAD would run the operation for nothing. Monitors send it to open routes.
    exposeHeadRoute: surface === 'open',
    onRequest: async (request, reply) => {
      reply.headers(deprecationHeaders(declared));
      const answer = declared.withoutDatabase === undefined ? null : await declared.withoutDatabase(runtime.core);
      if (answer !== null) return reply.send(answer);
      if (!declared.beforeSetUp && !(await runtime.isSetUp()))
        throw new ServiceError('SERVICE_UNAVAILABLE', 'Paydesk is not set up yet. Open it in the browser to start.');
      if (surface === 'open') {
        if (declared.namesTenant)
          await countWrongCredentials(runtime.core.limits, addressOf(request), reply, () => namedTenant(runtime.core, request));
        if (declared.rate !== 'unlimited') await countAddress(runtime.core.limits, addressOf(request), reply);
        return;
      }
      const principal = await countWrongCredentials(runtime.core.limits, addressOf(request), reply, () =>
        principalOf(runtime.core, surface, request, serviceKey?.() ?? null, declared.clientToken),
      );
      request.principal = principal;
      if (principal.allowedAddresses.length > 0) await runtime.core.identity.checkAddress(principal, loginContextOf(request));
      if (surface === 'sdk') checkOrigin(request, reply, hostsFor(request), principal);
      await countCaller(runtime.core.limits, principal, declared.rate ?? 'default', request, reply);
      await checkAccess(declared, principal, runtime.core);
    },
    ...(isRecorded(declared) ? recordingHooks(declared, runtime) : {}),
    handler: (request, reply) => handle(declared, runtime.core, request, reply),
  });
}

/** Returns the hooks that record the requests of a route while a recording of their tenant runs. */
function recordingHooks(declared: Route, runtime: Runtime) {
  return {
    preHandler: (request: FastifyRequest) => beginRecording(runtime.core, request),
    onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      await recordResponse(runtime.core, declared, request, reply.statusCode, payload);
      return payload;
    },
  };
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';
const noRoute = (request: FastifyRequest, allowed = '') => {
  const path = pathOf(request).slice(0, LOGGED_PATH_MAX);
  const message =
    allowed === ''
      ? `There is no route ${request.method} ${path}.`
      : `There is no route ${request.method} ${path}. It has the methods ${allowed}.`;
  return new ServiceError('NOT_FOUND', message);
};

async function handle(declared: Route, core: Core, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  // The address of a list with a slash at its end matches the route of one record.
  if (pathOf(request).endsWith('/')) throw noRoute(request);
  const query = readInput(declared, request);
  const { principal } = request;
  const input = { core, params: request.params, query, body: request.body, request, reply };
  if (declared.surface === 'open') return sendResult(declared, await declared.run(input as never), reply);
  assert(principal !== null, 'a route with a credential has a principal');
  const idempotencyKey = declared.keyClaimedBy
    ? readIdempotencyKey(request, declared, principal.credentialId, core.idempotencyFingerprintKey)
    : null;
  const actor = actorOf(principal, request, idempotencyKey);
  const givenReason = declared.approvable ? readApprovalReason(request) : null;
  if (declared.exports) request.recordExport = exportRecorder(core, actor, request, query);
  // A stored response may contain a secret. Only a caller who confirms the request again receives it.
  const body: unknown = await confirmCaller(declared, core, principal, request);
  if (idempotencyKey && (await replay(core, actor, reply))) return reply;
  try {
    const run = (caller: Actor) => declared.run({ ...input, body, actor: caller, principal } as never);
    if (declared.keyClaimedBy !== 'server' || idempotencyKey === null) return sendResult(declared, await run(actor), reply);
    const response = await core.idempotencyKeys.runOnce(actor, async (caller) => {
      const result = await run(caller);
      return { status: statusOf(declared, result), body: responseBody(declared, result) };
    });
    return sendStored(response, reply);
  } catch (thrown) {
    if (thrown instanceof ApprovalRequired) {
      const stored = { core, declared, actor, params: request.params, query, body, givenReason };
      return reply.code(202).send(approvalAnswer(await storeForApproval(stored, thrown), declared.surface));
    }
    const error = toServiceError(thrown);
    if (idempotencyKey && isReplayable(error))
      await core.idempotencyKeys.storeResponse(actor, errorResponse(error, { ...declared, sentNames: request.sentNames }));
    throw thrown;
  }
}

const sendStored = ({ status, body }: StoredResponse, reply: FastifyReply): FastifyReply =>
  reply.code(status).type('application/json; charset=utf-8').send(body);

function sendResult(declared: Route, result: unknown, reply: FastifyReply): FastifyReply {
  if (reply.sent || !isShown(declared)) return reply;
  reply.code(statusOf(declared, result));
  return reply.type('application/json; charset=utf-8').send(responseBody(declared, result));
}

/** Returns the function that records an export with its filter in the audit log. */
function exportRecorder(core: Core, actor: Actor, request: FastifyRequest, query: Readonly<Record<string, string>>): RecordExport {
  const { format: _, ...filter } = query;
  return (rows, isComplete) =>
    core.audit.recordExport(actor, {
      resource: pathOf(request).replace('/api/v1/', ''),
      merchantId: query.merchantId,
      filter,
      rows,
      isComplete,
    });
}

function actorOf(principal: Principal, request: FastifyRequest, idempotencyKey: IdempotencyKey | null): Actor {
  const { tenantId, credentialId, name, merchantId, permissions, spendingLimits } = principal;
  return {
    tenantId,
    credentialId,
    name,
    merchantId,
    permissions,
    hasSpendingLimits: spendingLimits !== null,
    isSignInRecent: isSignInRecent(principal),
    requestId: request.id,
    ip: addressOf(request),
    userAgent: loginContextOf(request).userAgent,
    drawer: readDrawer(request),
    idempotencyKey,
  };
}

/** Replays the response of a known key. Returns false if the request must run. */
async function replay(core: Core, actor: Actor, reply: FastifyReply): Promise<boolean> {
  const found = await core.idempotencyKeys.find(actor);
  switch (found.kind) {
    case 'new':
      return false;
    case 'running':
      throw new ServiceError('RESOURCE_CONFLICT', 'A request with this Idempotency-Key is still running.', { details: { retryAfter: 1 } });
    case 'interrupted':
      throw new ServiceError(
        'RESOURCE_CONFLICT',
        'A request with this Idempotency-Key was interrupted, and its outcome is unknown. Read the record. If the operation is still necessary, use another key.',
        { field: 'Idempotency-Key', details: { reason: 'request_interrupted' } },
      );
    case 'other-request':
      throw new ServiceError('RESOURCE_CONFLICT', 'This Idempotency-Key was used for another request.', { field: 'Idempotency-Key' });
    default:
      sendStored(found.response, reply.header('idempotent-replayed', 'true'));
      return true;
  }
}
