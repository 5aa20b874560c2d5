import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '#core/kernel';

/** A browser opens at most six connections to a server; one stays free for requests. */
const PER_SESSION_MAX = 5;
const PER_TENANT_MAX = 100;
const PER_SERVER_MAX = 1_000;
const HEARTBEAT_MS = 15_000;
/** Lifetime of a stream, equal to that of an access token: a client that continues reconnects with a fresh token. */
const LIFETIME_MS = 15 * 60_000;

/** The caller of a stream. */
interface StreamOwner {
  readonly tenantId: string;
  readonly userId: string | null;
  readonly sessionId: string | null;
}

interface Stream {
  readonly owner: StreamOwner;
  readonly reply: FastifyReply;
  readonly endsAtMs: number;
  readonly end: () => void;
}

/** Open streams of server-sent events of this server: limited per session and tenant, kept alive by one timer, ended when the server closes. */
export class Streams {
  /** Open streams in the order of their opening. */
  readonly #open = new Set<Stream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(app: FastifyInstance) {
    app.addHook('preClose', async () => this.#endAll());
  }

  /**
   * Turns a response into a stream. `subscribe` receives functions that send data and end the stream, and returns a function that ends the
   * subscription. @throws SERVICE_UNAVAILABLE if the server has its maximum number of streams.
   */
  open(reply: FastifyReply, owner: StreamOwner, subscribe: (send: (data: unknown) => void, end: () => void) => () => void): void {
    this.#makeRoom(owner);
    if (this.#open.size >= PER_SERVER_MAX)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many screens are listening for changes. Poll instead.');
    reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' };
    reply.raw.writeHead(200, headers as Record<string, string>);
    reply.raw.write(': listening\n\n');
    let unsubscribe = () => {};
    const stream: Stream = {
      owner,
      reply,
      endsAtMs: Date.now() + LIFETIME_MS,
      end: () => {
        if (!this.#open.delete(stream)) return;
        unsubscribe();
        reply.raw.end();
        if (this.#open.size === 0) clearInterval(this.#timer);
      },
    };
    this.#open.add(stream);
    unsubscribe = subscribe((data) => reply.raw.write(`event: change\ndata: ${JSON.stringify(data)}\n\n`), stream.end);
    reply.raw.on('close', stream.end);
    if (this.#open.size === 1) this.#timer = setInterval(() => this.#sendHeartbeats(), HEARTBEAT_MS).unref();
  }

  /** Ends the oldest stream of a session that has its maximum, or of the user with the most streams if the tenant has its maximum. */
  #makeRoom({ tenantId, sessionId }: StreamOwner): void {
    const ofTenant = [...this.#open].filter(({ owner }) => owner.tenantId === tenantId);
    const ofSession = ofTenant.filter(({ owner }) => owner.sessionId === sessionId);
    if (ofSession.length >= PER_SESSION_MAX) ofSession[0]?.end();
    else if (ofTenant.length >= PER_TENANT_MAX) {
      const byUser = [...Map.groupBy(ofTenant, ({ owner }) => owner.userId).values()];
      byUser.sort((left, right) => right.length - left.length)[0]?.[0]?.end();
    }
  }

  #sendHeartbeats(): void {
    const now = Date.now();
    for (const stream of [...this.#open]) {
      if (now >= stream.endsAtMs) stream.end();
      else stream.reply.raw.write(': still here\n\n');
    }
  }

  #endAll(): void {
    for (const stream of [...this.#open]) stream.end();
  }
}
