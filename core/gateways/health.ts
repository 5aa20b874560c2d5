import { isoTime } from '#core/kernel';
import type { Connector } from './connector.ts';
import { type Guard, guarded, type Verdict } from './guarded-connector.ts';

/** This server's circuit state of a gateway. Times are ISO 8601, real time. */
export interface GatewayHealth {
  /** `closed`: payments are sent; `open`: none is sent; `half-open`: one payment at a time is sent to test the gateway. */
  readonly state: 'closed' | 'open' | 'half-open';
  /** Time of the last state change; null if the state never changed. */
  readonly since: string | null;
  /** Questions and probes on end that were not answered. */
  readonly failures: number;
  readonly lastAnswerAt: string | null;
  readonly lastFailureAt: string | null;
  /** Reason of the last failure, as a sentence. */
  readonly lastReason: string | null;
  /** True if the gateway answers but refuses the account: a person must check the setup. */
  readonly isRefused: boolean;
  /** Time of the next probe; null if none is scheduled. */
  readonly nextProbeAt: string | null;
}

/** One gateway of a tenant. */
export interface GatewayName {
  readonly tenantId: string;
  readonly gatewayId: string;
}

/** Result of a probe; `gone` if the gateway was removed. */
export type Probed =
  | { readonly kind: 'answers' }
  /** No answer, or one that refuses the account. */
  | { readonly kind: 'silent'; readonly reason: string; readonly isRefused?: boolean }
  | { readonly kind: 'gone' };

interface HealthOptions {
  /** Sends a request to the processor that has no effect. */
  readonly probe: (of: GatewayName) => Promise<Probed>;
  /** A gateway's state, or the time of its next probe, is another. */
  readonly changed: (of: GatewayName) => void;
  /** Writes one log entry per outage. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** Stops sending payments to gateways that do not answer, and finds out when they do again (docs/decisions/0022). */
export interface Health {
  /** The connector of a gateway, with what moves money held back while the gateway is away. */
  guard(of: GatewayName, connector: Connector): Connector;
  /** Returns true if new payments should use another gateway. */
  isOpen(gatewayId: string): boolean;
  standingOf(gatewayId: string): GatewayHealth;
  /** The processor has just answered about the account, asked by a person. */
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
  let asked = 0;
  let isStopped = false;

  function forget(gatewayId: string): void {
    breakers.get(gatewayId)?.stop();
    breakers.delete(gatewayId);
  }

  function breakerOf(of: GatewayName): Breaker {
    const known = breakers.get(of.gatewayId);
    if (known) return known;
    const next = () => {
      asked += 1;
      return asked;
    };
    const breaker = new Breaker(of, { ...options, next, gone: () => forget(of.gatewayId) });
    if (isStopped) breaker.stop();
    breakers.set(of.gatewayId, breaker);
    return breaker;
  }

  return {
    guard: (of, connector) =>
      guarded(connector, {
        admitMoney: () => breakerOf(of).admitMoney(),
        admitReading: () => breakerOf(of).admitReading(),
        conclude: (question, verdict) => breakerOf(of).conclude(question, verdict),
      }),
    isOpen: (gatewayId) => breakers.get(gatewayId)?.isOpen ?? false,
    standingOf: (gatewayId) => breakers.get(gatewayId)?.standing() ?? CLOSED,
    answered: (gatewayId) => breakers.get(gatewayId)?.answered(),
    forget,
    stop() {
      isStopped = true;
      for (const breaker of breakers.values()) breaker.stop();
    },
  };
}

interface BreakerOptions extends HealthOptions {
  /** The number of one more question: the later it was begun, the higher. */
  readonly next: () => number;
  readonly gone: () => void;
}

/**
 * Circuit state of one gateway. A result counts by the start of its request: a request from an earlier state changes nothing, and a failure
 * counts only if no later request succeeded. So a late success does not close the circuit, and a late failure does not open it. Only a
 * payment clears failed payments, because a processor may answer inquiries and still lose every sale.
 */
class Breaker implements Guard {
  readonly #of: GatewayName;
  readonly #on: BreakerOptions;
  #state: GatewayHealth['state'] = 'closed';
  #sinceMs: number | null = null;
  /** Questions up to this number were begun in an earlier state. */
  #earlier: number;
  /** The last begun of the answered questions, and of those that move money. */
  #lastAnswered = 0;
  #lastMoneyAnswered = 0;
  /** Questions under way that move money. */
  readonly #money = new Set<number>();
  /** Questions that failed, each begun after the last answered one of its kind. */
  #failed: { readonly question: number; readonly isMoney: boolean }[] = [];
  #failures = 0;
  /** The only request that moves money while half-open. It keeps its slot until it ends, whatever the state is by then. */
  #trial: number | null = null;
  /** A payment was tried in vain, or the account is set up wrongly: that the processor answers inquiries proves nothing any more. */
  #isTriedInVain = false;
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

