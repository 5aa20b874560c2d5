// What the peers have in common: an HTTP server on loopback that speaks one processor's protocol, plays faults on purpose and shows its books.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Batch, type Entry, Ledger, type Totals } from './ledger.ts';

/** What came over the wire. */
export interface Question {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

export interface PeerAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * What goes wrong with a question. `drop-request` hangs up before taking it, `drop-answer` after; `delay` takes it at once and answers late; `half-answer`
 * breaks off in the middle; `http-500` and `http-429` take nothing; the rest is the protocol's to play (see Played).
 */
export interface Fault {
  readonly do: 'drop-request' | 'drop-answer' | 'delay' | 'half-answer' | 'http-500' | 'http-429' | 'busy' | 'duplicate' | 'echo' | 'code';
  /** How often, of one: 0.05 is one question in twenty. Without it and without `nth`, always. */
  readonly share?: number;
  /** Only the n-th question that the fault is for, from 1. */
  readonly nth?: number;
  /** Only for operations of these names (PeerProtocol.operationOf); without it, for all. */
  readonly on?: readonly string[];
  /** Of a delay. */
  readonly ms?: number;
  /** Of `code`. */
  readonly code?: string;
}

/**
 * A fault that speaks the processor's language. `busy` takes nothing and says so; `duplicate` takes the question and answers as if it had it already; `echo` takes
 * nothing and repeats everything that it heard, card number and credentials too, in its error's text; `code` answers with that code of the processor's.
 */
export type Played = { readonly kind: 'busy' | 'duplicate' | 'echo' } | { readonly kind: 'code'; readonly code: string };

/** What a protocol works on. */
export interface Books {
  readonly ledger: Ledger;
  now(): number;
  readonly credentials: Readonly<Record<string, string>>;
  /** Peculiarities that are switched on; each protocol lists its own. */
  readonly quirks: ReadonlySet<string>;
}

/** One processor's wire format, strict: it refuses what the real one would refuse. */
export interface PeerProtocol {
  readonly kind: string;
  /** What it lets in unless it is told otherwise, by the names of the connector's credential fields. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly quirks: readonly string[];
  /** What a question is about, for the faults' `on`; empty when it cannot be told. */
  operationOf(question: Question): string;
  answer(question: Question, on: Books, played: Played | null): PeerAnswer;
}

export interface PeerOptions {
  readonly port?: number;
  /** Of the random source that faults with a share draw from: the same seed, the same course. */
  readonly seed?: number;
  readonly now?: () => number;
  readonly faults?: readonly Fault[];
  /** How long lists and queries do not show a new transaction. */
  readonly visibleAfterMs?: number;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly quirks?: readonly string[];
}

export interface Peer {
  readonly kind: string;
  readonly origin: string;
  readonly ledger: Ledger;
  readonly credentials: Readonly<Record<string, string>>;
  closeBatch(): readonly Batch[];
  /** Replaces the faults and counts their questions anew; without an argument, none. */
  faults(faults?: readonly Fault[]): void;
  /** Replaces the peculiarities. */
  quirks(quirks?: readonly string[]): void;
  /** Questions heard, those that were dropped too, by operation. */
  heard(): Readonly<Record<string, number>>;
  /** The last question as it came. */
  last(): Question | null;
  stop(): Promise<void>;
}

const CONTROL = '/__peer/';
const BODY_BYTES_MAX = 1_048_576;
const DELAY_MS = 1_000;

interface Planned extends Fault {
  seen: number;
}

/** Starts a peer on loopback. */
export async function servePeer(protocol: PeerProtocol, options: PeerOptions = {}): Promise<Peer> {
  const now = options.now ?? Date.now;
  const random = seeded(options.seed ?? 1);
  const ledger = new Ledger(now, options.visibleAfterMs ?? 0);
  const credentials = options.credentials ?? protocol.credentials;
  const books = { ledger, now, credentials, quirks: knownQuirks(protocol, options.quirks ?? []) };
  const heard: Record<string, number> = {};
  let plan: Planned[] = planned(options.faults ?? []);
  let last: Question | null = null;

  function faultFor(operation: string): Fault | null {
    let chosen: Fault | null = null;
    for (const fault of plan) {
      if (fault.on && !fault.on.includes(operation)) continue;
      fault.seen += 1;
      const isDue = fault.nth === undefined ? fault.share === undefined || random() < fault.share : fault.seen === fault.nth;
      if (isDue) chosen ??= fault;
    }
    return chosen;
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await questionIn(request);
    last = question;
    const operation = protocol.operationOf(question);
    heard[operation] = (heard[operation] ?? 0) + 1;
    const fault = faultFor(operation);
    if (fault?.do === 'drop-request') return void request.socket.destroy();
    if (fault?.do === 'http-500') return void response.writeHead(500).end();
    if (fault?.do === 'http-429') return void response.writeHead(429, { 'content-type': 'text/plain' }).end('Too Many Requests');
    const { status, contentType, body } = protocol.answer(question, books, fault && playedOf(fault));
    if (fault?.do === 'drop-answer') return void request.socket.destroy();
    const bytes = Buffer.from(body, 'utf8');
    const head = { 'content-type': contentType, 'content-length': bytes.length };
    if (fault?.do === 'half-answer') {
      response.writeHead(status, head);
      return void response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy());
    }
    if (fault?.do === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms ?? DELAY_MS).unref());
    response.writeHead(status, head).end(bytes);
  }

  async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, body } = await questionIn(request);
    const given = body === '' ? {} : JSON.parse(body);
    const done = (outcome: unknown) =>
      response.writeHead(outcome === false ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(outcome ?? null));
    switch (`${request.method} ${path.slice(CONTROL.length)}`) {
      case 'GET ledger':
        return void done({ totals: ledger.totals(), entries: ledger.all(), batches: ledger.batches() } satisfies Shown);
      case 'GET heard':
        return void done(heard);
      case 'POST close-batch':
        return void done(ledger.closeBatch());
      case 'POST faults':
        plan = planned(given);
        return void done(given);
      case 'POST quirks':
        books.quirks = knownQuirks(protocol, given);
        return void done(given);
      case 'POST return-item':
        return void done(ledger.returnItem(given.reference, given.code ?? 'R01', given.reason ?? 'Insufficient Funds'));
      case 'POST release':
      case 'POST refuse':
        return void done(ledger.decideHeld(given.reference, path.endsWith('release') ? 'release' : 'refuse'));
      default:
        return void done(false);
    }
  }

  const server = createServer((request, response) => {
    const handle = request.url?.startsWith(CONTROL) ? control : take;
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The peer failed: ${String(error)}`);
    });
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    kind: protocol.kind,
    origin: `http://127.0.0.1:${port}`,
    ledger,
    credentials,
    closeBatch: () => ledger.closeBatch(),
    faults(faults = []) {
      plan = planned(faults);
    },
    quirks(quirks = []) {
      books.quirks = knownQuirks(protocol, quirks);
    },
    heard: () => heard,
    last: () => last,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What GET /__peer/ledger answers. */
export interface Shown {
  readonly totals: Totals;
  readonly entries: readonly Entry[];
  readonly batches: readonly Batch[];
}

function playedOf({ do: kind, code = '' }: Fault): Played | null {
  if (kind === 'code') return { kind, code };
  return kind === 'busy' || kind === 'duplicate' || kind === 'echo' ? { kind } : null;
}

const planned = (faults: readonly Fault[]): Planned[] => faults.map((fault) => ({ ...fault, seen: 0 }));

function knownQuirks(protocol: PeerProtocol, quirks: readonly string[]): ReadonlySet<string> {
  for (const quirk of quirks) if (!protocol.quirks.includes(quirk)) throw new Error(`${protocol.kind} has no peculiarity ${quirk}`);
  return new Set(quirks);
}

async function questionIn(request: IncomingMessage): Promise<Question> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error('The question is too long.');
    chunks.push(chunk);
  }
  const { method = '', url = '', headers } = request;
  return { method, path: url, contentType: headers['content-type'] ?? '', body: Buffer.concat(chunks).toString('utf8') };
}

/** Mulberry32: numbers from 0 to below 1, the same for the same seed. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
