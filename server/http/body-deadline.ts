import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Time limits for receiving the body of a request. */
interface BodyTimeouts {
  /** Time for a complete body, counted from its headers. */
  readonly bodyMs: number;
  /** Time without another byte during an upload. */
  readonly idleMs: number;
  /** Time for a complete file upload, however slowly it arrives. */
  readonly uploadMs: number;
  /** Time for the rest of a body whose request was answered before the body was complete. */
  readonly discardMs: number;
}

export const BODY_TIMEOUTS: BodyTimeouts = { bodyMs: 30_000, idleMs: 30_000, uploadMs: 3_600_000, discardMs: 10_000 };

const CHECK_INTERVAL_MS = 1_000;

interface PendingBody {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly startedMs: number;
  isUpload: boolean;
  bytes: number;
  lastByteMs: number;
  /** Time of the response, if it was sent before the body was complete. */
  respondedMs: number | null;
}

/** Extends the time limit for an upload, after the sender is known. */
interface BodyDeadline {
  /** While bytes arrive, the body may take as long as a file upload. */
  extendForUpload(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyDeadline: BodyDeadline | null;
  }
}

/** Starts watching the body of a request; `keepBodyDeadlines` calls it for every request that passes the hooks. */
type WatchBody = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Ends requests whose body does not arrive in time. Node has only one limit for all requests of a server. A slow file upload would need a
 * higher limit than a client without a credential should have for holding a connection open.
 *
 * If a response is sent before the body is complete, the rest of the body is read and discarded, so that the connection can serve the next
 * request. If the rest takes longer than `discardMs`, the connection is closed.
 */
export function keepBodyDeadlines(app: FastifyInstance, end: (socket: Socket) => void, timeouts = BODY_TIMEOUTS): WatchBody {
  // An array, because a Set that is filled and emptied all the time leaves old tables of entries, each of which refers to the next one. In the old generation of
  // the heap, such a chain keeps the requests of all of them until a full garbage collection.
  const pending: PendingBody[] = [];
  const forget = (body: PendingBody) => {
    const at = pending.indexOf(body);
    if (at >= 0) pending.splice(at, 1);
  };
  let timer: NodeJS.Timeout | undefined;
  const isLate = (body: PendingBody, nowMs: number) => {
    if (body.respondedMs !== null) return nowMs - body.respondedMs > timeouts.discardMs;
    if (!body.isUpload) return nowMs - body.startedMs > timeouts.bodyMs;
    const { bytesRead } = body.request.raw.socket;
    if (bytesRead > body.bytes) [body.bytes, body.lastByteMs] = [bytesRead, nowMs];
    return nowMs - body.lastByteMs > timeouts.idleMs || nowMs - body.startedMs > timeouts.uploadMs;
  };
  const checkDeadlines = () => {
    const nowMs = performance.now();
    for (const body of [...pending]) {
      const { raw } = body.request;
      if (!raw.complete && !raw.destroyed && !isLate(body, nowMs)) continue;
      forget(body);
      if (raw.complete || raw.destroyed) continue;
      if (body.reply.raw.headersSent) raw.socket.destroy();
      else end(raw.socket);
    }
    if (pending.length > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const watch: WatchBody = (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if ((length === undefined || length === '0') && encoding === undefined) return;
    const { raw } = request;
    const nowMs = performance.now();
    const body: PendingBody = {
      request,
      reply,
      startedMs: nowMs,
      isUpload: false,
      bytes: raw.socket.bytesRead,
      lastByteMs: nowMs,
      respondedMs: null,
    };
    pending.push(body);
    request.bodyDeadline = {
      extendForUpload() {
        body.isUpload = true;
      },
    };
    timer ??= setInterval(checkDeadlines, Math.min(CHECK_INTERVAL_MS, timeouts.bodyMs / 4)).unref();
    reply.raw.once('finish', () => {
      if (raw.readableEnded || raw.destroyed) {
        // Kept until the next check, request and reply would outlive several garbage collections.
        forget(body);
        return;
      }
      body.respondedMs = performance.now();
      // A parser that rejected the body has stopped reading, and the next request cannot arrive before the body ends.
      raw.unpipe().resume();
    });
  };
  app.decorateRequest('bodyDeadline', null);
  app.addHook('onRequest', (request, reply, done) => {
    watch(request, reply);
    done();
  });
  app.addHook('onSend', (_, reply, _payload, done) => {
    // Fastify closes the connection when it refuses a body. A client that is still sending could then lose the response.
    reply.removeHeader('connection');
    done();
  });
  app.addHook('onClose', async () => clearInterval(timer));
  return watch;
}
