import type { Work } from '#core/database';
import { type Actor, isoTime, isTimeZone, later, ServiceError, type TenantTime, timeAfter } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { ANSWERED, onceColumns, onceNameOf, onceOnly } from '#core/platform/idempotency';
import { claimRow, type Job, released } from '#core/platform/scheduling';
import { cutoffAfter } from './calendar.ts';
import { type By, type Needs, SETTLE_JOB } from './needs.ts';
import { type Frequency, SCHEDULES, type ScheduleRow, SETTLEMENTS } from './schema.ts';
import { LEASE_MS, settleUpTo } from './settle.ts';
import { type Settlement, toSettlement } from './settlement.ts';

const AT_ONCE = 4;

/** When a merchant's takings are settled (decisions 9). */
export interface Schedule {
  readonly frequency: Frequency;
  readonly cutoffTime: string;
  readonly delayDays: number;
  readonly timezone: string;
  /** `merchant` if the schedule follows the merchant's time zone, `schedule` if it has one of its own. */
  readonly timezoneSource: 'merchant' | 'schedule';
  /** 1 is Monday; for weekly ones. */
  readonly weekday: number;
  /** For monthly ones. */
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
    ...ANSWERED,
    due_ms: cutoffAfter(rule, timeZone, nowMs),
    lease_ms: 0,
    fence: 0,
    updated_at: isoTime(nowMs),
  });
}

/** Has every merchant of a tenant settled from a past day on. */
export async function beginAt(on: Needs, tenantId: string, fromMs: number): Promise<void> {
  for (const row of await on.database.read(tenantId).find(SCHEDULES, { tenant_id: tenantId })) {
    const merchant = await on.merchantFor({ tenantId, merchantId: null }, row.id);
    const due_ms = cutoffAfter(row, zoneOf(row, merchant), fromMs);
    await on.database.unitOfWork.run(tenantId, (work) => work.update(SCHEDULES, { id: row.id }, { due_ms }));
  }
}

/**
 * Plans the next cutoff of a merchant that moves to another zone, in the work that moves it. A cutoff that has come stays; whoever is settling at this
 * moment plans by the new zone at its end.
 */
export async function zoneChanged(on: Needs, work: Work, merchantId: string, timeZone: string): Promise<void> {
  const row = await work.lockOne(SCHEDULES, { id: merchantId });
  if (!row || row.timezone !== null) return;
  const now = on.clockOf(row.tenant_id).now();
  if (row.due_ms === null || row.due_ms <= now || row.lease_ms > 0) return;
  await work.update(SCHEDULES, { id: merchantId }, { due_ms: cutoffAfter(row, timeZone, now) });
  work.afterCommit(() => {
    on.scheduler.wake(SETTLE_JOB);
    on.changed(row.tenant_id, 'settlement');
  });
}

/** The cutoff after an instant, in the zone that holds as the work goes on. */
async function cutoffIn(on: Needs, work: Work, row: ScheduleRow, afterMs: number): Promise<TenantTime | null> {
  return cutoffAfter(row, row.timezone ?? (await on.zoneIn(work, row.id)), afterMs);
}

export async function getSchedule(on: Needs, by: By, merchantId: string): Promise<Schedule> {
  const merchant = await on.merchantFor(by, merchantId);
  const row = await scheduleOf(on, by.tenantId, merchantId);
  return shown(row, merchant, nextOf(on, row, merchant));
}

export async function scheduleOf(on: Needs, tenantId: string, merchantId: string): Promise<ScheduleRow> {
  const row = await on.database.read(tenantId).one(SCHEDULES, { id: merchantId });
  if (!row) throw new Error('every merchant has a schedule');
  return row;
}

