import type { CacheChanges } from '#core/database';
import type { ProcessExchange, ProcessResponse } from '#core/kernel';
import type { JobPlacement } from '#core/platform/scheduling';
import { ALIVE_EVERY_MS, type DownMessage, type GroupState, type ReadyLine, type Role, type UpMessage } from './messages.ts';

/** Interval at which wake-ups of jobs are sent to the process that runs them. */
const WAKE_EVERY_MS = 10;
/** Time that other processes have for a response. */
const RESPONSE_WITHIN_MS = 1_000;

/** Topic of the requests that pause jobs. */
const PAUSE_TOPIC = 'pause-jobs';

/** Connection of a process to its main process. */
interface Channel {
  /** Resolves when the message was sent. */
  send(message: UpMessage): Promise<void>;
  receive(listener: (message: DownMessage) => void): void;
}

interface OpenRequest {
  readonly missing: Set<number>;
  readonly received: Map<number, unknown>;
  readonly end: () => void;
}

/** The processes of a server behind one port, seen from one of them. */
export class ProcessGroup implements ProcessExchange {
  readonly role: Role;
  readonly #channel: Channel;
  readonly #subscribers = new Map<string, ((data: unknown, from: number) => void)[]>();
  readonly #responders = new Map<string, (data: unknown) => unknown>();
  readonly #onState: ((state: GroupState) => void)[] = [];
  readonly #requests = new Map<number, OpenRequest>();
  readonly #wakes = new Map<string, [string | null, string | null]>();
  #requestCount = 0;
  #state: GroupState;

  constructor(role: Role, channel: Channel) {
    this.role = role;
    this.#channel = channel;
    this.#state = { expected: role.count, running: [], leader: null, restarts: 0 };
    channel.receive((message) => this.#receive(message));
    setInterval(() => void channel.send({ kind: 'alive' }), ALIVE_EVERY_MS).unref();
  }

  get state(): GroupState {
    return this.#state;
  }

  /** True if this process runs the jobs of the server. */
  get isLeader(): boolean {
    return this.#state.leader === this.role.index;
  }

  /** Changes of cached rows in the other processes. */
  readonly cacheChanges: CacheChanges = {
    publish: (cache, key) => this.publish('cache', { cache, key }),
    subscribe: (cache, onChange) =>
      this.subscribe<{ cache: string; key: string | null }>('cache', (change) => {
        if (change.cache === cache) onChange(change.key);
      }),
  };

  readonly jobPlacement: JobPlacement = {
    isHere: () => this.isLeader,
    wake: (job, tenantId) => {
      if (this.#wakes.size === 0)
        setTimeout(() => {
          this.publish('wake', [...this.#wakes.values()]);
          this.#wakes.clear();
        }, WAKE_EVERY_MS).unref();
      this.#wakes.set(`${job} ${tenantId}`, [job, tenantId]);
    },
    setPaused: async (tenantId, isPaused) => {
      const answers = await this.request<boolean>(PAUSE_TOPIC, { tenantId, isPaused });
      return answers.every(({ data }) => data === true);
    },
  };

  /** Returns the exchange of changes of one kind with the other processes. */
  exchange<Change>(topic: string) {
    return {
      publish: (change: Change) => this.publish(topic, change),
      subscribe: (listener: (change: Change) => void) => this.subscribe<Change>(topic, (change) => listener(change)),
    };
  }

  /** Calls `wake` for the jobs that this process must check: those of wake-ups by other processes, and all when it begins to run them. */
  onWake(wake: (job: string | null, tenantId: string | null) => void): void {
    this.subscribe<[string | null, string | null][]>('wake', (wakes) => {
      if (this.isLeader) for (const [job, tenantId] of wakes) wake(job, tenantId);
    });
    let wasLeader = false;
    this.onState(() => {
      if (this.isLeader && !wasLeader) wake(null, null);
      wasLeader = this.isLeader;
    });
  }

  /** Calls `setPaused` for the pauses of other processes. */
  onPause(setPaused: (tenantId: string, isPaused: boolean) => unknown): void {
    this.respond<{ tenantId: string; isPaused: boolean }>(PAUSE_TOPIC, ({ tenantId, isPaused }) => setPaused(tenantId, isPaused));
  }

  onState(listener: (state: GroupState) => void): void {
    this.#onState.push(listener);
  }

  publish(topic: string, data: unknown): void {
    void this.#channel.send({ kind: 'publish', topic, data });
  }

  subscribe<Data>(topic: string, listener: (data: Data, from: number) => void): void {
    this.#subscribers.set(topic, [...(this.#subscribers.get(topic) ?? []), listener as (data: unknown, from: number) => void]);
  }

  async request<Data>(topic: string, data: unknown = null): Promise<readonly ProcessResponse<Data>[]> {
    const others = this.#state.running.filter((index) => index !== this.role.index);
    if (others.length === 0) return [];
    this.#requestCount += 1;
    const id = this.#requestCount;
    const received = new Map<number, unknown>();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, RESPONSE_WITHIN_MS);
      const end = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#requests.set(id, { missing: new Set(others), received, end });
      void this.#channel.send({ kind: 'request', id, topic, data });
    });
    this.#requests.delete(id);
    return others.map((index) => ({ index, data: received.get(index) as Data | undefined }));
  }

  respond<Data>(topic: string, responder: (data: Data) => unknown): void {
    this.#responders.set(topic, responder as (data: unknown) => unknown);
  }

  ready(line: ReadyLine): void {
    void this.#channel.send({ kind: 'ready', line });
  }

  failed(message: string): Promise<void> {
    return this.#channel.send({ kind: 'failed', message });
  }

  /** Reports that this process completes its requests and then ends, so that another one runs the jobs. */
  stopping(): void {
    void this.#channel.send({ kind: 'stopping' });
  }

  /** Reports that the installation is set up, so that the other processes can start. */
  setUp(): void {
    void this.#channel.send({ kind: 'set-up' });
  }

  #receive(message: DownMessage): void {
    switch (message.kind) {
      case 'state':
        this.#state = message.state;
        for (const { missing, end } of this.#requests.values()) {
          for (const index of missing) if (!message.state.running.includes(index)) missing.delete(index);
          if (missing.size === 0) end();
        }
        for (const listener of this.#onState) listener(message.state);
        break;
      case 'publish':
        for (const listener of this.#subscribers.get(message.topic) ?? []) listener(message.data, message.from);
        break;
      case 'request':
        void this.#answer(message.from, message.id, message.topic, message.data);
        break;
      default: {
        const open = this.#requests.get(message.id);
        open?.received.set(message.from, message.data);
        open?.missing.delete(message.from);
        if (open?.missing.size === 0) open.end();
      }
    }
  }

  async #answer(to: number, id: number, topic: string, data: unknown): Promise<void> {
    const response = await Promise.resolve()
      .then(() => this.#responders.get(topic)?.(data))
      .catch(() => undefined);
    void this.#channel.send({ kind: 'response', to, id, data: response });
  }
}
