import { isoTime, type ProcessExchange } from '#core/kernel';
import type { Connector } from './connector.ts';
import { type Guard, guarded, type RequestResult } from './guarded-connector.ts';
import type { GatewayHealth } from './records.ts';

/** One gateway of a tenant. */
export interface GatewayKey {
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** Result of a probe; `gone` if the gateway was removed. */
export type ProbeResult =
  | { readonly kind: 'answers' }
  /** No response, or one that refuses the account. */
  | { readonly kind: 'silent'; readonly reason: string; readonly isRefused?: boolean }
  | { readonly kind: 'gone' };

const TOPIC = 'gateway-health';

/** Circuit state of a gateway, as processes exchange it. */
interface HealthChange {
  readonly gateway: GatewayKey;
  readonly state: GatewayHealth['state'];
  readonly reason: string | null;
  readonly isRefused: boolean;
}

interface HealthOptions {
  /** The other processes of the server, which have the same network. */
  readonly processes: ProcessExchange;
  /** Sends a request to the processor that has no effect. */
  readonly probe: (gateway: GatewayKey) => Promise<ProbeResult>;
  /** Called when the state of a gateway or the time of its next probe changes. */
  readonly changed: (gateway: GatewayKey) => void;
  /** Writes one log entry per outage. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** Circuit breakers: stop payments to gateways that do not answer, and detect when they do again (docs/decisions/0022). */
export interface Health {
  /** Takes over the circuits of the other processes that are not closed. */
  start(): Promise<void>;
  /** Returns the connector of a gateway with a circuit breaker: while the circuit is open, requests that move money are not sent. */
  guard(gateway: GatewayKey, connector: Connector): Connector;
  /** Returns true if new payments should use another gateway. */
  isOpen(gatewayId: string): boolean;
  healthOf(gatewayId: string): GatewayHealth;
  /** Records that the processor has answered a check of the account, which a person requested. */
  answered(gatewayId: string): void;
  forget(gatewayId: string): void;
  stop(): void;
}

/** Consecutive failures that count as an outage. */
export const FAILURES_TO_OPEN = 3;
export const FIRST_OPEN_MS = 15_000;
export const LONGEST_OPEN_MS = 5 * 60_000;

const CLOSED: GatewayHealth = {
  state: 'closed',
  since: null,
  failures: 0,
  lastAnswerAt: null,
  lastFailureAt: null,
  lastReason: null,
  isRefused: false,
  nextProbeAt: null,
};

export function createHealth(options: HealthOptions): Health {
  const breakers = new Map<string, Breaker>();
  let requestCount = 0;
  let isStopped = false;

  function forget(gatewayId: string): void {
    breakers.get(gatewayId)?.stop();
    breakers.delete(gatewayId);
  }

  function breakerOf(gateway: GatewayKey): Breaker {
    const existing = breakers.get(gateway.gatewayId);
    if (existing) return existing;
    const next = () => {
      requestCount += 1;
      return requestCount;
    };
    const breaker = new Breaker(gateway, { ...options, next, gone: () => forget(gateway.gatewayId) });
    if (isStopped) breaker.stop();
    breakers.set(gateway.gatewayId, breaker);
    return breaker;
  }

  options.processes.subscribe<HealthChange>(TOPIC, (change) => breakerOf(change.gateway).adopt(change));
  options.processes.respond(TOPIC, () =>
    [...breakers.values()].map((breaker) => breaker.shared()).filter(({ state }) => state !== 'closed'),
  );

  return {
    async start() {
      for (const { data } of await options.processes.request<HealthChange[]>(TOPIC))
        for (const change of data ?? []) {
          // A circuit is half-open only after it was open.
          breakerOf(change.gateway).adopt({ ...change, state: 'open' });
          breakerOf(change.gateway).adopt(change);
        }
    },
    guard: (gateway, connector) =>
      guarded(connector, {
        admitMoving: () => breakerOf(gateway).admitMoving(),
        admitReading: () => breakerOf(gateway).admitReading(),
        conclude: (requestNumber, result) => breakerOf(gateway).conclude(requestNumber, result),
      }),
    isOpen: (gatewayId) => breakers.get(gatewayId)?.isOpen ?? false,
    healthOf: (gatewayId) => breakers.get(gatewayId)?.health() ?? CLOSED,
    answered: (gatewayId) => breakers.get(gatewayId)?.answered(),
    forget,
    stop() {
      isStopped = true;
      for (const breaker of breakers.values()) breaker.stop();
    },
  };
}

interface BreakerOptions extends HealthOptions {
  /** Returns the number of the next request. Later requests have higher numbers. */
  readonly next: () => number;
  readonly gone: () => void;
}

/**
 * Circuit state of one gateway. A result counts by the start of its request: a request from an earlier state changes nothing, and a failure
 * counts only if no later request succeeded. So a late success does not close the circuit, and a late failure does not open it. Only a
 * payment clears failed payments, because a processor may answer inquiries and still lose every sale.
 */
class Breaker implements Guard {
  readonly #gateway: GatewayKey;
  readonly #options: BreakerOptions;
  #state: GatewayHealth['state'] = 'closed';
  #sinceMs: number | null = null;
  /** Requests up to this number started in an earlier state. */
  #stateStart: number;
  /** Highest number of the answered requests, and of those that move money. */
  #lastAnsweredRequest = 0;
  #lastAnsweredMoneyRequest = 0;
  /** Requests in progress that move money. */
  readonly #openMoneyRequests = new Set<number>();
  /** Failed requests that started after the last answered request of their kind. */
  #failedRequests: { readonly requestNumber: number; readonly isMoving: boolean }[] = [];
  #failures = 0;
  /** The only request that moves money while half-open. It keeps its slot until it ends, whatever the state is by then. */
  #trial: number | null = null;
  /** True after a trial payment failed or the account was refused. Answered inquiries then no longer lead to `half-open`. */
  #hasFailedTrial = false;
  #openMs = FIRST_OPEN_MS;
  #timer: NodeJS.Timeout | undefined;
  #isProbing = false;
  #isStopped = false;
  #nextProbeMs: number | null = null;
  #lastAnswerMs: number | null = null;
  #lastFailureMs: number | null = null;
  #lastReason: string | null = null;
  /** True if the gateway answers but refuses the account. */
  #isRefused = false;
  #isAdopting = false;

