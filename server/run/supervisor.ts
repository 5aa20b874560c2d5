import cluster, { type Worker } from 'node:cluster';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { type DownMessage, type GroupState, type ReadyLine, ROLE_VARIABLE, type Role, type UpMessage } from '#server/operation/processes';

/** Delays before a process that ended is replaced: they double while processes end early. */
const RESTART_MIN_MS = 100;
const RESTART_MAX_MS = 30_000;
/** Time after which a process counts as started successfully. */
const STABLE_MS = 60_000;
/** Time after which a process that has not started is killed and replaced. The first start, which migrates the database, has no limit. */
const START_WITHIN_MS = 5 * 60_000;
/** Time without a sign of life after which another process runs the jobs. */
const SILENT_MS = 10_000;
/** Time without a sign of life after which a process is killed and replaced. */
const HUNG_MS = 30_000;
const CHECK_EVERY_MS = 1_000;
/** Time for the processes to end. Each ends after at most ten seconds. */
const STOP_WITHIN_MS = 11_000;

interface SupervisorOptions {
  readonly count: number;
  readonly port: number;
  readonly metricsPort: number | null;
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** One of the processes. */
interface Slot {
  readonly index: number;
  worker: Worker | null;
  state: 'starting' | 'ready' | 'stopping';
  startedMs: number;
  /** Time without a sign of life. It is counted in checks, so that a pause of the whole computer ends no process. */
  silentMs: number;
  /** Time in the state `starting`, counted in the same way. */
  startingMs: number;
  /** Number of times in succession that it ended early. */
  failures: number;
  timer?: NodeJS.Timeout;
}

/** Starts the processes of a server, replaces those that end, and forwards their messages. It accepts no request itself (decision record 200). */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #slots: readonly Slot[];
  readonly #serverName = randomUUID();
  /** Number of processes that should run. */
  #expected = 1;
  #restarts = 0;
  #isStopping = false;
  #sentState = '';
  #firstLine: { resolve: (line: ReadyLine) => void; reject: (error: Error) => void } | null = null;
  #onSettled: (() => void) | null = null;
  #settled = 0;
  #checks: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.#slots = Array.from({ length: options.count }, (_, at) => ({
      index: at + 1,
      worker: null,
      state: 'starting',
      startedMs: 0,
      silentMs: 0,
      startingMs: 0,
      failures: 0,
    }));
    // The processes share the listening socket. If the main process accepted connections instead, one that a killed process was being given would
    // never be answered.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
  }

  /**
   * Starts the first process, which migrates the database and creates sample data, and then the others. Before the installation is set up, only the first one runs.
   * Returns the line of the first process. @throws Error with the reason if it cannot start.
   */
  async start(): Promise<ReadyLine> {
    const [first] = this.#slots as [Slot];
    const line = await new Promise<ReadyLine>((resolve, reject) => {
      this.#firstLine = { resolve, reject };
      this.#launch(first, true);
    });
    this.#firstLine = null;
    this.#checks = setInterval(() => this.#check(), CHECK_EVERY_MS);
    if (line.environment !== 'unset') await this.#startOthers();
    return line;
  }

  /** Asks every process to complete its requests and end, and waits for them. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#checks);
    for (const { timer } of this.#slots) clearTimeout(timer);
    const workers = this.#slots.flatMap(({ worker }) => worker ?? []);
    for (const worker of workers) worker.process.kill('SIGTERM');
    const late = setTimeout(() => {
      for (const worker of workers) worker.process.kill('SIGKILL');
    }, STOP_WITHIN_MS);
    await Promise.all(workers.map((worker) => (worker.isDead() ? null : once(worker, 'exit'))));
    clearTimeout(late);
  }

  async #startOthers(): Promise<void> {
    if (this.#expected > 1 || this.#isStopping) return;
    this.#expected = this.#options.count;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
      for (const slot of this.#slots.slice(1)) this.#launch(slot, true);
    });
  }

  #launch(slot: Slot, isFirstStart: boolean): void {
    const { count, port, metricsPort } = this.#options;
    const role: Role = { index: slot.index, count, isFirstStart, port, metricsPort, serverName: this.#serverName };
    const worker = cluster.fork({ [ROLE_VARIABLE]: JSON.stringify(role) });
    slot.worker = worker;
    slot.startedMs = performance.now();
    slot.silentMs = 0;
    slot.startingMs = 0;
    let hasEnded = false;
    const onEnd = (code: number | null, signal: string | null) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#handleEnd(slot, isFirstStart, code, signal);
    };
    worker.on('message', (message: UpMessage) => this.#receive(slot, message));
    worker.on('exit', onEnd);
    worker.on('error', () => onEnd(null, null));
    // A process that starts may ask the others.
    this.#sendState();
  }

  #handleEnd(slot: Slot, isFirstStart: boolean, code: number | null, signal: string | null): void {
    const wasStarting = slot.state === 'starting';
    slot.worker = null;
    slot.state = 'starting';
    this.#sendState();
    if (this.#isStopping) return;
    if (this.#firstLine) {
      this.#firstLine.reject(new Error('The first process ended before it was ready.'));
      return;
    }
    if (isFirstStart && wasStarting) this.#countSettled();
    const isEarly = performance.now() - slot.startedMs < STABLE_MS;
    const delayMs = isEarly ? Math.min(RESTART_MIN_MS * 2 ** slot.failures, RESTART_MAX_MS) : RESTART_MIN_MS;
    slot.failures = isEarly ? slot.failures + 1 : 0;
    this.#restarts += 1;
    this.#options.report('A process ended and is replaced', { ended: slot.index, code, signal, delayMs });
    slot.timer = setTimeout(() => this.#launch(slot, false), delayMs);
  }

  #receive(slot: Slot, message: UpMessage): void {
    slot.silentMs = 0;
    switch (message.kind) {
      case 'ready':
        slot.state = 'ready';
        this.#sendState();
        if (this.#firstLine) this.#firstLine.resolve(message.line);
        else if (slot.index > 1) this.#countSettled();
        // Another workstation may have set up the installation while this process started.
        if (message.line.environment !== 'unset' && this.#checks) void this.#startOthers();
        break;
      case 'failed':
        if (this.#firstLine) this.#firstLine.reject(new Error(message.message));
        else this.#options.report('A process could not start', { failed: slot.index, reason: message.message });
        break;
      case 'stopping':
        slot.state = 'stopping';
        if (!this.#isStopping) this.#sendState();
        break;
      case 'set-up':
        void this.#startOthers();
        break;
      case 'publish':
      case 'request':
        for (const other of this.#slots) if (other !== slot && other.state === 'ready') send(other, { ...message, from: slot.index });
        break;
      case 'response':
        for (const other of this.#slots) if (other.index === message.to) send(other, { ...message, from: slot.index });
        break;
      default:
        break;
    }
  }

  /** Counts the processes of the start that are ready or have failed. */
  #countSettled(): void {
    this.#settled += 1;
    if (this.#settled >= this.#options.count - 1) this.#onSettled?.();
  }

  /** Kills processes whose event loop is blocked or that do not start, and gives the jobs of a silent one to another. */
  #check(): void {
    for (const slot of this.#slots) {
      if (slot.worker === null) continue;
      const { index: hung, state, worker } = slot;
      slot.silentMs += CHECK_EVERY_MS;
      if (state === 'starting') slot.startingMs += CHECK_EVERY_MS;
      const { silentMs, startingMs } = slot;
      if (state === 'starting' ? startingMs !== START_WITHIN_MS : silentMs !== HUNG_MS) continue;
      if (state === 'starting') this.#options.report('A process does not start and is killed', { hung, startingMs });
      else this.#options.report('A process does not respond and is killed', { hung, silentMs });
      worker.process.kill('SIGKILL');
    }
    this.#sendState();
  }

  /** Sends the state of the processes to each of them, if it has changed. */
  #sendState(): void {
    const started = this.#slots.filter(({ worker }) => worker !== null);
    const running = this.#slots.filter(({ state }) => state === 'ready');
    const leader = running.find(({ silentMs }) => silentMs < SILENT_MS) ?? running[0];
    const state: GroupState = {
      expected: this.#expected,
      running: running.map(({ index }) => index),
      leader: leader?.index ?? null,
      restarts: this.#restarts,
    };
    const text = JSON.stringify([state, started.map(({ worker }) => worker?.id)]);
    if (text === this.#sentState) return;
    this.#sentState = text;
    for (const slot of started) send(slot, { kind: 'state', state });
  }
}

function send({ worker }: Slot, message: DownMessage): void {
  // A process that has just ended receives nothing.
  if (worker?.isConnected()) worker.process.send(message, undefined, undefined, () => {});
}

/** Returns a port that every process can use: the given one, or a free one for 0. */
export async function fixedPort(host: string, port: number): Promise<number> {
  if (port !== 0) return port;
  const server = createServer();
  await once(server.listen({ host, port }), 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
