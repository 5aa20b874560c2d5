import { isoTime, later, type TenantTime } from '#core/kernel';
import { type Job, released } from '#core/platform/scheduling';
import { HOLD_NOTICE, heldUntil } from './channel-change.ts';
import type { Dependencies } from './dependencies.ts';
import { isSecret } from './message.ts';
import type { Outcome } from './outcome.ts';
import { afterChannelFault, DELIVER_JOB, nextAttemptAt, suspensionAfter } from './retry-schedule.ts';
import { MESSAGE_CHANNELS, MESSAGES, type MessageChannelRow, type MessageRow } from './schema.ts';
import type { Sender } from './sender.ts';
import { firstAttemptAt, resumeQueue, suspendQueue } from './suspension.ts';

/** Number of messages that this process sends in parallel, and that one channel of a tenant sends in parallel. */
const CONCURRENCY = 32;
const CONCURRENCY_PER_CHANNEL = 8;
/** An attempt takes at most 45 seconds; the rest is for creating the attachment and recording the outcome. */
const LEASE_MS = 120_000;

/** Job that sends due messages. Each channel of a tenant has its own concurrency limit. */
export function deliverJob(deps: Dependencies, sender: Sender): Job<MessageRow> {
  return {
    name: DELIVER_JOB,
    table: MESSAGES,
    clock: 'tenant',
    concurrency: CONCURRENCY,
    lane: { column: 'channel', of: MESSAGE_CHANNELS, key: 'channel', concurrency: CONCURRENCY_PER_CHANNEL },
    leaseMs: LEASE_MS,
    run: (row) => deliver(deps, sender, row),
  };
}

async function deliver(deps: Dependencies, sender: Sender, row: MessageRow): Promise<string> {
  const channel = await deps.database.read(row.tenant_id).one(MESSAGE_CHANNELS, { channel: row.channel });
  const now = deps.clockOf(row.tenant_id).now();
  if (row.expires_ms !== null && row.expires_ms <= now)
    return conclude(deps, row, { status: 'expired', ...released(null), ...withoutSecret(row) });
  if (!channel) return conclude(deps, row, { status: 'waiting', ...released(null) });
  const until = heldUntil(row, channel);
  if (until !== null && until > now)
    return conclude(deps, row, {
      last_error: HOLD_NOTICE,
      ...released(row.expires_ms === null || until < row.expires_ms ? until : row.expires_ms),
    });
  const reason = await sender.needless(row);
  if (reason !== null) return conclude(deps, row, { status: 'expired', last_error: reason, ...released(null), ...withoutSecret(row) });
  if (!(await mayTry(deps, channel, now))) return waitForProbe(deps, row, now);
  const outcome = await sender.send(channel, row);
  const at = deps.clockOf(row.tenant_id).now();
  return conclude(deps, row, changesAfter(row, outcome, at), { channel, outcome, atMs: at });
}

/**
 * Returns true if a message may be sent now. When the suspension of a channel ends, one message is sent as a probe and the others wait for its
 * result. If the server of the probe is killed, another one follows after the time of a lease. A message that a person resends does not wait for the end of
 * a suspension.
 */
async function mayTry(deps: Dependencies, { tenant_id, channel, rest_ms }: MessageChannelRow, now: TenantTime): Promise<boolean> {
  const probeEndMs = later(now, LEASE_MS);
  if (rest_ms === null || rest_ms > probeEndMs) return true;
  if (rest_ms > now) return false;
  const claimed = await deps.database.unitOfWork.transaction(tenant_id, (work) =>
    work.update(MESSAGE_CHANNELS, { channel, rest_ms }, { rest_ms: probeEndMs }),
  );
  return claimed === 1;
}

/** Releases a claimed message until the probe of its channel has ended, or until the end of the suspension that followed. */
async function waitForProbe(deps: Dependencies, row: MessageRow, now: TenantTime): Promise<string> {
  return deps.database.unitOfWork.transaction(row.tenant_id, async (work) => {
    // With the lock, the result of the probe changes this message too, or is read here.
    const channel = await work.lockOne(MESSAGE_CHANNELS, { channel: row.channel });
    const dueMs = channel ? firstAttemptAt(channel, now) : now;
    await work.update(
      MESSAGES,
      { id: row.id, fence: row.fence },
      released(row.expires_ms === null || dueMs < row.expires_ms ? dueMs : row.expires_ms),
    );
    work.afterCommit(() => deps.scheduler.wake(DELIVER_JOB, row.tenant_id));
    return 'skipped';
  });
}

