import { isoTime, type TenantTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { HELD_WORDS, heldUntil } from './channel-change.ts';
import { isSecret } from './message.ts';
import type { Needs } from './needs.ts';
import type { Outcome } from './outcome.ts';
import { restQueue, wakeQueue } from './rest.ts';
import { afterChannelFault, afterTry, DELIVER_JOB, restAfter } from './retry-schedule.ts';
import { MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';

/** Messages under way in this process, and by one channel of a tenant. */
const AT_ONCE = 32;
const AT_ONCE_OF_CHANNEL = 8;
/** A try takes 45 seconds at most; the rest is for making the document and writing the outcome down. */
const LEASE_MS = 120_000;

/** Sends the messages that are due: each channel of a tenant apart from the others. */
export function deliverJob(on: Needs, sender: Sender): Job<MessageRow> {
  return {
    name: DELIVER_JOB,
    table: MESSAGES,
    clock: 'tenant',
    atOnce: AT_ONCE,
    lane: { column: 'channel', of: MESSAGE_CHANNELS, key: 'channel', atOnce: AT_ONCE_OF_CHANNEL },
    leaseMs: LEASE_MS,
    run: (row) => deliver(on, sender, row),
  };
}

async function deliver(on: Needs, sender: Sender, row: MessageRow): Promise<string> {
  const channel = await on.database.read(row.tenant_id).one(MESSAGE_CHANNELS, { channel: row.channel });
  const now = on.clockOf(row.tenant_id).now();
  if (row.expires_ms !== null && row.expires_ms <= now) return conclude(on, row, { status: 'expired', ...released(null), ...spent(row) });
  if (!channel) return conclude(on, row, { status: 'waiting', ...released(null) });
  const until = heldUntil(row, channel);
  if (until !== null && until > now)
    return conclude(on, row, {
      last_error: HELD_WORDS,
      ...released(row.expires_ms === null || until < row.expires_ms ? until : row.expires_ms),
    });
  const outcome = await sender.send(channel, row);
  const at = on.clockOf(row.tenant_id).now();
  return conclude(on, row, after(row, outcome, at), { channel, outcome, atMs: at });
}

/** What is taken out of a secret that nobody needs any more. */
const spent = (row: MessageRow): Partial<MessageRow> => (isSecret(row) ? { sealed: null, body: '', html: null } : {});

/** What an outcome makes of its message. */
function after(row: MessageRow, outcome: Outcome, atMs: TenantTime): Partial<MessageRow> {
  if (outcome.kind === 'sent') {
    return {
      status: 'sent',
      attempts: row.attempts + 1,
      last_error: null,
      sent_at: isoTime(atMs),
      provider_id: outcome.providerId,
      ...released(null),
      ...spent(row),
    };
  }
  const attempts = outcome.kind === 'channel' ? row.attempts : row.attempts + 1;
  const dueMs =
    outcome.kind === 'refused'
      ? null
      : outcome.kind === 'fault'
        ? afterTry(attempts, atMs)
        : afterChannelFault(Date.parse(row.created_at), atMs);
  const failed = { attempts, last_error: outcome.words };
  if (dueMs === null) return { ...failed, status: 'failed', ...released(null), ...spent(row) };
  // What is of no use by then is looked at once more, to say so.
  return { ...failed, ...released(row.expires_ms === null || dueMs < row.expires_ms ? dueMs : row.expires_ms) };
}

interface Tried {
  readonly channel: MessageChannelRow;
  readonly outcome: Outcome;
  readonly atMs: TenantTime;
}

/** Writes what became of a claimed message; one that was taken over meanwhile is its new holder's. */
async function conclude(on: Needs, row: MessageRow, set: Partial<MessageRow>, tried?: Tried): Promise<string> {
  const fares = tried && faresOf(tried);
  const became = await on.database.unitOfWork.run(row.tenant_id, async (work) => {
    // The channel before its messages, as everywhere.
    const channel = fares ? await work.lockOne(MESSAGE_CHANNELS, { channel: row.channel }) : null;
    const isFault = tried?.outcome.kind === 'channel';
    const isAsTried = tried !== undefined && channel !== null && isSameSetUp(channel, tried.channel);
    const written = isFault && !isAsTried ? afterNewSetUp(channel, tried.atMs) : set;
    const changed = await work.update(MESSAGES, { id: row.id, fence: row.fence }, written);
    if (changed === 0) return null;
    if (tried && fares && isAsTried) {
      await work.update(MESSAGE_CHANNELS, { channel: row.channel }, fares);
      if (tried.outcome.kind === 'channel') await restQueue(on.database, work, row.channel, tried.outcome.words, tried.atMs);
      else if (tried.outcome.kind === 'sent' && channel.rest_ms !== null) await wakeQueue(work, row.channel, tried.atMs);
    }
    work.afterCommit(() => {
      if (fares) on.scheduler.wake(DELIVER_JOB);
      on.changed(row.tenant_id, 'messages');
    });
    return written.status ?? 'queued';
  });
  return became ?? 'skipped';
}

const isSameSetUp = (now: MessageChannelRow, then: MessageChannelRow) =>
  now.updated_at === then.updated_at && now.settings === then.settings && now.secret === then.secret;

/** What a fault of settings that are no longer the channel's makes of a message: it is tried with the new ones. */
const afterNewSetUp = (channel: MessageChannelRow | null, atMs: TenantTime): Partial<MessageRow> =>
  channel ? released(atMs) : { status: 'waiting', ...released(null) };

/** A channel that goes well is told so once a minute, not at every message. */
const OK_TOLD_MS = 60_000;

function faresOf({ channel, outcome, atMs }: Tried): Partial<MessageChannelRow> | null {
  const at = isoTime(atMs);
  if (outcome.kind === 'channel') return { last_error: outcome.words, last_error_at: at, rest_ms: restAfter(atMs).untilMs };
  if (outcome.kind === 'fault' && outcome.ofChannel) return { last_error: outcome.words, last_error_at: at };
  if (outcome.kind !== 'sent') return null;
  const isTold = channel.last_error === null && channel.last_ok_at !== null && Date.parse(channel.last_ok_at) > atMs - OK_TOLD_MS;
  return isTold ? null : { last_ok_at: at, last_error: null, last_error_at: null, rest_ms: null };
}
