import type { Read, Work } from '#core/database';
import { type Actor, type Caller, isoTime, isTimeZone, later, ServiceError, type TenantTime, timeAfter } from '#core/kernel';
import { idempotencyColumns, keyNameOf, NO_IDEMPOTENCY_KEY, withClaimedKey } from '#core/platform/idempotency';
import { claimRow, type Job, released } from '#core/platform/scheduling';
import type { ChangeEvents } from '#core/processing/domain-events';
import type { Merchant } from '#core/processing/merchants';
import { cutoffAfter, settlementDateOf } from './calendar.ts';
import { type Dependencies, SETTLE_JOB } from './dependencies.ts';
import type { Settlement, SettlementSchedule } from './records.ts';
import { SCHEDULES, type ScheduleRow, SETTLEMENTS } from './schema.ts';
import { LEASE_MS, settleUpTo } from './settle.ts';
import { toSettlement } from './settlement.ts';

const CONCURRENCY = 4;

export type ScheduleChange = Partial<Omit<SettlementSchedule, 'merchantId' | 'nextCutoffAt'>>;

function toSchedule(row: ScheduleRow, merchant: Merchant, nextMs: number | null): SettlementSchedule {
  return {
    merchantId: row.id,
    frequency: row.frequency,
    cutoffTime: row.cutoff_time,
    delayDays: row.delay_days,
    timezone: row.timezone ?? merchant.timezone,
    timezoneSource: row.timezone === null ? 'merchant' : 'schedule',
    weekday: row.weekday,
    dayOfMonth: row.day_of_month,
    nextCutoffAt: nextMs === null ? null : isoTime(nextMs),
  };
}

const zoneOf = (row: ScheduleRow, merchant: Merchant) => row.timezone ?? merchant.timezone;

/** Creates the schedule of a new merchant, daily at midnight, in the unit of work that creates the merchant. */
export async function beginSchedule(work: Work, tenantId: string, merchantId: string, timeZone: string, nowMs: number): Promise<void> {
  const rule = { frequency: 'daily', cutoff_time: '00:00', weekday: 1, day_of_month: 1 } as const;
  work.insert(SCHEDULES, {
    tenant_id: tenantId,
    id: merchantId,
    ...rule,
    delay_days: 0,
    timezone: null,
    ...NO_IDEMPOTENCY_KEY,
    due_ms: cutoffAfter(rule, timeZone, nowMs),
    lease_ms: 0,
    fence: 0,
    updated_at: isoTime(nowMs),
  });
}

/** Sets the next cutoff of every merchant of a tenant to the first one after a past time. */
export async function beginAt(deps: Dependencies, tenantId: string, fromMs: number): Promise<void> {
  for (const row of await deps.database.read(tenantId).find(SCHEDULES, { tenant_id: tenantId })) {
    const merchant = await deps.merchantFor({ tenantId, merchantId: null }, row.id);
    const due_ms = cutoffAfter(row, zoneOf(row, merchant), fromMs);
    await deps.database.unitOfWork.transaction(tenantId, (work) => work.update(SCHEDULES, { id: row.id }, { due_ms }));
  }
}

/**
 * Reschedules the next cutoff of a merchant whose time zone changes, in the unit of work of the change. A cutoff that has passed stays; a
 * settlement under way uses the new zone at its end.
 */
export async function zoneChanged(
  deps: Dependencies,
  work: Work,
  { merchantId, timeZone }: ChangeEvents['merchant.time-zone-changed'],
): Promise<void> {
  const row = await work.lockOne(SCHEDULES, { id: merchantId });
  if (!row || row.timezone !== null) return;
  const now = deps.clockOf(row.tenant_id).now();
  if (row.due_ms === null || row.due_ms <= now || row.lease_ms > 0) return;
  await work.update(SCHEDULES, { id: merchantId }, { due_ms: cutoffAfter(row, timeZone, now) });
  work.afterCommit(() => {
    deps.scheduler.wake(SETTLE_JOB, row.tenant_id);
    deps.changed(row.tenant_id, 'settlement', merchantId);
  });
}

/** Returns the cutoff after a time, in the time zone as the unit of work sees it. */
async function cutoffIn(deps: Dependencies, work: Work, row: ScheduleRow, afterMs: number): Promise<TenantTime | null> {
  return cutoffAfter(row, row.timezone ?? (await deps.zoneIn(work, row.id)), afterMs);
}

export async function getSchedule(deps: Dependencies, actor: Caller, merchantId: string): Promise<SettlementSchedule> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const row = await scheduleOf(deps, actor.tenantId, merchantId);
  return toSchedule(row, merchant, nextCutoffOf(deps, row, merchant));
}

export async function scheduleOf(deps: Dependencies, tenantId: string, merchantId: string): Promise<ScheduleRow> {
  const row = await deps.database.read(tenantId).one(SCHEDULES, { id: merchantId });
  if (!row) throw new Error('every merchant has a schedule');
  return row;
}

/** Returns the next cutoff as shown to users. If one is due right now, returns the following one. */
export function nextCutoffOf(deps: Dependencies, row: ScheduleRow, merchant: Merchant): number | null {
  return cutoffAfter(row, zoneOf(row, merchant), deps.clockOf(row.tenant_id).now());
}

