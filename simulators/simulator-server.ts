// The common part of the simulators: an HTTP server on loopback that speaks one processor's protocol, simulates faults and shows its ledger.
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ReaderAction } from '#shared/terminals';
import { type Batch, type Entry, Ledger, type Totals } from './ledger.ts';

/** A request as received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly authorization: string;
  readonly body: string;
}

export interface SimulatorResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/**
 * A fault of a request. `drop-request` closes the connection before the request is processed, `drop-answer` after; `delay` processes it
 * immediately and answers late; `half-answer` breaks off in the middle; `http-500` and `http-429` process nothing; the protocol implements
 * the others (see ProtocolFault).
 */
export interface Fault {
  readonly do: 'drop-request' | 'drop-answer' | 'delay' | 'half-answer' | 'http-500' | 'http-429' | 'busy' | 'duplicate' | 'echo' | 'code';
  /** The share of affected requests: 0.05 is one request in twenty. Without it and without `nth`, all. */
  readonly share?: number;
  /** Only the n-th request that the fault applies to, from 1. */
  readonly nth?: number;
  /** Only operations of these names (SimulatorProtocol.operationOf); by default all. */
  readonly on?: readonly string[];
  /** Duration of a delay. */
  readonly ms?: number;
  /** Value for `code`. */
  readonly code?: string;
}

/**
 * A fault in the processor's protocol. `busy` processes nothing and says so; `duplicate` processes the request and answers as if it had
 * received it before; `echo` processes nothing and repeats everything it received, including card number and credentials, in its error
 * text; `code` answers with that code of the processor.
 */
export type ProtocolFault = { readonly kind: 'busy' | 'duplicate' | 'echo' } | { readonly kind: 'code'; readonly code: string };

/** The state that a protocol works on. */
export interface SimulatorContext {
  readonly ledger: Ledger;
  now(): number;
  readonly credentials: Readonly<Record<string, string>>;
  /** Enabled quirks; each protocol lists its own. */
  readonly quirks: ReadonlySet<string>;
}

/** A payment page as tests and people find it; `email` is the address to which the processor sent it. */
export interface SimulatedPage {
  readonly ourReference: string;
  /** Address without its origin. */
  readonly url: string;
  readonly email?: string;
}

/** One processor's wire format, strict: it refuses what the real processor refuses. */
export interface SimulatorProtocol {
  readonly kind: string;
  /** The accepted credentials by default, by the names of the connector's credential fields. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly quirks: readonly string[];
  /** Returns the operation of a request, for `Fault.on`; empty if it is unknown. */
  operationOf(received: ReceivedRequest): string;
  /** Returns the response; null if the connection breaks before it. */
  answer(
    received: ReceivedRequest,
    context: SimulatorContext,
    protocolFault: ProtocolFault | null,
  ): SimulatorResponse | null | Promise<SimulatorResponse | null>;
  /** Set for a device in the local network: it answers by TLS on a port of its own. */
  readonly device?: {
    readonly id: string;
    tls(context: SimulatorContext): { readonly key: string; readonly cert: string };
    /** Returns false while the device has no power or network, so that it accepts no connections. */
    isReachable(context: SimulatorContext): boolean;
  };
  /** Acts at a simulated card reader: `POST /__peer/present`. Returns false if no payment waits on it. */
  present?(context: SimulatorContext, input: ReaderInput): boolean;
  /** Returns the payment pages, oldest first, with the paths of their addresses: `GET /__peer/hosted-pages`. */
  hostedPages?(context: SimulatorContext): readonly SimulatedPage[];
}

/** Action of a person at a card reader; by default on the last reader. */
export interface ReaderInput {
  readonly action:
    | ReaderAction
    | 'approve'
    | 'decline'
    | 'partial'
    | 'restricted'
    | 'other_amount'
    /** The issuer approves, and the reader has not ended the dialog yet. */
    | 'authorize'
    /** The chip refuses the approval, so the reader reverses it. */
    | 'reverse';
  /** Entry mode of the card in the words of the processor; a chip by default. */
  readonly entryMode?: string;
  /** Code of a decline. */
  readonly code?: string;
  /** Tip in cents that the customer chooses, if the payment asks for one. */
  readonly tipMinor?: number;
  readonly deviceId?: string;
}

