import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError } from '#core/kernel';

const STREAMS_MAX = 100;
const BEAT_MS = 15_000;
/** As long as an access token: whoever goes on listening shows a fresh one. */
const LIFETIME_MS = 15 * 60_000;

interface Stream {
  readonly reply: FastifyReply;
  readonly endsAtMs: number;
  readonly end: () => void;
}

/** Open streams of server-sent events of one server: bounded, kept alive by one timer, ended when the server closes. */
export class Streams {
  readonly #open = new Set<Stream>();
  #timer: NodeJS.Timeout | undefined;

  constructor(app: FastifyInstance) {
    app.addHook('preClose', async () => this.#endAll());
  }

  /** Turns an answer into a stream. `subscribe` is given the way to send and answers how to stop. SERVICE_UNAVAILABLE beyond the bound. */
  open(reply: FastifyReply, subscribe: (send: (data: unknown) => void) => () => void): void {
    if (this.#open.size >= STREAMS_MAX)
      throw new ServiceError('SERVICE_UNAVAILABLE', 'Too many screens listen for changes; ask again instead.');
    reply.hijack();
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream; charset=utf-8' };
    reply.raw.writeHead(200, headers as Record<string, string>);
    reply.raw.write(': listening\n\n');
    const unsubscribe = subscribe((data) => reply.raw.write(`event: change\ndata: ${JSON.stringify(data)}\n\n`));
    const stream: Stream = {
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
    reply.raw.on('close', stream.end);
    if (this.#open.size === 1) this.#timer = setInterval(() => this.#beat(), BEAT_MS).unref();
  }

  #beat(): void {
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
