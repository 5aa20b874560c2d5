import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { StartStep } from '#core/database';
import { ServiceError } from '#core/kernel';
import { allowedHosts } from '#server/hooks';
import { failure, SECURITY_HEADERS, VERSION } from '#server/http';
import { preferredLanguage, STARTING_PAGE_POLICY, startingPage } from '#server/pages';
import { PROBES } from '#server/routes';
import { sizeText } from '#shared/size-text';

const RETRY_AFTER_SECONDS = 2;
/** Time for a request to arrive. */
const REQUEST_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 200;
const ANY_PORT = 0;

/** The connection is closed, so that the next request reaches the complete server. */
const RETRY = { 'retry-after': String(RETRY_AFTER_SECONDS), connection: 'close' } as const;

/** Answers requests while a large database file is checked or updated at the start. It processes none of them. */
export interface StartingServer {
  /** Work that the start waits for. */
  step: StartStep;
  /** Releases the port. */
  close(): Promise<void>;
}

/**
 * Listens on the address of a server that is not ready yet. `/health` reports `starting`, a browser gets a page that reloads itself, and every other
 * request gets SERVICE_UNAVAILABLE. Returns null if nothing can listen yet: nobody knows a port that the system will choose, and the complete server
 * reports an address that cannot be used. @throws Error with the code EADDRINUSE if the port is in use.
 */
export async function listenWhileStarting(host: string, port: number, step: StartStep): Promise<StartingServer | null> {
  if (port === ANY_PORT) return null;
  const startedAt = performance.now();
  const { hosts } = allowedHosts(host, port, async () => false);
  // The public names of merchants are in the database, so a payer under such a name gets the page without its details.
  const isOwnHost = ({ headers }: IncomingMessage) => hosts.has(headers.host?.toLowerCase() ?? '');

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const { step } = current;
    const [path = ''] = (request.url ?? '').split('?');
    const sendJson = (status: number, body: unknown) => {
      response.writeHead(status, { ...SECURITY_HEADERS, ...RETRY, 'content-type': 'application/json; charset=utf-8' });
      response.end(JSON.stringify(body));
    };
    // The body is not read, because nothing processes it.
    request.resume();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (isRead && path === PROBES.live) return sendJson(200, { status: 'ok' });
    if (isRead && path === PROBES.ready) return sendJson(503, { status: 'starting' });
    if (isRead && path === '/health') {
      if (isOwnHost(request)) return sendJson(503, healthOf(step, startedAt));
      return sendJson(400, failure(new ServiceError('VALIDATION_ERROR', 'The Host header does not name this server.', { field: 'Host' })));
    }
    if (isRead && request.headers.accept?.includes('text/html') === true && !path.startsWith('/api/')) {
      response.writeHead(503, {
        ...SECURITY_HEADERS,
        ...RETRY,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': STARTING_PAGE_POLICY,
      });
      return void response.end(
        startingPage(preferredLanguage(request.headers['accept-language']), step.kind, isOwnHost(request) ? sizeText(step.bytes) : null),
      );
    }
    sendJson(503, failure(unavailable(step)));
  };

  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS }, answer);
  server.maxConnections = CONNECTIONS_MAX;
  const current: StartingServer = {
    step,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  try {
    await once(server.listen({ host, port }), 'listening');
    return current;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw error;
    return null;
  }
}

const unavailable = ({ kind }: StartStep) =>
  new ServiceError(
    'SERVICE_UNAVAILABLE',
    kind === 'check'
      ? 'The server is starting: it checks its database file. Nothing was changed. Try again in a moment.'
      : 'The server is starting: it updates its database file. Nothing was changed. Try again in a moment.',
  );

/** Returns the document of `/health` for a server that is not ready yet. */
function healthOf({ kind, bytes }: StartStep, startedAt: number) {
  const size = sizeText(bytes);
  return {
    status: 'starting',
    version: VERSION,
    database: { kind: 'sqlite', status: kind === 'check' ? 'checking' : 'updating' },
    disk: { status: 'ok' },
    processes: { expected: 1, running: 1 },
    problems: [
      kind === 'check'
        ? `The last stop was not clean, so the database file (${size}) is checked before the server starts.`
        : `The database file (${size}) is updated to this version of Paydesk before the server starts.`,
    ],
    uptime: Math.floor((performance.now() - startedAt) / 1_000),
  };
}
