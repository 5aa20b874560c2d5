import { createHash } from 'node:crypto';
import type { Work } from '#core/database';
import { isoTime, ServiceError, serviceActor } from '#core/kernel';
import { toE164 } from './address.ts';
import type { Dependencies, MessageLimits } from './dependencies.ts';
import type { NewMessage, Notify } from './message.ts';
import { MESSAGE_COUNTS, type MessageCountRow, type MessageKind } from './schema.ts';
import { limitReachedText } from './texts.ts';

const DAY_MS = 86_400_000;
/** Messages of the tenant that let a user sign in. */
const SIGN_IN_KINDS: ReadonlySet<MessageKind> = new Set(['code', 'password']);

/** The properties of a message that decide how it is counted. */
export type Counted = Pick<NewMessage, 'tenantId' | 'merchantId' | 'channel' | 'kind' | 'to' | 'atMs'> & Partial<Pick<NewMessage, 'cause'>>;

export const MESSAGE_LIMITS: MessageLimits = { spacingMs: 30_000, perDestination: 10, remindersPerDestination: 3, perTenant: 1_000 };

/**
 * Returns the function that counts a message of a caller in the unit of work that writes it. Days are those of UTC. Reminders have a smaller limit for each destination. The function throws RATE_LIMIT_EXCEEDED or DAILY_LIMIT_EXCEEDED; a refused message is not counted.
 * `write` writes the warning of the owners, which is not counted.
 */
export function createMessageCount(deps: Dependencies, write: Notify): (work: Work, message: Counted) => Promise<void> {
  const { spacingMs, perDestination, remindersPerDestination, perTenant: max } = deps.messageLimits;

  async function warnOwners(work: Work, { tenantId, channel, atMs }: Counted, endsAt: string): Promise<void> {
    const text = limitReachedText(channel, max, endsAt);
    for (const { email } of await deps.ownersOf(tenantId))
      await write(work, { tenantId, merchantId: null, channel: 'email', to: email, ...text, atMs, cause: 'event' });
    const actor = serviceActor(tenantId);
    const resource = `notifications/channels/${channel}`;
    deps.audit(work, { actor, action: 'messages.limit_reached', resource, after: { limit: max, endsAt } });
  }

  return async (work, message) => {
    const { tenantId, channel } = message;
    const now = deps.now();
    const today = Math.floor(now / DAY_MS);
    const endsAt = isoTime((today + 1) * DAY_MS);
    // Requests of all servers count one after another.
    await work.advisoryLock(`message-counts/${tenantId}`);
    const read = async (counter: string, day = today): Promise<MessageCountRow & { readonly isNew: boolean }> => {
      const row = await work.one(MESSAGE_COUNTS, { counter });
      const n = row?.day === day ? row.n : 0;
      return { tenant_id: tenantId, counter, day, n, last_ms: row?.last_ms ?? 0, isNew: row === null };
    };
    const add = async ({ isNew, ...row }: MessageCountRow & { readonly isNew: boolean }): Promise<void> => {
      const set = { day: row.day, n: row.n + 1, last_ms: now };
      if (isNew) work.insert(MESSAGE_COUNTS, { ...row, ...set });
      else await work.update(MESSAGE_COUNTS, { counter: row.counter }, set);
    };
    const addToTenant = async (): Promise<void> => {
      const tenant = await read(channel);
      if (tenant.n >= max) throw dayIsFull('account', max, endsAt, now);
      await add(tenant);
      if (tenant.n + 1 === max) await warnOwners(work, message, endsAt);
    };
    if (message.cause === 'reminder') {
      // The days of a schedule are those of the tenant's clock.
      const reminded = await read(destinationOf(message), Math.floor(message.atMs / DAY_MS));
      if (reminded.n >= remindersPerDestination) throw dayIsFull('destination', remindersPerDestination, endsAt, now);
      await add(reminded);
      return addToTenant();
    }
    const destination = await read(destinationOf(message));
    // A clock that was set back does not block a destination.
    const waitMs = destination.last_ms > now ? 0 : destination.last_ms + spacingMs - now;
    if (waitMs > 0) throw tooSoon(waitMs, now);
    if (destination.n >= perDestination) throw dayIsFull('destination', perDestination, endsAt, now);
    await add(destination);
    // Messages to customers must never keep a person from signing in.
    if (!isSignIn(message)) await addToTenant();
  };
}

const isSignIn = ({ merchantId, kind = 'notice' }: Counted) => merchantId === null && SIGN_IN_KINDS.has(kind);

/**
 * Returns the counter of a destination: a hash, because the count needs no address. Every kind of sign-in message has a counter of its own, so that
 * nobody uses up the codes of a person by requests for password links. Tags after a `+` lead to the same mailbox.
 */
function destinationOf(message: Counted): string {
  const { channel, to, kind = 'notice', cause } = message;
  const address = channel === 'sms' ? (toE164(to) ?? to) : to.toLowerCase().replace(/\+[^@]*@/, '@');
  const purpose = cause === 'reminder' ? cause : isSignIn(message) || kind === 'test' ? kind : 'customers';
  return createHash('sha256').update(`${purpose}|${channel}|${address}`).digest('hex');
}

function tooSoon(waitMs: number, now: number): ServiceError {
  const retryAfter = Math.ceil(waitMs / 1_000);
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `A message was sent to this recipient a short time ago. Wait ${retryAfter} seconds before you send another one.`,
    { details: { reason: 'destination', retryAfter, limit: 1, remaining: 0, resetAt: isoTime(now + retryAfter * 1_000) } },
  );
}

function dayIsFull(reason: 'destination' | 'account', limit: number, resetAt: string, now: number): ServiceError {
  const message =
    reason === 'account'
      ? `This account has sent ${limit} messages today, which is its limit. More can be sent from ${resetAt} on.`
      : `This recipient got ${limit} messages today, which is the limit. More can be sent from ${resetAt} on.`;
  const retryAfter = Math.max(1, Math.ceil((Date.parse(resetAt) - now) / 1_000));
  return new ServiceError('DAILY_LIMIT_EXCEEDED', message, { details: { reason, retryAfter, limit, remaining: 0, resetAt } });
}
