import { listOf, queriesOn, type TENANT, type Work } from '#core/database';
import { type Actor, isoTime, ServiceError } from '#core/kernel';
import type { WindowUsage } from '#core/platform/rate-limits';
import type { CodeHashes } from './code.ts';
import type { Dependencies } from './dependencies.ts';
import { GIFT_CARDS, type GiftCardRow, type GiftCardStatus } from './schema.ts';

const queries = queriesOn(GIFT_CARDS);
const HOUR_MS = 3_600_000;
/** Codes that a user or API key may guess in an hour. */
const CALLER_MAX = 20;
/** Wrong PINs of one code in an hour, of all callers together. */
const PIN_MAX = 10;

/** Statuses of cards that their holders may look up. */
const SHOWN: ReadonlySet<GiftCardStatus> = new Set(['active', 'blocked', 'expired']);

const guessesOf = ({ credentialId }: Pick<Actor, 'credentialId'>) => ({
  scope: `gift-card-guesses/${credentialId}`,
  lengthMs: HOUR_MS,
  max: CALLER_MAX,
});

/** Returns the card with a code that was paid and not replaced, or null, which counts as a guess. @throws ServiceError RATE_LIMIT_EXCEEDED. */
export function cardWithCode(
  deps: Pick<Dependencies, 'limits'>,
  actor: Actor,
  merchantId: string,
  { code_hash, number_hash }: CodeHashes,
): Promise<GiftCardRow | null> {
  // Unknown codes count too, so that the limit does not tell which codes exist.
  const windows = [guessesOf(actor), { scope: `gift-card-pins/${merchantId}/${number_hash}`, lengthMs: HOUR_MS, max: PIN_MAX }];
  return attempt(deps, actor, windows, async (work) => {
    const row = await work.one(GIFT_CARDS, { tenant_id: actor.tenantId, merchant_id: merchantId, number_hash });
    return row?.code_hash === code_hash && SHOWN.has(row.status) ? row : null;
  });
}

/**
 * Counts the code of a new card as a guess if a card of the merchant has it, whatever its PIN, or one of its neighbors. Returns true if a neighbor is in use.
 * @throws ServiceError RATE_LIMIT_EXCEEDED.
 */
export async function countCodeInUse(
  deps: Pick<Dependencies, 'limits'>,
  actor: Actor,
  merchantId: string,
  { number_hash }: CodeHashes,
  neighbors: readonly string[],
): Promise<boolean> {
  let hasNeighbor = false;
  await attempt(deps, actor, [guessesOf(actor)], async (work) => {
    hasNeighbor = await isAnyInUse(work, actor.tenantId, merchantId, neighbors);
    return !hasNeighbor && !(await isAnyInUse(work, actor.tenantId, merchantId, [number_hash])) ? 'free' : null;
  });
  return hasNeighbor;
}

/** Returns true if a card of the merchant has one of these hashes of codes. `tenantId` is TENANT in a unit of work of the tenant. */
export async function isAnyInUse(
  work: Work,
  tenantId: string | typeof TENANT,
  merchantId: string,
  numberHashes: readonly string[],
): Promise<boolean> {
  if (numberHashes.length === 0) return false;
  const cards = queries.selectFrom('gift_cards').select('id').where('tenant_id', '=', tenantId).where('merchant_id', '=', merchantId);
  return (await work.row(cards.where('number_hash', 'in', listOf(numberHashes)).limit(1))) !== null;
}

async function attempt<Found>(
  { limits }: Pick<Dependencies, 'limits'>,
  { tenantId }: Actor,
  windows: Parameters<Dependencies['limits']['attempt']>[1],
  look: (work: Work) => Promise<Found | null>,
): Promise<Found | null> {
  const outcome = await limits.attempt(tenantId, windows, look);
  if ('exhausted' in outcome) throw tooManyGuesses(outcome.exhausted);
  return outcome.found;
}

function tooManyGuesses({ endsMs, max }: WindowUsage): ServiceError {
  const retryAfter = Math.max(1, Math.ceil((endsMs - Date.now()) / 1_000));
  return new ServiceError('RATE_LIMIT_EXCEEDED', `There were too many unknown codes. Try again in ${Math.ceil(retryAfter / 60)} minutes.`, {
    details: { retryAfter, limit: max, remaining: 0, resetAt: isoTime(endsMs) },
  });
}