  constructor(gateway: GatewayKey, options: BreakerOptions) {
    this.#gateway = gateway;
    this.#options = options;
    this.#stateStart = options.next();
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  /** Returns the state for other processes. */
  shared(): HealthChange {
    return { gateway: this.#gateway, state: this.#state, reason: this.#lastReason, isRefused: this.#isRefused };
  }

  health(): GatewayHealth {
    return {
      state: this.#state,
      since: timeOf(this.#sinceMs),
      failures: this.#failures,
      lastAnswerAt: timeOf(this.#lastAnswerMs),
      lastFailureAt: timeOf(this.#lastFailureMs),
      lastReason: this.#lastReason,
      isRefused: this.#isRefused,
      nextProbeAt: timeOf(this.#nextProbeMs),
    };
  }

  admitMoving(): number | string {
    if (this.#state === 'open') return UNAVAILABLE_REASON;
    if (this.#state === 'half-open' && this.#trial !== null) return TRIAL_REASON;
    const requestNumber = this.#options.next();
    this.#openMoneyRequests.add(requestNumber);
    if (this.#state === 'half-open') this.#trial = requestNumber;
    return requestNumber;
  }

  admitReading(): number {
    return this.#options.next();
  }

  conclude(requestNumber: number, verdict: RequestResult): void {
    const isTrial = requestNumber === this.#trial;
    if (isTrial) this.#trial = null;
    const isMoving = this.#openMoneyRequests.delete(requestNumber);
    if (verdict.kind === 'nothing') return;
    if (verdict.kind === 'answer') this.#lastAnswerMs = Date.now();
    else this.#recordFailure(verdict.reason);
    if (requestNumber <= this.#stateStart) return;
    if (verdict.kind === 'answer') this.#countAnswer(requestNumber, isMoving, isTrial);
    else this.#countFailure(requestNumber, isMoving, isTrial, verdict.isSetUp ?? false);
  }

  /** Records that the processor has answered a check of the account. */
  answered(): void {
    this.#lastAnswerMs = Date.now();
    this.#isRefused = false;
    if (this.#state === 'open') this.#changeState('half-open');
  }

  /** Takes over the state of another process. */
  adopt({ state, reason, isRefused }: HealthChange): void {
    if (state === this.#state || (state === 'half-open' && this.#state === 'closed')) return;
    this.#isAdopting = true;
    this.#isRefused = isRefused;
    if (state === 'open') {
      this.#openMs = this.#state === 'closed' ? FIRST_OPEN_MS : doubled(this.#openMs);
      this.#hasFailedTrial ||= isRefused;
      if (reason !== null) this.#recordFailure(reason);
      this.#scheduleProbe();
    }
    if (state === 'closed') this.#close();
    else this.#changeState(state);
    this.#isAdopting = false;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #countAnswer(requestNumber: number, isMoving: boolean, isTrial: boolean): void {
    this.#lastAnsweredRequest = Math.max(this.#lastAnsweredRequest, requestNumber);
    if (isMoving) this.#lastAnsweredMoneyRequest = Math.max(this.#lastAnsweredMoneyRequest, requestNumber);
    this.#failedRequests = this.#failedRequests.filter((each) => each.requestNumber > requestNumber || (each.isMoving && !isMoving));
    if (this.#state === 'closed') this.#failures = this.#failedRequests.length;
    else if (isTrial) this.#close();
    else if (this.#state === 'open' && !this.#hasFailedTrial) this.#changeState('half-open');
  }

  #countFailure(requestNumber: number, isMoving: boolean, isTrial: boolean, isSetUp: boolean): void {
    const hasLaterSuccess = requestNumber < (isMoving ? this.#lastAnsweredMoneyRequest : this.#lastAnsweredRequest);
    if (hasLaterSuccess && !isTrial) return;
    this.#failures += 1;
    if (isTrial || isSetUp) this.#hasFailedTrial = true;
    this.#isRefused = isSetUp;
    if (this.#state === 'open') return;
    this.#failedRequests.push({ requestNumber, isMoving });
    if (isTrial || isSetUp || this.#failedRequests.length >= FAILURES_TO_OPEN) this.#open(isSetUp);
  }

  #recordFailure(reason: string): void {
    this.#lastFailureMs = Date.now();
    this.#lastReason = reason.slice(0, REASON_LENGTH_MAX);
  }

  #open(isSetUp: boolean): void {
    const isNewOutage = this.#state === 'closed';
    this.#openMs = isNewOutage ? FIRST_OPEN_MS : doubled(this.#openMs);
    this.#scheduleProbe();
    this.#changeState('open');
    if (!isNewOutage) return;
    const message = isSetUp ? 'A gateway refuses its account and requires manual review' : 'A gateway does not respond';
    const { tenantId, gatewayId } = this.#gateway;
    this.#options.report(message, { tenantId, gatewayId, reason: this.#lastReason });
  }

  #close(): void {
    this.#failures = 0;
    this.#hasFailedTrial = false;
    this.#isRefused = false;
    this.#changeState('closed');
  }

  #changeState(state: GatewayHealth['state']): void {
    this.#state = state;
    this.#sinceMs = Date.now();
    this.#stateStart = this.#options.next();
    this.#failedRequests = [];
    if (state !== 'open') {
      clearTimeout(this.#timer);
      this.#nextProbeMs = null;
    }
    this.#options.changed(this.#gateway);
    if (this.#isAdopting) return;
    this.#options.processes.publish(TOPIC, this.shared());
  }

  #scheduleProbe(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#nextProbeMs = Date.now() + this.#openMs;
    this.#timer = setTimeout(() => void this.#probe(), this.#openMs).unref();
  }

  async #probe(): Promise<void> {
    // The probe of an earlier state may still be waiting for its response.
    if (this.#isProbing) return this.#scheduleProbe();
    this.#isProbing = true;
    this.#nextProbeMs = null;
    const stateNumber = this.#stateStart;
    const probed = await this.#options
      .probe(this.#gateway)
      .catch((): ProbeResult => ({ kind: 'silent', reason: 'The processor could not be reached.' }));
    this.#isProbing = false;
    if (this.#isStopped || this.#stateStart !== stateNumber) return;
    if (probed.kind === 'gone') {
      this.#options.gone();
    } else if (probed.kind === 'answers') {
      this.answered();
    } else {
      this.#failures += 1;
      this.#recordFailure(probed.reason);
      this.#isRefused = probed.isRefused ?? false;
      this.#openMs = doubled(this.#openMs);
      this.#scheduleProbe();
      this.#options.changed(this.#gateway);
    }
  }
}

const UNAVAILABLE_REASON = 'The gateway has not been responding, so nothing was sent to it.';
const TRIAL_REASON = 'The gateway is being tested with another payment, so nothing was sent to it.';
const REASON_LENGTH_MAX = 300;

const timeOf = (ms: number | null) => (ms === null ? null : isoTime(ms));
const doubled = (ms: number) => Math.min(ms * 2, LONGEST_OPEN_MS);
