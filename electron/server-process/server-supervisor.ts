import { once } from 'node:events';
import { connect } from 'node:net';
import type { RunningServer, ServerOptions, StartStep } from '#server';
import { type InFlightRequests, PAYMENT_MS_MAX } from './in-flight.ts';
import { explainServiceFailure, type ServiceFailure } from './service-failure.ts';

const RETRY_DELAY_MS_MIN = 1_000;
const RETRY_DELAY_MS_MAX = 60_000;
/** Time for a server without payments in flight to stop. */
const STOP_TIMEOUT_MS = 10_000;
const WATCH_EVERY_MS = 2_000;
/** Number of crashes within the period after which the server waits for a person. */
const CRASHES_MAX = 4;
const CRASH_PERIOD_MS = 10 * 60_000;

/**
 * State of the service. `step`: work on a large database file that delays the start. `failed`: not running. `isRetrying`: it restarts
 * automatically.
 */
export type ServiceState =
  | { readonly kind: 'starting'; readonly step?: StartStep }
  | { readonly kind: 'running'; readonly baseUrl: string }
  | { readonly kind: 'failed'; readonly failure: ServiceFailure; readonly isRetrying: boolean }
  | { readonly kind: 'closed' };

/** Reports the check or the update of a large file, and ends a check when the application quits. */
export type StartOptions = Required<Pick<ServerOptions, 'onLongStep' | 'signal'>>;

interface ServerSupervisorOptions {
  /** Starts the server on a port. @throws if the server cannot start. */
  readonly start: (port: number, options: StartOptions) => Promise<RunningServer>;
  readonly port: number;
  /** Called on each new state. */
  readonly onStateChange: (state: ServiceState) => void;
  /** Called if the server does not stop, so that only the end of the process ends it. */
  readonly onStopFailure: () => void;
  /** Requests that a stopping server may complete. */
  readonly inFlight: InFlightRequests;
}

/** Keeps the server running: retries a failed start with growing delays, and restarts a crashed server. One server at a time. */
export class ServerSupervisor {
  state: ServiceState = { kind: 'starting' };
  port: number;
  private readonly options: ServerSupervisorOptions;
  private server: RunningServer | undefined;
  private readonly closing = new AbortController();
  private lastOperation: Promise<void> = Promise.resolve();
  private failedStarts = 0;
  private crashTimes: number[] = [];
  private retryTimer: NodeJS.Timeout | undefined;
  private watchTimer: NodeJS.Timeout | undefined;

  constructor(options: ServerSupervisorOptions) {
    this.options = options;
    this.port = options.port;
  }

  /** Returns the addresses that belong to Paydesk: those of the server and its database, or the port at which it will start. */
  ownAddresses(): ReturnType<RunningServer['ownAddresses']> {
    return this.server?.ownAddresses() ?? [{ host: '127.0.0.1', port: this.port }];
  }

  /** Starts the server, on another port if one is given. Resolves when it runs or its start has failed. */
  start(port = this.port): Promise<void> {
    this.port = port;
    this.failedStarts = 0;
    return this.startAgain();
  }

  /** Stops what is left of a crashed server and starts another one. */
  handleCrash(cause: unknown): Promise<void> {
    const { server } = this;
    console.error('The service crashed and is restarted.', cause);
    return this.runInTurn(async () => {
      // A crash often raises several errors; later ones of the old server must not stop the new one.
      if (server === undefined || this.server !== server) return;
      await this.stop();
      const now = Date.now();
      this.crashTimes = [...this.crashTimes.filter((at) => at > now - CRASH_PERIOD_MS), now];
      if (this.crashTimes.length < CRASHES_MAX) return this.tryStart();
      this.setState({ kind: 'failed', failure: explainServiceFailure(cause, this.port), isRetrying: false });
    });
  }

  /**
   * Stops the server after its requests are complete, and starts no other. Work that takes longer than any payment is abandoned. @throws if
   * the server did not stop cleanly.
   */
  async close(): Promise<void> {
    clearTimeout(this.retryTimer);
    this.closing.abort();
    const closed = this.runInTurn(async () => {
      this.setState({ kind: 'closed' });
      clearTimeout(this.retryTimer);
      clearInterval(this.watchTimer);
      await this.server?.close();
      this.server = undefined;
    });
    await this.waitUntilStopped(closed);
  }

  private startAgain(): Promise<void> {
    clearTimeout(this.retryTimer);
    return this.runInTurn(() => this.tryStart());
  }

  private runInTurn(work: () => Promise<void>): Promise<void> {
    const done = this.lastOperation.then(() => (this.state.kind === 'closed' ? undefined : work()));
    this.lastOperation = done.catch(() => undefined);
    return done;
  }

  private async tryStart(): Promise<void> {
    if (this.server !== undefined) return;
    try {
      this.server = await this.options.start(this.port, {
        onLongStep: (step) => this.setState({ kind: 'starting', step }),
        signal: this.closing.signal,
      });
    } catch (cause) {
      if (this.closing.signal.aborted) return;
      console.error('The service did not start.', cause);
      this.setState({ kind: 'failed', failure: explainServiceFailure(cause, this.port), isRetrying: true });
      const wait = Math.min(RETRY_DELAY_MS_MIN * 2 ** this.failedStarts, RETRY_DELAY_MS_MAX);
      this.failedStarts += 1;
      this.retryTimer = setTimeout(() => void this.startAgain(), wait).unref();
      return;
    }
    this.failedStarts = 0;
    this.port = Number(new URL(this.server.baseUrl).port);
    this.setState({ kind: 'running', baseUrl: this.server.baseUrl });
    this.watchPort(this.server);
  }

  private async stop(): Promise<void> {
    clearInterval(this.watchTimer);
    const { server } = this;
    this.server = undefined;
    const stopped = (server?.close() ?? Promise.resolve()).catch(() => undefined);
    // A server that still runs holds its locks, so a second one could not start.
    if (!(await this.waitUntilStopped(stopped))) this.options.onStopFailure();
  }

  /** Waits for payments in flight, and a short time for the rest. Resolves to true if the server has stopped by then. */
  private async waitUntilStopped(stopped: Promise<void>): Promise<boolean> {
    const stop = stopped.then(() => true);
    await Promise.race([stop, this.options.inFlight.waitUntilNone(PAYMENT_MS_MAX)]);
    return Promise.race([stop, falseAfter(STOP_TIMEOUT_MS)]);
  }

  /** Checks every two seconds that the server still listens on its port. Responses are not checked. */
  private watchPort(server: RunningServer): void {
    const check = async () => {
      if (!(await isRefused(server.baseUrl)) || this.server !== server) return;
      await this.handleCrash(new Error('The server no longer listens on its port.'));
    };
    this.watchTimer = setInterval(() => void check(), WATCH_EVERY_MS).unref();
  }

  private setState(state: ServiceState): void {
    this.state = state;
    this.options.onStateChange(state);
  }
}

function falseAfter(afterMs: number): Promise<false> {
  return new Promise((resolve) => setTimeout(resolve, afterMs, false).unref());
}

/** Resolves to true if nothing listens at the address. */
async function isRefused(baseUrl: string): Promise<boolean> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, '')).unref();
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}