/** Returns the time zone of a changed schedule; null if it follows the merchant's. @throws ServiceError VALIDATION_ERROR on `timezone`. */
function changedZone(row: ScheduleRow, merchant: Merchant, { timezone, timezoneSource }: ScheduleChange): string | null {
  if (timezone !== undefined && !isTimeZone(timezone))
    throw new ServiceError('VALIDATION_ERROR', 'The time zone must be an IANA name such as America/New_York.', { field: 'timezone' });
  if (timezoneSource !== 'merchant') return timezone ?? row.timezone ?? (timezoneSource === 'schedule' ? merchant.timezone : null);
  if (timezone !== undefined && timezone !== merchant.timezone)
    throw new ServiceError('VALIDATION_ERROR', 'With `timezoneSource` `merchant`, `timezone` must be the time zone of the merchant.', {
      field: 'timezone',
    });
  return null;
}

/** Changes the given fields, effective with the next cutoff. */
export async function changeSchedule(
  deps: Dependencies,
  actor: Actor,
  merchantId: string,
  change: ScheduleChange,
): Promise<SettlementSchedule> {
  const merchant = await deps.merchantFor(actor, merchantId);
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    const row = await work.lockOne(SCHEDULES, { id: merchantId });
    if (!row) throw new Error('every merchant has a schedule');
    const now = timeAfter(deps.clockOf(actor.tenantId).now(), row.updated_at);
    const next: ScheduleRow = {
      ...row,
      frequency: change.frequency ?? row.frequency,
      cutoff_time: change.cutoffTime ?? row.cutoff_time,
      delay_days: change.delayDays ?? row.delay_days,
      timezone: changedZone(row, merchant, change),
      weekday: change.weekday ?? row.weekday,
      day_of_month: change.dayOfMonth ?? row.day_of_month,
      updated_at: isoTime(now),
    };
    // A cutoff that is due already still follows the former rule.
    const isDue = row.due_ms !== null && row.due_ms <= now;
    const due_ms = isDue ? row.due_ms : await cutoffIn(deps, work, next, now);
    // A settlement under way continues, and then evaluates the changed rule.
    const { tenant_id: _, id: __, lease_ms: ___, fence: ____, ...set } = { ...next, due_ms };
    await work.update(SCHEDULES, { id: merchantId }, set);
    const before = toSchedule(row, merchant, row.due_ms);
    const after = toSchedule(next, merchant, cutoffAfter(next, zoneOf(next, merchant), now));
    deps.audit(work, {
      actor,
      action: 'settlement_schedule.updated',
      resource: `settlement/schedule/${merchantId}`,
      merchantId,
      before: { ...before },
      after: { ...after },
    });
    work.afterCommit(() => {
      deps.scheduler.wake(SETTLE_JOB, actor.tenantId);
      deps.changed(actor.tenantId, 'settlement', merchantId);
    });
    return after;
  });
}

/**
 * Returns the first date of a settlement that is under way, or whose cutoff has passed without a settlement; null if there is none. Until it is
 * made, the figures of its date are not final.
 */
export async function settlingFrom(deps: Dependencies, read: Read, merchant: Merchant): Promise<string | null> {
  const { merchantId } = merchant;
  const assembling = await read.find(SETTLEMENTS, { merchant_id: merchantId, status: 'assembling' });
  const dates = assembling.map((row) => row.settlement_date);
  const schedule = await read.one(SCHEDULES, { id: merchantId });
  if (schedule && schedule.due_ms !== null && schedule.due_ms <= deps.clockOf(schedule.tenant_id).now())
    dates.push(settlementDateOf(zoneOf(schedule, merchant), schedule.due_ms, schedule.delay_days));
  return dates.toSorted()[0] ?? null;
}

/** Job that settles each merchant at its cutoffs. Missed cutoffs are made up one after the other. */
export function settleJob(deps: Dependencies): Job<ScheduleRow> {
  return {
    name: SETTLE_JOB,
    table: SCHEDULES,
    clock: 'tenant',
    countedAs: 'settlements',
    concurrency: CONCURRENCY,
    leaseMs: LEASE_MS,
    nextDue: async (row, nowMs) =>
      cutoffAfter(row, zoneOf(row, await deps.merchantFor({ tenantId: row.tenant_id, merchantId: null }, row.id)), nowMs),
    async run(row) {
      const { tenant_id, id, fence } = row;
      const merchant = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, id);
      const dueMs = row.due_ms ?? 0;
      const idempotencyKey = keyNameOf(row);
      const origin = idempotencyKey ? 'manual' : 'schedule';
      const settlementIds = dueMs > 0 ? await settleUpTo(deps, { merchant, schedule: row, beforeMs: dueMs, origin }) : [];
      const unsettledSpan = await unsettledSpanOf(deps, tenant_id, id);
      await deps.database.unitOfWork.transaction(tenant_id, async (work) => {
        const claimed = await work.lockOne(SCHEDULES, { id });
        if (claimed?.fence !== fence) return;
        const now = deps.clockOf(tenant_id).now();
        // Days without payments are skipped.
        const fromMs = unsettledSpan === null ? now : Math.min(now, Date.parse(unsettledSpan.oldest));
        await work.update(
          SCHEDULES,
          { id, fence },
          {
            ...released(await cutoffIn(deps, work, claimed, Math.max(dueMs, fromMs))),
            ...NO_IDEMPOTENCY_KEY,
          },
        );
        // The original request has ended; a retry gets the stored response.
        if (idempotencyKey) {
          const rows = await work.find(SETTLEMENTS, { merchant_id: id, cutoff_at: isoTime(dueMs) }, { orderBy: [['id', 'asc']] });
          await deps.idempotencyKeys.completeInWork(
            work,
            idempotencyKey,
            deps.renderResponse(idempotencyKey.route, { settlements: rows.map(toSettlement) }),
          );
        }
      });
      return settlementIds.length > 0 ? 'settled' : 'skipped';
    },
  };
}

