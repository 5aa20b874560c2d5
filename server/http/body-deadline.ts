import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Time limits for the arrival of a request. */
interface BodyTimes {
  /** A body as a whole, from its headers on. */
  readonly wholeMs: number;
  /** Time without a further byte during an upload. */
  readonly silentMs: number;
  /** A file as a whole, however it trickles. */
  readonly longestMs: number;
  /** The rest of a body whose request was answered before the body had arrived. */
  readonly restMs: number;
}

export const BODY_TIMES: BodyTimes = { wholeMs: 30_000, silentMs: 30_000, longestMs: 3_600_000, restMs: 10_000 };

const LOOK_MS = 1_000;

interface Arriving {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly beganMs: number;
  takesTime: boolean;
  bytes: number;
  heardMs: number;
  /** Time of the answer, if it preceded the end of the body. */
  answeredMs: number | null;
}

/** Extends the time limit for an upload, after the sender is known. */
interface BodyDeadline {
  /** While bytes arrive, the body may take as long as a file upload. */
  giveTime(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    bodyDeadline: BodyDeadline | null;
  }
}

/** Watches the body of a request; `keepBodyDeadlines` does so for every request that passes the hooks. */
type WatchBody = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Ends requests whose body does not arrive in time. Node has one limit for all requests of a server, which a file of a slow sender would need to be longer
 * than anybody should be able to hold a connection without a credential.
 *
 * If a request is answered before the end of its body, the rest is read and discarded, so that the connection can serve the next request. A rest that takes
 * longer than `restMs` ends the connection.
 */
export function keepBodyDeadlines(app: FastifyInstance, end: (socket: Socket) => void, times = BODY_TIMES): WatchBody {
  const arriving = new Set<Arriving>();
  let timer: NodeJS.Timeout | undefined;
  const isLate = (of: Arriving, nowMs: number) => {
    if (of.answeredMs !== null) return nowMs - of.answeredMs > times.restMs;
    if (!of.takesTime) return nowMs - of.beganMs > times.wholeMs;
    const { bytesRead } = of.request.raw.socket;
    if (bytesRead > of.bytes) [of.bytes, of.heardMs] = [bytesRead, nowMs];
    return nowMs - of.heardMs > times.silentMs || nowMs - of.beganMs > times.longestMs;
  };
  const look = () => {
    const nowMs = performance.now();
    for (const each of arriving) {
      const { raw } = each.request;
      if (!raw.complete && !raw.destroyed && !isLate(each, nowMs)) continue;
      arriving.delete(each);
      if (raw.complete || raw.destroyed) continue;
      if (each.reply.raw.headersSent) raw.socket.destroy();
      else end(raw.socket);
    }
    if (arriving.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  const watch: WatchBody = (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if ((length === undefined || length === '0') && encoding === undefined) return;
    const { raw } = request;
    const nowMs = performance.now();
    const each: Arriving = {
      request,
      reply,
      beganMs: nowMs,
      takesTime: false,
      bytes: raw.socket.bytesRead,
      heardMs: nowMs,
      answeredMs: null,
    };
    arriving.add(each);
    request.bodyDeadline = {
      giveTime() {
        each.takesTime = true;
      },
    };
    timer ??= setInterval(look, Math.min(LOOK_MS, times.wholeMs / 4)).unref();
    reply.raw.once('finish', () => {
      if (raw.readableEnded || raw.destroyed) return;
      each.answeredMs = performance.now();
      // Parsers that refused the body have stopped reading, and the next request cannot arrive before its end.
      raw.unpipe().resume();
    });
  };
  app.decorateRequest('bodyDeadline', null);
  app.addHook('onRequest', async (request, reply) => watch(request, reply));
  app.addHook('onSend', async (_, reply) => {
    // Fastify closes the connection when it refuses a body. A client that is still sending could then lose the response.
    reply.removeHeader('connection');
  });
  app.addHook('onClose', async () => clearInterval(timer));
  return watch;
}
