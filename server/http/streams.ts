import { randomUUID } from 'node:crypto';
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

interface OpenStream {
  readonly id: string;
  readonly owner: StreamOwner;
  readonly openedMs: number;
  /** Count of the streams that its process opened, which orders those of one millisecond. */
  readonly sequence: number;
  readonly end: () => void;
}

interface Stream extends OpenStream {
  readonly reply: FastifyReply;
}

/** Change of the streams of a process; `end` asks the process that has the stream to end it. */
type StreamChange = ({ readonly kind: 'opened' } & Omit<OpenStream, 'end'>) | { readonly kind: 'ended' | 'end'; readonly id: string };

/** Exchange of the streams among the processes of a server. */
export interface StreamExchange {
  publish(change: StreamChange): void;
  subscribe(listener: (change: StreamChange) => void): void;
}

/**
 * Open streams of server-sent events: limited per session and tenant in all processes of the server, kept alive by one timer, ended when the server closes.
 */
export class Streams {
  readonly #open = new Map<string, Stream>();
  /** Streams of other processes. Those of a process that was killed are ended first, because they are the oldest. */
  readonly #elsewhere = new Map<string, OpenStream>();
  readonly #exchange: StreamExchange | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sequence = 0;

  constructor(app: FastifyInstance, exchange?: StreamExchange) {
    this.#exchange = exchange;
    app.addHook('preClose', async () => this.#endAll());
    exchange?.subscribe((change) => {
      const { id } = change;
      if (change.kind === 'opened') {
        const { owner, openedMs, sequence } = change;
        this.#elsewhere.set(id, { id, owner, openedMs, sequence, end: () => this.#endElsewhere(id) });
        this.#endExcess(owner);
      } else if (change.kind === 'ended') this.#elsewhere.delete(id);
      else this.#open.get(id)?.end();
    });
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
    const id = randomUUID();
    const openedMs = Date.now();
    this.#sequence += 1;
    const sequence = this.#sequence;
    const stream: Stream = {
      id,
      owner,
      reply,
      openedMs,
      sequence,
      end: () => {
        if (!this.#open.delete(id)) return;
        this.#exchange?.publish({ kind: 'ended', id });
        unsubscribe();
        reply.raw.end();
        if (this.#open.size === 0) clearInterval(this.#timer);
      },
    };
    this.#open.set(id, stream);
    const { tenantId, userId, sessionId } = owner;
    this.#exchange?.publish({ kind: 'opened', id, owner: { tenantId, userId, sessionId }, openedMs, sequence });
    unsubscribe = subscribe((data) => reply.raw.write(`event: change\ndata: ${JSON.stringify(data)}\n\n`), stream.end);
    reply.raw.on('close', stream.end);
    if (this.#open.size === 1) this.#timer = setInterval(() => this.#sendHeartbeats(), HEARTBEAT_MS).unref();
  }

  /** Ends the oldest stream of a session that has its maximum, or of the user with the most streams if the tenant has its maximum. */
  #makeRoom({ tenantId, sessionId }: StreamOwner): void {
    const ofTenant = this.#oldestFirst(tenantId);
    const ofSession = ofTenant.filter(({ owner }) => owner.sessionId === sessionId);
    if (ofSession.length >= PER_SESSION_MAX) ofSession[0]?.end();
    else if (ofTenant.length >= PER_TENANT_MAX) {
      const byUser = [...Map.groupBy(ofTenant, ({ owner }) => owner.userId).values()];
      byUser.sort((left, right) => right.length - left.length)[0]?.[0]?.end();
    }
  }

  /** Ends own streams that a session has beyond its maximum, because processes that open one in the same moment do not know of the other's. */
  #endExcess({ tenantId, sessionId }: StreamOwner): void {
    const ofSession = this.#oldestFirst(tenantId).filter(({ owner }) => owner.sessionId === sessionId);
    for (const { id } of ofSession.slice(0, -PER_SESSION_MAX)) this.#open.get(id)?.end();
  }

  /** Returns the streams of a tenant in all processes, in one order in each of them. */
  #oldestFirst(tenantId: string): OpenStream[] {
    return [...this.#open.values(), ...this.#elsewhere.values()]
      .filter(({ owner }) => owner.tenantId === tenantId)
      .sort((left, right) => left.openedMs - right.openedMs || left.sequence - right.sequence || (left.id < right.id ? -1 : 1));
  }

  #endElsewhere(id: string): void {
    this.#elsewhere.delete(id);
    this.#exchange?.publish({ kind: 'end', id });
  }

  #sendHeartbeats(): void {
    const now = Date.now();
    for (const [id, { openedMs }] of this.#elsewhere) if (now >= openedMs + LIFETIME_MS) this.#elsewhere.delete(id);
    for (const stream of [...this.#open.values()]) {
      if (now >= stream.openedMs + LIFETIME_MS) stream.end();
      else stream.reply.raw.write(': still here\n\n');
    }
  }

  #endAll(): void {
    for (const stream of [...this.#open.values()]) stream.end();
  }
}
