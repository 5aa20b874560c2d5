import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal, Tier } from '#core/access/identity';
import { ServiceError } from '#core/kernel';
import { type Limits, PROFESSIONAL_LIMITS, type RequestLimits, type Window, type WindowUsage } from '#core/platform/rate-limits';
import type { RateClass } from '#server/http';
import { addressOf, networkOf } from './address.ts';
import { isWrongCredential } from './credential.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Lengths of the windows of a tier, in the order of its limits. */
const TIER_WINDOWS_MS = [MINUTE_MS, HOUR_MS, DAY_MS] as const;
const UNLIMITED = 2_147_483_647;
const UNAUTHENTICATED_PER_MINUTE = 30;
const WRONG_CREDENTIALS_PER_MINUTE = 30;
const WRONG_PINS_MAX = 20;
const PIN_WINDOW_MS = 15 * MINUTE_MS;
const PAYERS_PER_MINUTE = 300;
const FILES_PER_MINUTE = 20;
const TENANT_PER_HOUR = 1_000;

/** Limits of the tiers; null means no limit. The limits of enterprise are a setting of the installation. */
const TIERS: Readonly<Record<Exclude<Tier, 'enterprise'>, RequestLimits | null>> = {
  sandbox: null,
  standard: [100, 1_000, 10_000],
  professional: PROFESSIONAL_LIMITS,
};

/** Requests per minute to one endpoint, on any surface. */
const ENDPOINTS: Readonly<Partial<Record<RateClass, number>>> = {
  'create-transaction': 50,
  'list-transactions': 100,
  'create-refund': 30,
  'list-merchants': 100,
  'test-webhook': 10,
};

const endOfMinute = (now: number) => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;

/** Sets the X-RateLimit headers of a request that is not counted; counting the request replaces them. */
export function setUnlimitedHeaders(reply: FastifyReply): void {
  setRateHeaders(reply, { limit: UNLIMITED, remaining: UNLIMITED, resetMs: endOfMinute(Date.now()) });
}

function setRateHeaders(reply: FastifyReply, window: { limit: number; remaining: number; resetMs: number }): void {
  reply.header('x-ratelimit-limit', window.limit);
  reply.header('x-ratelimit-remaining', window.remaining);
  reply.header('x-ratelimit-reset', Math.ceil(window.resetMs / 1_000));
}

/**
 * Counts a request of an authenticated caller and sets the X-RateLimit headers. Every payer has a client token of the shop's API key, so its requests count
 * as those of payers, and cannot use up the limits of the key. @throws RATE_LIMIT_EXCEEDED, DAILY_LIMIT_EXCEEDED (429).
 */
export async function countCaller(
  limits: Limits,
  principal: Principal,
  rate: RateClass,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (principal.kind === 'client-token') return countPayer(limits, addressOf(request), false, reply);
  const windows = windowsOf(limits, principal, rate);
  if (windows.every(({ max }) => max === UNLIMITED)) {
    if (windows.length > 0) limits.tally(principal.tenantId, credentialScope(principal), TIER_WINDOWS_MS);
    return;
  }
  await countRequest(limits, principal.tenantId, windows, reply);
}

/** Counts a request without a credential against its network. */
export async function countAddress(limits: Limits, address: string, reply: FastifyReply): Promise<void> {
  await countRequest(
    limits,
    null,
    [{ scope: `address/${networkOf(address)}`, lengthMs: MINUTE_MS, max: UNAUTHENTICATED_PER_MINUTE }],
    reply,
  );
}

/**
 * Runs an authentication and counts it against the client address if the credential is wrong. Correct credentials from the same address are
 * neither counted nor refused.
 * @throws RATE_LIMIT_EXCEEDED instead of the authentication error after 30 wrong credentials in a minute, on all surfaces and servers together.
 */
export async function countWrongCredentials<Result>(
  limits: Limits,
  address: string,
  reply: FastifyReply,
  authenticate: () => Promise<Result>,
): Promise<Result> {
  try {
    return await authenticate();
  } catch (error) {
    if (isWrongCredential(error)) {
      const scope = `wrong-credential/${networkOf(address)}`;
      await countRequest(limits, null, [{ scope, lengthMs: MINUTE_MS, max: WRONG_CREDENTIALS_PER_MINUTE }], reply);
    }
    throw error;
  }
}

/**
 * Runs an operation with a PIN, and counts it against the tenant and client address if the PIN is wrong. The PIN of one person is locked after a few
 * wrong ones; this limit protects the PINs of several. @throws RATE_LIMIT_EXCEEDED after 20 wrong PINs in a quarter of an hour.
 */
