import type { FastifyReply } from 'fastify';
import type { Principal, Tier } from '#core/identity';
import { ServiceError } from '#core/kernel';
import type { RateClass } from '../route.ts';

interface Window {
  /** Start of the fixed window, in its own length. */
  at: number;
  used: number;
}

interface Limit {
  readonly scope: string;
  readonly lengthMs: number;
  readonly max: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const UNLIMITED = 2_147_483_647;
const UNAUTHENTICATED_PER_MINUTE = 30;
const TENANT_PER_HOUR = 1_000;

/** Requests per minute, hour and day of a tier (specification 8). */
const TIERS: Readonly<Record<Tier, readonly [number, number, number] | null>> = {
  sandbox: null,
  standard: [100, 1_000, 10_000],
  professional: [300, 5_000, 50_000],
  enterprise: null,
};

/** Requests per minute on one endpoint, on whatever surface (specification 8, decisions 11). */
const ENDPOINTS: Readonly<Partial<Record<RateClass, number>>> = {
  'create-transaction': 50,
  'list-transactions': 100,
  'create-refund': 30,
  'list-merchants': 100,
  'test-webhook': 10,
};

const endOfMinute = (now: number) => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;

/** The X-RateLimit headers of an answer that counts in no window; counting a request replaces them (specification 8). */
export function tellUnlimited(reply: FastifyReply): void {
  tell(reply, { limit: UNLIMITED, remaining: UNLIMITED, resetMs: endOfMinute(Date.now()) });
}

function tell(reply: FastifyReply, of: { limit: number; remaining: number; resetMs: number }): void {
  reply.header('x-ratelimit-limit', of.limit);
  reply.header('x-ratelimit-remaining', of.remaining);
  reply.header('x-ratelimit-reset', Math.ceil(of.resetMs / 1_000));
}

/** Fixed windows of real time, counted in this process. */
export class RateLimits {
  readonly #windows = new Map<string, Window>();
  #sweptAt = 0;

  /** Counts a request of a signed-in caller and sets the X-RateLimit headers; 429 when a window is used up. */
  count(principal: Principal, rate: RateClass, reply: FastifyReply): void {
    this.#take(limitsOf(principal, rate), reply);
  }

  /** Counts a request without a credential against its address (decisions 3). */
  countAddress(address: string, reply: FastifyReply): void {
    this.#take([{ scope: `address/${address}`, lengthMs: MINUTE_MS, max: UNAUTHENTICATED_PER_MINUTE }], reply);
  }

  #take(limits: readonly Limit[], reply: FastifyReply): void {
    const now = Date.now();
    this.#sweep(now);
    let nearest = { limit: UNLIMITED, remaining: UNLIMITED, resetMs: endOfMinute(now) };
    let exceeded: Limit | undefined;
    for (const limit of limits) {
      const key = `${limit.scope}/${limit.lengthMs}`;
      const at = Math.floor(now / limit.lengthMs);
      let window = this.#windows.get(key);
      if (!window || window.at !== at) {
        window = { at, used: 0 };
        this.#windows.set(key, window);
      }
      window.used += 1;
      const remaining = Math.max(0, limit.max - window.used);
      if (remaining < nearest.remaining) nearest = { limit: limit.max, remaining, resetMs: (at + 1) * limit.lengthMs };
      if (window.used > limit.max && (!exceeded || limit.lengthMs > exceeded.lengthMs)) exceeded = limit;
    }
    tell(reply, nearest);
    if (exceeded) throw tooMany(exceeded, now, reply);
  }

  /** Windows of the past are let go once a minute. */
  #sweep(now: number): void {
    if (now - this.#sweptAt < MINUTE_MS) return;
    this.#sweptAt = now;
    for (const [key, window] of this.#windows) {
      const length = Number(key.slice(key.lastIndexOf('/') + 1));
      if ((window.at + 1) * length <= now) this.#windows.delete(key);
    }
  }
}

function limitsOf(principal: Principal, rate: RateClass): Limit[] {
  const tier = TIERS[principal.tier];
  if (rate === 'unlimited' || tier === null) return [];
  const key = `credential/${principal.credentialId}`;
  const limits: Limit[] = [
    { scope: key, lengthMs: MINUTE_MS, max: tier[0] },
    { scope: key, lengthMs: HOUR_MS, max: tier[1] },
    { scope: key, lengthMs: DAY_MS, max: tier[2] },
  ];
  if (principal.tier === 'standard') limits.push({ scope: `tenant/${principal.tenantId}`, lengthMs: HOUR_MS, max: TENANT_PER_HOUR });
  const endpoint = ENDPOINTS[rate];
  if (endpoint !== undefined) limits.push({ scope: `${key}/${rate}`, lengthMs: MINUTE_MS, max: endpoint });
  return limits;
}

function tooMany(limit: Limit, now: number, reply: FastifyReply): ServiceError {
  const resetMs = (Math.floor(now / limit.lengthMs) + 1) * limit.lengthMs;
  const retryAfter = Math.max(1, Math.ceil((resetMs - now) / 1_000));
  reply.header('retry-after', retryAfter);
  const code = limit.lengthMs === DAY_MS ? 'DAILY_LIMIT_EXCEEDED' : 'RATE_LIMIT_EXCEEDED';
  return new ServiceError(code, `Too many requests; try again in ${retryAfter} seconds.`, {
    details: { retryAfter, limit: limit.max, remaining: 0, resetAt: new Date(resetMs).toISOString() },
  });
}
