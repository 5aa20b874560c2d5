import { isoTime, type TenantTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { HELD_WORDS, heldUntil } from './channel-change.ts';
import type { Dependencies } from './dependencies.ts';
import { isSecret } from './message.ts';
import type { Outcome } from './outcome.ts';
import { afterChannelFault, afterTry, DELIVER_JOB, restAfter } from './retry-schedule.ts';
import { MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { resumeQueue, suspendQueue } from './suspension.ts';

/** Messages under way in this process, and by one channel of a tenant. */
const AT_ONCE = 32;
const AT_ONCE_OF_CHANNEL = 8;
/** A try takes 45 seconds at most; the rest is for making the document and writing the outcome down. */
const LEASE_MS = 120_000;

/** Sends the messages that are due: each channel of a tenant apart from the others. */
export function deliverJob(deps: Dependencies, sender: Sender): Job<MessageRow> {
  return {
    name: DELIVER_JOB,
    table: MESSAGES,
    clock: 'tenant',
    atOnce: AT_ONCE,
    lane: { column: 'channel', of: MESSAGE_CHANNELS, key: 'channel', atOnce: AT_ONCE_OF_CHANNEL },
    leaseMs: LEASE_MS,
    run: (row) => deliver(deps, sender, row),
  };
}

async function deliver(deps: Dependencies, sender: Sender, row: MessageRow): Promise<string> {
  const channel = await deps.database.read(row.tenant_id).one(MESSAGE_CHANNELS, { channel: row.channel });
  const now = deps.clockOf(row.tenant_id).now();
  if (row.expires_ms !== null && row.expires_ms <= now) return conclude(deps, row, { status: 'expired', ...released(null), ...spent(row) });
  if (!channel) return conclude(deps, row, { status: 'waiting', ...released(null) });
  const until = heldUntil(row, channel);
  if (until !== null && until > now)
    return conclude(deps, row, {
      last_error: HELD_WORDS,
      ...released(row.expires_ms === null || until < row.expires_ms ? until : row.expires_ms),
    });
  const outcome = await sender.send(channel, row);
  const at = deps.clockOf(row.tenant_id).now();
  return conclude(deps, row, after(row, outcome, at), { channel, outcome, atMs: at });
}

/** Columns cleared once the secret of a message is no longer needed. */
const spent = (row: MessageRow): Partial<MessageRow> => (isSecret(row) ? { sealed: null, body: '', html: null } : {});

/** Returns the changes of a message after an outcome. */
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
  // A message that expires by then is processed once more to mark it as expired.
  return { ...failed, ...released(row.expires_ms === null || dueMs < row.expires_ms ? dueMs : row.expires_ms) };
}

interface Tried {
  readonly channel: MessageChannelRow;
  readonly outcome: Outcome;
  readonly atMs: TenantTime;
}

/** Writes the outcome of a claimed message. If another server has claimed it since, that server's result counts. */
async function conclude(deps: Dependencies, row: MessageRow, set: Partial<MessageRow>, tried?: Tried): Promise<string> {
  const fares = tried && faresOf(tried);
  const became = await deps.database.unitOfWork.run(row.tenant_id, async (work) => {
    // The channel before its messages, as everywhere.
    const channel = fares ? await work.lockOne(MESSAGE_CHANNELS, { channel: row.channel }) : null;
    const isFault = tried?.outcome.kind === 'channel';
    const isAsTried = tried !== undefined && channel !== null && isSameSetUp(channel, tried.channel);
    const written = isFault && !isAsTried ? afterNewSetUp(channel, tried.atMs) : set;
    const changed = await work.update(MESSAGES, { id: row.id, fence: row.fence }, written);
    if (changed === 0) return null;
    if (tried && fares && isAsTried) {
      await work.update(MESSAGE_CHANNELS, { channel: row.channel }, fares);
      if (tried.outcome.kind === 'channel') await suspendQueue(deps.database, work, row.channel, tried.outcome.words, tried.atMs);
      else if (tried.outcome.kind === 'sent' && channel.rest_ms !== null) await resumeQueue(work, row.channel, tried.atMs);
    }
    work.afterCommit(() => {
      if (fares) deps.scheduler.wake(DELIVER_JOB);
      deps.changed(row.tenant_id, 'messages');
    });
    return written.status ?? 'queued';
  });
  return became ?? 'skipped';
}

const isSameSetUp = (now: MessageChannelRow, then: MessageChannelRow) =>
  now.updated_at === then.updated_at && now.settings === then.settings && now.secret === then.secret;

/** Returns the changes of a message that failed with settings that were replaced since: it is retried with the new ones. */
const afterNewSetUp = (channel: MessageChannelRow | null, atMs: TenantTime): Partial<MessageRow> =>
  channel ? released(atMs) : { status: 'waiting', ...released(null) };

/** Interval for recording that a channel works, instead of with every message. */
const OK_TOLD_MS = 60_000;

function faresOf({ channel, outcome, atMs }: Tried): Partial<MessageChannelRow> | null {
  const at = isoTime(atMs);
  if (outcome.kind === 'channel') return { last_error: outcome.words, last_error_at: at, rest_ms: restAfter(atMs).untilMs };
  if (outcome.kind === 'fault' && outcome.ofChannel) return { last_error: outcome.words, last_error_at: at };
  if (outcome.kind !== 'sent') return null;
  const isTold = channel.last_error === null && channel.last_ok_at !== null && Date.parse(channel.last_ok_at) > atMs - OK_TOLD_MS;
  return isTold ? null : { last_ok_at: at, last_error: null, last_error_at: null, rest_ms: null };
}
