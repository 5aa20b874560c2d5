import { once } from 'node:events';
import { connect } from 'node:net';
import type { RunningServer } from '#server';
import { type InFlight, PAYMENT_MS_MAX } from './in-flight.ts';
import { type Trouble, troubleOf } from './trouble.ts';

const WAIT_MS_MIN = 1_000;
const WAIT_MS_MAX = 60_000;
/** A server that has no payment in flight any more stops within. */
const STOP_TIMEOUT_MS = 10_000;
const WATCH_EVERY_MS = 2_000;
/** Number of crashes within the period after which the server waits for a person. */
const DEATHS_MAX = 4;
const DEATHS_WITHIN_MS = 10 * 60_000;

/** State of the service. `troubled`: not running; `isTrying`: it restarts automatically. */
export type ServiceState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running'; readonly baseUrl: string }
  | { readonly kind: 'troubled'; readonly trouble: Trouble; readonly isTrying: boolean }
  | { readonly kind: 'closed' };

interface ServerKeeperOptions {
  /** Starts the server on a port, and throws when it cannot. */
  readonly start: (port: number) => Promise<RunningServer>;
  readonly port: number;
  /** Called on each new state. */
  readonly tell: (state: ServiceState) => void;
  /** A server that cannot be stopped is left to the end of the process. */
  readonly giveUp: () => void;
  /** Requests that a stopping server may complete. */
  readonly inFlight: InFlight;
}

/** Keeps the server running: retries a failed start with growing delays, and restarts a crashed server. One server at a time. */
export class ServerKeeper {
  state: ServiceState = { kind: 'starting' };
  port: number;
  private readonly options: ServerKeeperOptions;
  private server: RunningServer | undefined;
  private run: Promise<void> = Promise.resolve();
  private tries = 0;
  private deaths: number[] = [];
  private retry: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;

  constructor(options: ServerKeeperOptions) {
    this.options = options;
    this.port = options.port;
  }

  /** Starts it, on another port if one is named. Answers when it runs or has failed to. */
  start(port = this.port): Promise<void> {
    this.port = port;
    this.tries = 0;
    return this.next();
  }

  /** Treats the server as crashed, stops its remains and starts another one. */
  died(cause: unknown): Promise<void> {
    const { server } = this;
    console.error('The service died and is started again.', cause);
    return this.queue(async () => {
      // Errors come in swarms: the next server has not died of those of the last.
      if (server === undefined || this.server !== server) return;
      await this.stop();
      const now = Date.now();
      this.deaths = [...this.deaths.filter((at) => at > now - DEATHS_WITHIN_MS), now];
      if (this.deaths.length < DEATHS_MAX) return this.attempt();
      this.become({ kind: 'troubled', trouble: troubleOf(cause, this.port), isTrying: false });
    });
  }

  /**
   * Lets the server complete its requests and starts no other. Work that takes longer than any payment is abandoned. @throws if it did not
   * stop cleanly.
   */
  async close(): Promise<void> {
    clearTimeout(this.retry);
    const closed = this.queue(async () => {
      this.become({ kind: 'closed' });
      clearTimeout(this.retry);
      clearInterval(this.watch);
      await this.server?.close();
      this.server = undefined;
    });
    await this.isOver(closed);
  }

  private next(): Promise<void> {
    clearTimeout(this.retry);
    return this.queue(() => this.attempt());
  }

  private queue(work: () => Promise<void>): Promise<void> {
    const done = this.run.then(() => (this.state.kind === 'closed' ? undefined : work()));
    this.run = done.catch(() => undefined);
    return done;
  }

  private async attempt(): Promise<void> {
    if (this.server !== undefined) return;
    try {
      this.server = await this.options.start(this.port);
    } catch (cause) {
      console.error('The service did not start.', cause);
      this.become({ kind: 'troubled', trouble: troubleOf(cause, this.port), isTrying: true });
      const wait = Math.min(WAIT_MS_MIN * 2 ** this.tries, WAIT_MS_MAX);
      this.tries += 1;
      this.retry = setTimeout(() => void this.next(), wait).unref();
      return;
    }
    this.tries = 0;
    this.port = Number(new URL(this.server.baseUrl).port);
    this.become({ kind: 'running', baseUrl: this.server.baseUrl });
    this.lookAfter(this.server);
  }

  private async stop(): Promise<void> {
    clearInterval(this.watch);
    const { server } = this;
    this.server = undefined;
    const stopped = (server?.close() ?? Promise.resolve()).catch(() => undefined);
    // Its locks would keep a second one out.
    if (!(await this.isOver(stopped))) this.options.giveUp();
  }

  /** Resolves to true when the server has stopped: waits for payments in flight, and a short time for the rest. */
  private async isOver(stopped: Promise<void>): Promise<boolean> {
    const over = stopped.then(() => true);
    await Promise.race([over, this.options.inFlight.drained(PAYMENT_MS_MAX)]);
    return Promise.race([over, late(STOP_TIMEOUT_MS)]);
  }

  /** Sees now and then whether anybody listens there still. What is answered is the server's own affair. */
  private lookAfter(server: RunningServer): void {
    const look = async () => {
      if (!(await isRefused(server.baseUrl)) || this.server !== server) return;
      await this.died(new Error('Nothing listens on its port any more.'));
    };
    this.watch = setInterval(() => void look(), WATCH_EVERY_MS).unref();
  }

  private become(state: ServiceState): void {
    this.state = state;
    this.options.tell(state);
  }
}

function late(afterMs: number): Promise<false> {
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
