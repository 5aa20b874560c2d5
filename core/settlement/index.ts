import type { PageRequest, Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import { type Actor, parseDate, ServiceError } from '#core/kernel';
import { batchJob, batchOf, concludeBatch } from './batch.ts';
import { type By, type Dependencies, SETTLE_JOB } from './dependencies.ts';
import { type FundingQuery, fundingLines, fundingReport, fundingStream } from './funding.ts';
import { type FundingMail, mailReport } from './funding-mail.ts';
import { batchLines, lines, unsettledLines } from './lines.ts';
import { type BatchInput, makeBatch, type PayoutInput, payOut } from './payout.ts';
import { batch, batches, type HistoryFilter, history, type PayoutFilter, payout, payouts, rowOf } from './read.ts';
import { beginAt, beginSchedule, changeSchedule, getSchedule, type ScheduleChange, settleJob, settleNow, zoneChanged } from './schedule.ts';
import { PAYOUT_LINES, PAYOUTS, SCHEDULES, SETTLEMENTS } from './schema.ts';
import { type Settlement, toSettlement } from './settlement.ts';
import { settlementSummary } from './summary.ts';

export type { BatchPayout } from './batch-payout.ts';
export { cutoffAfter } from './calendar.ts';
export type { SettlementResult } from './dependencies.ts';
export { feeOf } from './fees.ts';
export type { FundingReport, FundingStream, FundingSums } from './funding.ts';
export type { BatchLine, SettlementLine, UnsettledLine } from './lines.ts';

export { type HistoryFilter, type PayoutFilter, settledBetween } from './read.ts';
export { READABLE_SETTLEMENTS } from './read-model.ts';
export type { Schedule, ScheduleChange } from './schedule.ts';
export type { Payout, Settlement } from './settlement.ts';
export type { SettlementSummary } from './summary.ts';
export { beginSchedule };

export const TABLES = [SCHEDULES, SETTLEMENTS, PAYOUTS, PAYOUT_LINES];

/** Settlements, payouts and payout batches: from sales to the merchant's bank (specification 2.8, 4.13; decisions 9, 11). */
export function createSettlement(deps: Dependencies) {
  deps.scheduler.register(settleJob(deps));
  deps.scheduler.register(batchJob(deps));
  const get = async (actor: By, settlementId: string): Promise<Settlement> => toSettlement(await rowOf(deps, actor, settlementId));
  return {
    getSchedule: (actor: By, merchantId: string) => getSchedule(deps, actor, merchantId),
    changeSchedule: (actor: Actor, merchantId: string, change: ScheduleChange) => changeSchedule(deps, actor, merchantId, change),
    /** Reschedules the settlements of a merchant whose time zone changes, in the unit of work of the change. */
    timeZoneChanged: (work: Work, { merchantId, timeZone }: ChangeEvents['merchant.time-zone-changed']) =>
      zoneChanged(deps, work, merchantId, timeZone),
    get,
    history: (actor: By, merchantId: string, filter: HistoryFilter, at: PageRequest) => history(deps, actor, merchantId, filter, at),
    lines: (actor: By, settlementId: string, at: PageRequest) => lines(deps, actor, settlementId, at),
    standing: (actor: By, merchantId?: string) => settlementSummary(deps, actor, merchantId),
    unsettledLines: (actor: By, of: { merchantId?: string; currency?: string }, at: PageRequest) => unsettledLines(deps, actor, of, at),
    fundingReport: (actor: By, of: FundingQuery, at: PageRequest) => fundingReport(deps, actor, of, at),
    fundingStream: (actor: By, of: FundingQuery) => fundingStream(deps, actor, of),
    fundingLines: (actor: By, of: FundingQuery) => fundingLines(deps, actor, of),
    mailReport: (actor: Actor, of: FundingMail) => mailReport(deps, actor, of),
    payOut: (actor: Actor, input: PayoutInput) => payOut(deps, actor, input),
    payout: (actor: By, payoutId: string) => payout(deps, actor, payoutId),
    payouts: (actor: By, filter: PayoutFilter, at: PageRequest) => payouts(deps, actor, filter, at),
    /** Bundles what is unpaid of a period into one batch. INVALID_DATE, VALIDATION_ERROR; INVALID_AMOUNT (422) where nothing is. */
    async makeBatch(actor: Actor, of: BatchInput) {
      if (parseDate(of.endDate, 'endDate') < parseDate(of.startDate, 'startDate'))
        throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
      return makeBatch(deps, actor, of);
    },
    batch: async (actor: By, batchId: string) => batch(deps, actor.tenantId, await batchOf(deps, actor, batchId)),
    batchLines: async (actor: By, batchId: string) => batchLines(deps, actor, await batchOf(deps, actor, batchId)),
    batches: (actor: By, filter: PayoutFilter, at: PageRequest) => batches(deps, actor, filter, at),
    concludeBatch: (actor: Actor, batchId: string, of: { status: 'paid' | 'failed'; note?: string }) =>
      concludeBatch(deps, actor, batchId, of),
    /** Settles everything captured and refunded until now. Without anything to settle, the result is empty. */
    settle: (actor: Actor, merchantId: string): Promise<Settlement[]> => settleNow(deps, actor, merchantId),
    /** Settles every merchant of a tenant from a past day on, for sample history. */
    beginAt: (tenantId: string, fromMs: number) => beginAt(deps, tenantId, fromMs),
    /** Settles what is due of a tenant by now, without waiting for the scheduler. */
    catchUp: (tenantId: string): Promise<string[]> => deps.scheduler.drain(SETTLE_JOB, tenantId),
  };
}