/** The next cutoff as it is told: one that is due at this moment is the one after. */
export function nextOf(on: Needs, row: ScheduleRow, merchant: Merchant): number | null {
  return cutoffAfter(row, zoneOf(row, merchant), on.clockOf(row.tenant_id).now());
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
export async function changeSchedule(on: Needs, by: Actor, merchantId: string, change: ScheduleChange): Promise<Schedule> {
  const merchant = await on.merchantFor(by, merchantId);
  return on.database.unitOfWork.run(by.tenantId, async (work) => {
    const row = await work.lockOne(SCHEDULES, { id: merchantId });
    if (!row) throw new Error('every merchant has a schedule');
    const now = timeAfter(on.clockOf(by.tenantId).now(), row.updated_at);
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
    const due_ms = isDue ? row.due_ms : await cutoffIn(on, work, next, now);
    // Whoever is settling at this moment goes on, and then looks at the rule anew.
    const { tenant_id: _, id: __, lease_ms: ___, fence: ____, ...set } = { ...next, due_ms };
    await work.update(SCHEDULES, { id: merchantId }, set);
    const before = shown(row, merchant, row.due_ms);
    const after = shown(next, merchant, cutoffAfter(next, zoneOf(next, merchant), now));
    on.audit(work, {
      by,
      action: 'settlement_schedule.updated',
      resource: `settlement/schedule/${merchantId}`,
      merchantId,
      before: { ...before },
      after: { ...after },
    });
    work.afterCommit(() => {
      on.scheduler.wake(SETTLE_JOB);
      on.changed(by.tenantId, 'settlement');
    });
    return after;
  });
}

/** Settles at each merchant's cutoffs, those that were missed one after the other (specification 2.8, decisions 9). */
export function settleJob(on: Needs): Job<ScheduleRow> {
  return {
    name: SETTLE_JOB,
    table: SCHEDULES,
    clock: 'tenant',
    counts: 'settlements',
    atOnce: AT_ONCE,
    leaseMs: LEASE_MS,
    async run(row) {
      const { tenant_id, id, fence } = row;
      const merchant = await on.merchantFor({ tenantId: tenant_id, merchantId: null }, id);
      const dueMs = row.due_ms ?? 0;
      const waits = onceNameOf(row);
      const origin = waits ? 'manual' : 'schedule';
      const made = dueMs > 0 ? await settleUpTo(on, { merchant, schedule: row, beforeMs: dueMs, origin }) : [];
      const left = await on.payments.unsettledSpan(tenant_id, id);
      await on.database.unitOfWork.run(tenant_id, async (work) => {
        const held = await work.lockOne(SCHEDULES, { id });
        if (held?.fence !== fence) return;
        const now = on.clockOf(tenant_id).now();
        // Days on which nothing was taken are passed over.
        const from = left === null ? now : Math.min(now, Date.parse(left.oldest));
        await work.update(
          SCHEDULES,
          { id, fence },
          {
            ...released(await cutoffIn(on, work, held, Math.max(dueMs, from))),
            ...ANSWERED,
          },
        );
        // Whoever began it by hand is gone; a repeat of the request is told what came of it.
        if (waits) {
          const rows = await work.find(SETTLEMENTS, { merchant_id: id, cutoff_at: isoTime(dueMs) }, { orderBy: [['id', 'asc']] });
          await on.once.finishIn(work, waits, on.renderAnswer(waits.route, { settlements: rows.map(toSettlement) }));
        }
      });
      return made.length > 0 ? 'settled' : 'skipped';
    },
  };
}

/** Settles by hand what was taken and given back until now. RESOURCE_CONFLICT while the merchant is being settled already. */
export async function settleNow(on: Needs, by: Actor, merchantId: string): Promise<Settlement[]> {
  const merchant = await on.merchantFor(by, merchantId);
  const now = on.clockOf(by.tenantId).now();
  // A station whose clock is ahead may have taken it at a time that is still to come here.
  const left = await on.payments.unsettledSpan(by.tenantId, merchantId);
  const beforeMs = timeAfter(later(now, 1), left?.newest ?? isoTime(now));
  const schedule = await onceOnly(() => hold(on, by, merchantId, beforeMs));
  let made: string[];
  try {
    made = await settleUpTo(on, { merchant, schedule, beforeMs, origin: 'manual' });
  } catch (error) {
    // Due as it is, the scheduler ends what was begun, and answers the key.
    await giveBack(on, schedule, async () => released(beforeMs));
    throw error;
  }
  return giveBack(
    on,
    schedule,
    async (held, work) => ({ ...released(await cutoffIn(on, work, held, now)), ...ANSWERED }),
    async (work) => {
      const settlements: Settlement[] = [];
      for (const id of made) {
        const row = await work.one(SETTLEMENTS, { id });
        if (row) settlements.push(toSettlement(row));
      }
      if (by.once) await on.once.finishIn(work, by.once, on.renderAnswer(by.once.route, { settlements }));
      return settlements;
    },
  );
}

/** Gives the schedule back with `set`, unless somebody else has taken it over. */
async function giveBack<Answer>(
  on: Needs,
  { tenant_id, id, fence }: ScheduleRow,
  set: (held: ScheduleRow, work: Work) => Promise<Partial<ScheduleRow>>,
  answer: (work: Work) => Promise<Answer> = async () => undefined as Answer,
): Promise<Answer> {
  return on.database.unitOfWork.run(tenant_id, async (work) => {
    const held = await work.lockOne(SCHEDULES, { id });
    if (held?.fence === fence) await work.update(SCHEDULES, { id }, await set(held, work));
    return answer(work);
  });
}

/**
 * Takes the schedule as the scheduler would: nobody else settles the merchant meanwhile. It is due until it is given back, so that what is begun is ended,
 * and names the key of the request that waits for it.
 */
async function hold(on: Needs, by: Actor, merchantId: string, dueMs: TenantTime): Promise<ScheduleRow> {
  return on.database.unitOfWork.run(by.tenantId, async (work) => {
    on.once.open(work, by);
    const row = await claimRow(on.database, work, SCHEDULES, merchantId, LEASE_MS);
    // A request whose server stopped has its key on the schedule until the scheduler ends what it began.
    if (row === null || row.once_key !== null)
      throw new ServiceError('RESOURCE_CONFLICT', 'This merchant is being settled at this moment; wait for it.', {
        details: { reason: 'settlement_in_progress', retryAfter: 1 },
      });
    const set = { due_ms: dueMs, ...onceColumns(by) };
    await work.update(SCHEDULES, { id: merchantId }, set);
    return { ...row, ...set };
  });
}
