import type { Work } from '#core/database';
import { type Actor, isoTime, isTimeZone, later, ServiceError, type TenantTime, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { idempotencyColumns, keyNameOf, NO_IDEMPOTENCY_KEY, runOnce } from '#core/platform/idempotency';
import { claimRow, type Job, released } from '#core/platform/scheduling';
import { cutoffAfter } from './calendar.ts';
import { type By, type Dependencies, SETTLE_JOB } from './dependencies.ts';
import { type Frequency, SCHEDULES, type ScheduleRow, SETTLEMENTS } from './schema.ts';
import { LEASE_MS, settleUpTo } from './settle.ts';
import { type Settlement, toSettlement } from './settlement.ts';

const AT_ONCE = 4;

/** Settlement schedule of a merchant (decisions 9). */
export interface Schedule {
  readonly frequency: Frequency;
  readonly cutoffTime: string;
  readonly delayDays: number;
  readonly timezone: string;
  /** `merchant` if the schedule follows the merchant's time zone, `schedule` if it has its own. */
  readonly timezoneSource: 'merchant' | 'schedule';
  /** 1 is Monday; for weekly ones. */
  readonly weekday: number;
  /** Day of monthly schedules. */
  readonly dayOfMonth: number;
  readonly nextCutoffAt: string | null;
}

export type ScheduleChange = Partial<Omit<Schedule, 'nextCutoffAt'>>;

function shown(row: ScheduleRow, merchant: Merchant, nextMs: number | null): Schedule {
  return {
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

/** The schedule of a new merchant, in the work that makes it: daily at midnight. */
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

/** Settles every merchant of a tenant from a past day on. */
export async function beginAt(deps: Dependencies, tenantId: string, fromMs: number): Promise<void> {
  for (const row of await deps.database.read(tenantId).find(SCHEDULES, { tenant_id: tenantId })) {
    const merchant = await deps.merchantFor({ tenantId, merchantId: null }, row.id);
    const due_ms = cutoffAfter(row, zoneOf(row, merchant), fromMs);
    await deps.database.unitOfWork.run(tenantId, (work) => work.update(SCHEDULES, { id: row.id }, { due_ms }));
  }
}

/**
 * Reschedules the next cutoff of a merchant whose time zone changes, in the unit of work of the change. A cutoff that has passed stays; a
 * settlement under way uses the new zone at its end.
 */
export async function zoneChanged(deps: Dependencies, work: Work, merchantId: string, timeZone: string): Promise<void> {
  const row = await work.lockOne(SCHEDULES, { id: merchantId });
  if (!row || row.timezone !== null) return;
  const now = deps.clockOf(row.tenant_id).now();
  if (row.due_ms === null || row.due_ms <= now || row.lease_ms > 0) return;
  await work.update(SCHEDULES, { id: merchantId }, { due_ms: cutoffAfter(row, timeZone, now) });
  work.afterCommit(() => {
    deps.scheduler.wake(SETTLE_JOB);
    deps.changed(row.tenant_id, 'settlement');
  });
}

/** Returns the cutoff after an instant, in the zone as the unit of work sees it. */
async function cutoffIn(deps: Dependencies, work: Work, row: ScheduleRow, afterMs: number): Promise<TenantTime | null> {
  return cutoffAfter(row, row.timezone ?? (await deps.zoneIn(work, row.id)), afterMs);
}

export async function getSchedule(deps: Dependencies, actor: By, merchantId: string): Promise<Schedule> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const row = await scheduleOf(deps, actor.tenantId, merchantId);
  return shown(row, merchant, nextOf(deps, row, merchant));
}

export async function scheduleOf(deps: Dependencies, tenantId: string, merchantId: string): Promise<ScheduleRow> {
  const row = await deps.database.read(tenantId).one(SCHEDULES, { id: merchantId });
  if (!row) throw new Error('every merchant has a schedule');
  return row;
}

/** Returns the next cutoff as shown to users. If one is due right now, returns the following one. */
export function nextOf(deps: Dependencies, row: ScheduleRow, merchant: Merchant): number | null {
  return cutoffAfter(row, zoneOf(row, merchant), deps.clockOf(row.tenant_id).now());
}

/** Returns the time zone of a changed schedule: null if it follows the merchant's. VALIDATION_ERROR on `timezone`. */
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

/** Changes the fields that are given, from the next cutoff on. */
export async function changeSchedule(deps: Dependencies, actor: Actor, merchantId: string, change: ScheduleChange): Promise<Schedule> {
  const merchant = await deps.merchantFor(actor, merchantId);
  return deps.database.unitOfWork.run(actor.tenantId, async (work) => {
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
    // A cutoff that has come and is not made yet is made by the rule that it came by.
    const isDue = row.due_ms !== null && row.due_ms <= now;
    const due_ms = isDue ? row.due_ms : await cutoffIn(deps, work, next, now);
    // A settlement under way continues, and then evaluates the changed rule.
    const { tenant_id: _, id: __, lease_ms: ___, fence: ____, ...set } = { ...next, due_ms };
    await work.update(SCHEDULES, { id: merchantId }, set);
    const before = shown(row, merchant, row.due_ms);
    const after = shown(next, merchant, cutoffAfter(next, zoneOf(next, merchant), now));
    deps.audit(work, {
      actor,
      action: 'settlement_schedule.updated',
      resource: `settlement/schedule/${merchantId}`,
      merchantId,
      before: { ...before },
      after: { ...after },
    });
    work.afterCommit(() => {
      deps.scheduler.wake(SETTLE_JOB);
      deps.changed(actor.tenantId, 'settlement');
    });
    return after;
  });
}

/** Settles at each merchant's cutoffs, those that were missed one after the other (specification 2.8, decisions 9). */
export function settleJob(deps: Dependencies): Job<ScheduleRow> {
  return {
    name: SETTLE_JOB,
    table: SCHEDULES,
    clock: 'tenant',
    counts: 'settlements',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(row) {
      const { tenant_id, id, fence } = row;
      const merchant = await deps.merchantFor({ tenantId: tenant_id, merchantId: null }, id);
      const dueMs = row.due_ms ?? 0;
      const waits = keyNameOf(row);
      const origin = waits ? 'manual' : 'schedule';
      const made = dueMs > 0 ? await settleUpTo(deps, { merchant, schedule: row, beforeMs: dueMs, origin }) : [];
      const left = await deps.payments.unsettledSpan(tenant_id, id);
      await deps.database.unitOfWork.run(tenant_id, async (work) => {
        const held = await work.lockOne(SCHEDULES, { id });
        if (held?.fence !== fence) return;
        const now = deps.clockOf(tenant_id).now();
        // Days on which nothing was taken are passed over.
        const from = left === null ? now : Math.min(now, Date.parse(left.oldest));
        await work.update(
          SCHEDULES,
          { id, fence },
          {
            ...released(await cutoffIn(deps, work, held, Math.max(dueMs, from))),
            ...NO_IDEMPOTENCY_KEY,
          },
        );
        // The original request has ended; a retry gets the stored response.
        if (waits) {
          const rows = await work.find(SETTLEMENTS, { merchant_id: id, cutoff_at: isoTime(dueMs) }, { orderBy: [['id', 'asc']] });
          await deps.once.finishIn(work, waits, deps.renderAnswer(waits.route, { settlements: rows.map(toSettlement) }));
        }
      });
      return made.length > 0 ? 'settled' : 'skipped';
    },
  };
}

/** Settles everything captured and refunded until now. @throws ServiceError RESOURCE_CONFLICT while the merchant is being settled. */
export async function settleNow(deps: Dependencies, actor: Actor, merchantId: string): Promise<Settlement[]> {
  const merchant = await deps.merchantFor(actor, merchantId);
  const now = deps.clockOf(actor.tenantId).now();
  // A station whose clock is ahead may have taken it at a time that is still to come here.
  const left = await deps.payments.unsettledSpan(actor.tenantId, merchantId);
  const beforeMs = timeAfter(later(now, 1), left?.newest ?? isoTime(now));
  const schedule = await runOnce(() => hold(deps, actor, merchantId, beforeMs));
  let made: string[];
  try {
    made = await settleUpTo(deps, { merchant, schedule, beforeMs, origin: 'manual' });
  } catch (error) {
    // The row is due, so the scheduler completes the settlement and stores the response.
    await giveBack(deps, schedule, async () => released(beforeMs));
    throw error;
  }
  return giveBack(
    deps,
    schedule,
    async (held, work) => ({ ...released(await cutoffIn(deps, work, held, now)), ...NO_IDEMPOTENCY_KEY }),
    async (work) => {
      const settlements: Settlement[] = [];
      for (const id of made) {
        const row = await work.one(SETTLEMENTS, { id });
        if (row) settlements.push(toSettlement(row));
      }
      if (actor.idempotencyKey)
        await deps.once.finishIn(work, actor.idempotencyKey, deps.renderAnswer(actor.idempotencyKey.route, { settlements }));
      return settlements;
    },
  );
}

/** Releases the schedule with the changes of `set`, unless another process has claimed it. */
async function giveBack<Answer>(
  deps: Dependencies,
  { tenant_id, id, fence }: ScheduleRow,
  set: (held: ScheduleRow, work: Work) => Promise<Partial<ScheduleRow>>,
  answer: (work: Work) => Promise<Answer> = async () => undefined as Answer,
): Promise<Answer> {
  return deps.database.unitOfWork.run(tenant_id, async (work) => {
    const held = await work.lockOne(SCHEDULES, { id });
    if (held?.fence === fence) await work.update(SCHEDULES, { id }, await set(held, work));
    return answer(work);
  });
}

/**
 * Claims the schedule as the scheduler does, so that nobody else settles the merchant. It stays due until it is released, so that an
 * interrupted settlement is completed, and stores the idempotency key of the waiting request.
 */
async function hold(deps: Dependencies, actor: Actor, merchantId: string, dueMs: TenantTime): Promise<ScheduleRow> {
  return deps.database.unitOfWork.run(actor.tenantId, async (work) => {
    deps.once.open(work, actor);
    const row = await claimRow(deps.database, work, SCHEDULES, merchantId, LEASE_MS);
    // A request whose server stopped has its key on the schedule until the scheduler ends what it began.
    if (row === null || row.once_key !== null)
      throw new ServiceError('RESOURCE_CONFLICT', 'This merchant is being settled. Wait until that is done.', {
        details: { reason: 'settlement_in_progress', retryAfter: 1 },
      });
    const set = { due_ms: dueMs, ...idempotencyColumns(actor) };
    await work.update(SCHEDULES, { id: merchantId }, set);
    return { ...row, ...set };
  });
}