export interface SimulatorOptions {
  readonly port?: number;
  /** Seed of the random source for faults with a share: the same seed produces the same sequence. */
  readonly seed?: number;
  readonly now?: () => number;
  readonly faults?: readonly Fault[];
  /** Time during which lists and queries do not show a new transaction. */
  readonly visibleAfterMs?: number;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly quirks?: readonly string[];
}

export interface Simulator {
  readonly kind: string;
  /** Address of the protocol, and of the ledger and the faults. */
  readonly origin: string;
  /** ID and address of a device in the local network; null for a processor. */
  readonly device: { readonly id: string; readonly address: string } | null;
  readonly ledger: Ledger;
  readonly credentials: Readonly<Record<string, string>>;
  closeBatch(): readonly Batch[];
  /** Replaces the faults and restarts the count of their requests; without an argument, removes them. */
  faults(faults?: readonly Fault[]): void;
  /** Acts at a simulated card reader. */
  present(input: ReaderInput): boolean;
  /** Returns the payment pages that were created, oldest first. */
  hostedPages(): readonly SimulatedPage[];
  /** Replaces the quirks. */
  quirks(quirks?: readonly string[]): void;
  /** Numbers of received requests by operation, including dropped ones. */
  requestCounts(): Readonly<Record<string, number>>;
  /** Returns true while no connection to the device is open. */
  isIdle(): Promise<boolean>;
  /** The last request as received. */
  lastRequest(): ReceivedRequest | null;
  stop(): Promise<void>;
}

const CONTROL = '/__peer/';
const BODY_BYTES_MAX = 1_048_576;
const DELAY_MS = 1_000;

interface PlannedFault extends Fault {
  seen: number;
}