/** Returns the columns that are cleared once the secret of a message is no longer needed. */
const withoutSecret = (row: MessageRow): Partial<MessageRow> => (isSecret(row) ? { sealed: null, body: '', html: null } : {});

/** Returns the changes of a message after an outcome. */
function changesAfter(row: MessageRow, outcome: Outcome, atMs: TenantTime): Partial<MessageRow> {
  if (outcome.kind === 'sent') {
    return {
      status: 'sent',
      attempts: row.attempts + 1,
      last_error: null,
      sent_at: isoTime(atMs),
      provider_id: outcome.providerId,
      ...released(null),
      ...withoutSecret(row),
    };
  }
  const attempts = outcome.kind === 'channel' ? row.attempts : row.attempts + 1;
  const dueMs =
    outcome.kind === 'refused'
      ? null
      : outcome.kind === 'fault'
        ? nextAttemptAt(attempts, atMs)
        : afterChannelFault(Date.parse(row.created_at), atMs);
  const failed = { attempts, last_error: outcome.message };
  if (dueMs === null) return { ...failed, status: 'failed', ...released(null), ...withoutSecret(row) };
  // A message that expires by then is processed once more to mark it as expired.
  return { ...failed, ...released(row.expires_ms === null || dueMs < row.expires_ms ? dueMs : row.expires_ms) };
}

interface Attempt {
  readonly channel: MessageChannelRow;
  readonly outcome: Outcome;
  readonly atMs: TenantTime;
}

/** Writes the outcome of a claimed message. If another server has claimed it since, that server's result counts. */
async function conclude(deps: Dependencies, row: MessageRow, set: Partial<MessageRow>, attempt?: Attempt): Promise<string> {
  const channelChanges = attempt && channelChangesAfter(attempt);
  const status = await deps.database.unitOfWork.transaction(row.tenant_id, async (work) => {
    // The channel is locked before its messages everywhere, so that no deadlock is possible.
    const channel = channelChanges ? await work.lockOne(MESSAGE_CHANNELS, { channel: row.channel }) : null;
    const isFault = attempt?.outcome.kind === 'channel';
    const isUnchanged = attempt !== undefined && channel !== null && hasSameSettings(channel, attempt.channel);
    const written = isFault && !isUnchanged ? retryWithNewSettings(channel, attempt.atMs) : set;
    const changed = await work.update(MESSAGES, { id: row.id, fence: row.fence }, written);
    if (changed === 0) return null;
    if (attempt && channelChanges && isUnchanged) {
      await work.update(MESSAGE_CHANNELS, { channel: row.channel }, channelChanges);
      if (attempt.outcome.kind === 'channel') await suspendQueue(deps.database, work, row.channel, attempt.outcome.message, attempt.atMs);
      else if (channel.rest_ms !== null) await resumeQueue(work, row.channel, attempt.atMs);
    }
    work.afterCommit(() => {
      if (channelChanges) deps.scheduler.wake(DELIVER_JOB, row.tenant_id);
      deps.changed(row.tenant_id, 'messages', row.merchant_id);
    });
    return written.status ?? 'queued';
  });
  return status ?? 'skipped';
}

const hasSameSettings = (now: MessageChannelRow, then: MessageChannelRow) =>
  now.updated_at === then.updated_at && now.settings === then.settings && now.secret === then.secret;

/** Returns the changes of a message that failed with settings that were replaced since: it is retried with the new ones. */
const retryWithNewSettings = (channel: MessageChannelRow | null, atMs: TenantTime): Partial<MessageRow> =>
  channel ? released(atMs) : { status: 'waiting', ...released(null) };

/** Interval for recording that a channel works, instead of with every message. */
const OK_RECORDED_EVERY_MS = 60_000;

function channelChangesAfter({ channel, outcome, atMs }: Attempt): Partial<MessageChannelRow> | null {
  const at = isoTime(atMs);
  if (outcome.kind === 'channel') return { last_error: outcome.message, last_error_at: at, rest_ms: suspensionAfter(atMs).untilMs };
  // Only a fault of the settings suspends a channel, so any other result ends its suspension.
  const resumed = channel.rest_ms === null ? null : { rest_ms: null };
  if (outcome.kind === 'fault' && outcome.ofChannel) return { last_error: outcome.message, last_error_at: at, ...resumed };
  if (outcome.kind !== 'sent') return resumed;
  const isRecorded =
    channel.last_error === null && channel.last_ok_at !== null && Date.parse(channel.last_ok_at) > atMs - OK_RECORDED_EVERY_MS;
  return isRecorded ? resumed : { last_ok_at: at, last_error: null, last_error_at: null, rest_ms: null };
}