export async function countWrongPins<Result>(
  limits: Limits,
  { tenantId }: Pick<Principal, 'tenantId'>,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<Result>,
): Promise<Result> {
  const windows = [{ scope: `wrong-pin/${networkOf(addressOf(request))}`, lengthMs: PIN_WINDOW_MS, max: WRONG_PINS_MAX }];
  const [usage] = await limits.usage(tenantId, windows);
  if (usage && usage.used >= usage.max) throw rateLimitError(usage, reply);
  try {
    return await run();
  } catch (error) {
    if (error instanceof ServiceError && (error.details?.reason === 'pin_wrong' || error.details?.reason === 'pin_locked'))
      await limits.count(tenantId, windows);
    throw error;
  }
}

/**
 * Counts a request for a pay page or a short address. A request for a file of a page, which is expensive to render, is
 * counted in a second window as well.
 */
export async function countPayer(limits: Limits, address: string, isFile: boolean, reply: FastifyReply): Promise<void> {
  const network = networkOf(address);
  const windows = [{ scope: `payer/${network}`, lengthMs: MINUTE_MS, max: PAYERS_PER_MINUTE }];
  if (isFile) windows.push({ scope: `payer-file/${network}`, lengthMs: MINUTE_MS, max: FILES_PER_MINUTE });
  await countRequest(limits, null, windows, reply);
}

async function countRequest(limits: Limits, tenantId: string | null, windows: readonly Window[], reply: FastifyReply): Promise<void> {
  if (windows.length === 0) return;
  const counted = await limits.count(tenantId, windows);
  setRateHeaders(reply, nearestOf(counted));
  const [exceeded] = counted
    .filter(({ used, max }) => used > max)
    .sort((left, right) => right.lengthMs - left.lengthMs || left.max - right.max);
  if (exceeded) throw rateLimitError(exceeded, reply);
}

interface Nearest {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/** Returns the window that is closest to exhaustion. */
function nearestOf(counted: readonly WindowUsage[]): Nearest {
  let nearest: Nearest = { limit: UNLIMITED, remaining: UNLIMITED, resetMs: endOfMinute(Date.now()) };
  for (const { used, max, endsMs } of counted) {
    const remaining = Math.max(0, max - used);
    if (remaining < nearest.remaining || (remaining === nearest.remaining && max < nearest.limit))
      nearest = { limit: max, remaining, resetMs: endsMs };
  }
  return nearest;
}

/** Returns the caller's usage of its tier's windows, which are counted without limits too. */
export async function rateStatus(limits: Limits, principal: Principal) {
  const counted = await limits.usage(principal.tenantId, windowsOf(limits, principal, 'default'));
  const { limit, remaining, resetMs } = nearestOf(counted.filter(({ max }) => max < UNLIMITED));
  const used = (lengthMs: number) =>
    counted.find((window) => window.lengthMs === lengthMs && window.scope.startsWith('credential/'))?.used ?? 0;
  const usage = { minute: used(MINUTE_MS), hour: used(HOUR_MS), day: used(DAY_MS) };
  return { limit, remaining, resetAt: new Date(resetMs).toISOString(), usage };
}

function windowsOf(limits: Limits, principal: Principal, rate: RateClass): Window[] {
  const tier = principal.tier === 'enterprise' ? limits.enterprise : TIERS[principal.tier];
  if (rate === 'unlimited' || principal.kind === 'service') return [];
  const key = credentialScope(principal);
  const windows: Window[] = TIER_WINDOWS_MS.map((lengthMs, index) => ({ scope: key, lengthMs, max: tier?.[index] ?? UNLIMITED }));
  if (tier === null) return windows;
  if (principal.tier === 'standard') windows.push({ scope: `tenant/${principal.tenantId}`, lengthMs: HOUR_MS, max: TENANT_PER_HOUR });
  const endpoint = principal.tier === 'enterprise' ? undefined : ENDPOINTS[rate];
  if (endpoint !== undefined) windows.push({ scope: `${key}/${rate}`, lengthMs: MINUTE_MS, max: endpoint });
  return windows;
}

const credentialScope = ({ credentialId }: Principal): string => `credential/${credentialId}`;

/** Longest wait that a message states in seconds. */
const SECONDS_MAX = 120;

function rateLimitError({ lengthMs, max, endsMs }: WindowUsage, reply: FastifyReply): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((endsMs - Date.now()) / 1_000));
  reply.header('retry-after', retryAfter);
  const resetAt = new Date(endsMs).toISOString();
  const details = { retryAfter, limit: max, remaining: 0, resetAt };
  const minutes = Math.ceil(retryAfter / 60);
  if (lengthMs === DAY_MS) {
    const wait = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return new ServiceError('DAILY_LIMIT_EXCEEDED', `All ${max} requests of this day are used; try again in ${wait}, at 00:00 UTC.`, {
      details,
    });
  }
  if (retryAfter > SECONDS_MAX)
    return new ServiceError('RATE_LIMIT_EXCEEDED', `Too many requests; try again in ${minutes} minutes, at ${resetAt.slice(11, 16)} UTC.`, {
      details,
    });
  return new ServiceError('RATE_LIMIT_EXCEEDED', `Too many requests; try again in ${retryAfter} seconds.`, { details });
}