/** Starts a simulator on loopback. */
export async function serveSimulator(protocol: SimulatorProtocol, options: SimulatorOptions = {}): Promise<Simulator> {
  const now = options.now ?? Date.now;
  const random = seededRandom(options.seed ?? 1);
  const ledger = new Ledger(now, options.visibleAfterMs ?? 0);
  const credentials = options.credentials ?? protocol.credentials;
  const context = { ledger, now, credentials, quirks: knownQuirks(protocol, options.quirks ?? []) };
  const requestCounts: Record<string, number> = {};
  let plan: PlannedFault[] = planFaults(options.faults ?? []);
  let lastRequest: ReceivedRequest | null = null;

  function faultFor(operation: string): Fault | null {
    let selected: Fault | null = null;
    for (const fault of plan) {
      if (fault.on && !fault.on.includes(operation)) continue;
      fault.seen += 1;
      const isDue = fault.nth === undefined ? fault.share === undefined || random() < fault.share : fault.seen === fault.nth;
      if (isDue) selected ??= fault;
    }
    return selected;
  }

  async function handlePayment(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await readRequest(request);
    lastRequest = received;
    const operation = protocol.operationOf(received);
    requestCounts[operation] = (requestCounts[operation] ?? 0) + 1;
    const fault = faultFor(operation);
    if (fault?.do === 'drop-request') return void request.socket.destroy();
    if (fault?.do === 'http-500') return void response.writeHead(500).end();
    if (fault?.do === 'http-429') return void response.writeHead(429, { 'content-type': 'text/plain' }).end('Too Many Requests');
    const answer = await protocol.answer(received, context, fault && protocolFaultOf(fault));
    if (answer === null || fault?.do === 'drop-answer') return void request.socket.destroy();
    const { status, contentType, body } = answer;
    const bytes = Buffer.from(body, 'utf8');
    const head = { 'content-type': contentType, 'content-length': bytes.length };
    if (fault?.do === 'half-answer') {
      response.writeHead(status, head);
      return void response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => request.socket.destroy());
    }
    if (fault?.do === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms ?? DELAY_MS).unref());
    response.writeHead(status, head).end(bytes);
  }

  async function handleControl(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { path, body } = await readRequest(request);
    const input = body === '' ? {} : JSON.parse(body);
    const respond = (outcome: unknown) =>
      response.writeHead(outcome === false ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(outcome ?? null));
    switch (`${request.method} ${path.slice(CONTROL.length)}`) {
      case 'GET ledger':
        return void respond({ totals: ledger.totals(), entries: ledger.all(), batches: ledger.batches() } satisfies LedgerView);
      case 'GET heard':
        return void respond(requestCounts);
      case 'POST close-batch':
        return void respond(ledger.closeBatch());
      case 'POST faults':
        plan = planFaults(input);
        return void respond(input);
      case 'POST quirks':
        context.quirks = knownQuirks(protocol, input);
        return void respond(input);
      case 'POST return-item':
        return void respond(ledger.returnItem(input.reference, input.code ?? 'R01', input.reason ?? 'Insufficient Funds'));
      case 'POST chargeback':
        return void respond(ledger.chargeBack(input.reference, input));
      case 'POST reverse-chargeback':
        return void respond(ledger.reverseChargeback(input.reference, input));
      case 'GET hosted-pages':
        return void respond(protocol.hostedPages?.(context) ?? []);
      case 'POST present':
        return void respond(protocol.present?.(context, input) ?? false);
      case 'POST release':
      case 'POST refuse':
        return void respond(ledger.decideHeld(input.reference, path.endsWith('release') ? 'release' : 'refuse'));
      default:
        return void respond(false);
    }
  }

  // Every command contains the simulators. Node loads its `fetch` with this module, which takes 35 ms.
  const { createServer } = await import('node:http');
  const answerWith =
    (handlerOf: (url: string) => (request: IncomingMessage, response: ServerResponse) => Promise<void>) =>
    (request: IncomingMessage, response: ServerResponse) => {
      handlerOf(request.url ?? '')(request, response).catch((error: unknown) => {
        if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
        response.end(`The peer failed: ${String(error)}`);
      });
    };
  const server = createServer(answerWith((url) => (url.startsWith(CONTROL) ? handleControl : handlePayment)));
  const { device } = protocol;
  const deviceServer =
    device &&
    (await import('node:https')).createServer(
      { ...device.tls(context), minVersion: 'TLSv1.2' },
      answerWith(() => handlePayment),
    );
  deviceServer?.on('connection', (socket) => !device?.isReachable(context) && socket.destroy());
  const firstPort = options.port ?? 0;
  const port = await listen(server, firstPort);
  const devicePort = deviceServer && (await listen(deviceServer, firstPort === 0 ? 0 : firstPort + 1));
  return {
    kind: protocol.kind,
    origin: `http://127.0.0.1:${port}`,
    device: device ? { id: device.id, address: `127.0.0.1:${devicePort}` } : null,
    ledger,
    credentials,
    closeBatch: () => ledger.closeBatch(),
    faults(faults = []) {
      plan = planFaults(faults);
    },
    present: (input) => protocol.present?.(context, input) ?? false,
    hostedPages: () => protocol.hostedPages?.(context) ?? [],
    quirks(quirks = []) {
      context.quirks = knownQuirks(protocol, quirks);
    },
    requestCounts: () => requestCounts,
    lastRequest: () => lastRequest,
    isIdle: () => new Promise((resolve) => deviceServer?.getConnections((_, count) => resolve(count === 0)) ?? resolve(true)),
    async stop() {
      for (const each of [server, deviceServer]) {
        each?.closeAllConnections();
        await new Promise((resolve) => (each ? each.close(resolve) : resolve(null)));
      }
    },
  };
}

/** Listens on loopback and returns the port. */
async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Response of GET /__peer/ledger. */
interface LedgerView {
  readonly totals: Totals;
  readonly entries: readonly Entry[];
  readonly batches: readonly Batch[];
}

function protocolFaultOf({ do: kind, code = '' }: Fault): ProtocolFault | null {
  if (kind === 'code') return { kind, code };
  return kind === 'busy' || kind === 'duplicate' || kind === 'echo' ? { kind } : null;
}

const planFaults = (faults: readonly Fault[]): PlannedFault[] => faults.map((fault) => ({ ...fault, seen: 0 }));

function knownQuirks(protocol: SimulatorProtocol, quirks: readonly string[]): ReadonlySet<string> {
  for (const quirk of quirks) if (!protocol.quirks.includes(quirk)) throw new Error(`${protocol.kind} has no peculiarity ${quirk}`);
  return new Set(quirks);
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error('The question is too long.');
    chunks.push(chunk);
  }
  const { method = '', url = '', headers } = request;
  return {
    method,
    path: url,
    contentType: headers['content-type'] ?? '',
    authorization: headers.authorization ?? '',
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** Mulberry32: numbers from 0 to below 1, the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