/** Returns the times of the oldest and newest line that belongs to no settlement yet; null if there is none. */
async function unsettledSpanOf(
  deps: Dependencies,
  tenantId: string,
  merchantId: string,
): Promise<{ readonly oldest: string; readonly newest: string } | null> {
  const spans = (
    await Promise.all([deps.payments.unsettledSpan(tenantId, merchantId), deps.disputes.unsettledSpan(tenantId, merchantId)])
  ).filter((span) => span !== null);
  const [oldest] = spans.map((span) => span.oldest).toSorted();
  const newest = spans
    .map((span) => span.newest)
    .toSorted()
    .at(-1);
  return oldest === undefined || newest === undefined ? null : { oldest, newest };
}

/** Settles everything captured and refunded until now. @throws ServiceError RESOURCE_CONFLICT while the merchant is being settled. */
export async function settleNow(deps: Dependencies, actor: Actor, merchantId: string): Promise<Settlement[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const now = deps.clockOf(actor.tenantId).now();
  // A workstation whose clock is ahead may have recorded payments with a time in the future of this one.
  const unsettledSpan = await unsettledSpanOf(deps, actor.tenantId, merchantId);
  const beforeMs = timeAfter(later(now, 1), unsettledSpan?.newest ?? isoTime(now));
  const schedule = await withClaimedKey(() => claimSchedule(deps, actor, merchantId, beforeMs));
  let settlementIds: string[];
  try {
    settlementIds = await settleUpTo(deps, { merchant, schedule, beforeMs, origin: 'manual' });
  } catch (error) {
    // The row is due, so the scheduler completes the settlement and stores the response.
    await releaseSchedule(deps, schedule, async () => released(beforeMs));
    throw error;
  }
  return releaseSchedule(
    deps,
    schedule,
    async (claimed, work) => ({ ...released(await cutoffIn(deps, work, claimed, now)), ...NO_IDEMPOTENCY_KEY }),
    async (work) => {
      const settlements: Settlement[] = [];
      for (const id of settlementIds) {
        const row = await work.one(SETTLEMENTS, { id });
        if (row) settlements.push(toSettlement(row));
      }
      if (actor.idempotencyKey)
        await deps.idempotencyKeys.completeInWork(
          work,
          actor.idempotencyKey,
          deps.renderResponse(actor.idempotencyKey.route, { settlements }),
        );
      return settlements;
    },
  );
}

/** Releases the schedule with the changes of `set`, unless another process has claimed it. */
async function releaseSchedule<Answer>(
  deps: Dependencies,
  { tenant_id, id, fence }: ScheduleRow,
  set: (claimed: ScheduleRow, work: Work) => Promise<Partial<ScheduleRow>>,
  answer: (work: Work) => Promise<Answer> = async () => undefined as Answer,
): Promise<Answer> {
  return deps.database.unitOfWork.transaction(tenant_id, async (work) => {
    const claimed = await work.lockOne(SCHEDULES, { id });
    if (claimed?.fence === fence) await work.update(SCHEDULES, { id }, await set(claimed, work));
    return answer(work);
  });
}

/**
 * Claims the schedule as the scheduler does, so that nobody else settles the merchant. It stays due until it is released, so that an
 * interrupted settlement is completed, and stores the idempotency key of the waiting request.
 */
async function claimSchedule(deps: Dependencies, actor: Actor, merchantId: string, dueMs: TenantTime): Promise<ScheduleRow> {
  return deps.database.unitOfWork.transaction(actor.tenantId, async (work) => {
    deps.idempotencyKeys.claim(work, actor);
    const row = await claimRow(deps.database, work, SCHEDULES, merchantId, LEASE_MS);
    // If the server of a request stopped, the schedule keeps its idempotency key until the scheduler has completed the settlement.
    if (row === null || row.idempotency_key !== null)
      throw new ServiceError('RESOURCE_CONFLICT', 'A settlement of this merchant is running. Wait until it is done.', {
        details: { reason: 'settlement_in_progress', retryAfter: 1 },
      });
    const set = { due_ms: dueMs, ...idempotencyColumns(actor) };
    await work.update(SCHEDULES, { id: merchantId }, set);
    return { ...row, ...set };
  });
}