  constructor(of: GatewayName, on: BreakerOptions) {
    this.#of = of;
    this.#on = on;
    this.#earlier = on.next();
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  standing(): GatewayHealth {
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

  admitMoney(): number | string {
    if (this.#state === 'open') return AWAY;
    if (this.#state === 'half-open' && this.#trial !== null) return BEING_TRIED;
    const question = this.#on.next();
    this.#money.add(question);
    if (this.#state === 'half-open') this.#trial = question;
    return question;
  }

  admitReading(): number {
    return this.#on.next();
  }

  conclude(question: number, verdict: Verdict): void {
    const isTrial = question === this.#trial;
    if (isTrial) this.#trial = null;
    const isMoney = this.#money.delete(question);
    if (verdict.is === 'nothing') return;
    if (verdict.is === 'answer') this.#lastAnswerMs = Date.now();
    else this.#noteFailure(verdict.reason);
    if (question <= this.#earlier) return;
    if (verdict.is === 'answer') this.#countAnswer(question, isMoney, isTrial);
    else this.#countFailure(question, isMoney, isTrial, verdict.isSetUp ?? false);
  }

  /** The processor answered a person's question about the account. */
  answered(): void {
    this.#lastAnswerMs = Date.now();
    this.#isRefused = false;
    if (this.#state === 'open') this.#enter('half-open');
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #countAnswer(question: number, isMoney: boolean, isTrial: boolean): void {
    this.#lastAnswered = Math.max(this.#lastAnswered, question);
    if (isMoney) this.#lastMoneyAnswered = Math.max(this.#lastMoneyAnswered, question);
    this.#failed = this.#failed.filter((each) => each.question > question || (each.isMoney && !isMoney));
    if (this.#state === 'closed') this.#failures = this.#failed.length;
    else if (isTrial) this.#close();
    else if (this.#state === 'open' && !this.#isTriedInVain) this.#enter('half-open');
  }

  #countFailure(question: number, isMoney: boolean, isTrial: boolean, isSetUp: boolean): void {
    const isMadeGood = question < (isMoney ? this.#lastMoneyAnswered : this.#lastAnswered);
    if (isMadeGood && !isTrial) return;
    this.#failures += 1;
    if (isTrial || isSetUp) this.#isTriedInVain = true;
    this.#isRefused = isSetUp;
    if (this.#state === 'open') return;
    this.#failed.push({ question, isMoney });
    if (isTrial || isSetUp || this.#failed.length >= FAILURES_TO_OPEN) this.#open(isSetUp);
  }

  #noteFailure(reason: string): void {
    this.#lastFailureMs = Date.now();
    this.#lastReason = reason.slice(0, REASON_LENGTH_MAX);
  }

  #open(isSetUp: boolean): void {
    const isNew = this.#state === 'closed';
    this.#openMs = isNew ? FIRST_OPEN_MS : longer(this.#openMs);
    this.#probeLater();
    this.#enter('open');
    if (!isNew) return;
    const message = isSetUp ? 'A gateway refuses its account: a person must look' : 'A gateway does not answer';
    const { tenantId, gatewayId } = this.#of;
    this.#on.report(message, { tenantId, gatewayId, reason: this.#lastReason });
  }

  #close(): void {
    this.#failures = 0;
    this.#isTriedInVain = false;
    this.#isRefused = false;
    this.#enter('closed');
  }

  #enter(state: GatewayHealth['state']): void {
    this.#state = state;
    this.#sinceMs = Date.now();
    this.#earlier = this.#on.next();
    this.#failed = [];
    if (state !== 'open') {
      clearTimeout(this.#timer);
      this.#nextProbeMs = null;
    }
    this.#on.changed(this.#of);
  }

  #probeLater(): void {
    clearTimeout(this.#timer);
    if (this.#isStopped) return;
    this.#nextProbeMs = Date.now() + this.#openMs;
    this.#timer = setTimeout(() => void this.#probe(), this.#openMs).unref();
  }

  async #probe(): Promise<void> {
    // The probe of an earlier state may still be waiting for its answer.
    if (this.#isProbing) return this.#probeLater();
    this.#isProbing = true;
    this.#nextProbeMs = null;
    const began = this.#earlier;
    const probed = await this.#on.probe(this.#of).catch((): Probed => ({ kind: 'silent', reason: 'The processor could not be asked.' }));
    this.#isProbing = false;
    if (this.#isStopped || this.#earlier !== began) return;
    if (probed.kind === 'gone') {
      this.#on.gone();
    } else if (probed.kind === 'answers') {
      this.answered();
    } else {
      this.#failures += 1;
      this.#noteFailure(probed.reason);
      this.#isRefused = probed.isRefused ?? false;
      this.#openMs = longer(this.#openMs);
      this.#probeLater();
      this.#on.changed(this.#of);
    }
  }
}

const AWAY = 'The gateway has not been answering, so it was not asked.';
const BEING_TRIED = 'The gateway is being tried with another payment, so it was not asked.';
const REASON_LENGTH_MAX = 300;

const timeOf = (ms: number | null) => (ms === null ? null : isoTime(ms));
const longer = (ms: number) => Math.min(ms * 2, LONGEST_OPEN_MS);
