import type { PageOf, Work } from '#core/database';
import type { ChangeEvents } from '#core/domain-events';
import { type Actor, parseDate, ServiceError } from '#core/kernel';
import { batchJob, batchOf, concludeBatch } from './batch.ts';
import { type FundingQuery, fundingLines, fundingReport, fundingStream } from './funding.ts';
import { type FundingMail, mailReport } from './funding-mail.ts';
import { batchLines, lines, unsettledLines } from './lines.ts';
import { type By, type Needs, SETTLE_JOB } from './needs.ts';
import { type BatchInput, makeBatch, type PayoutInput, payOut } from './payout.ts';
import { batch, batches, type HistoryFilter, history, type PayoutFilter, payout, payouts, rowOf } from './read.ts';
import { beginAt, beginSchedule, changeSchedule, getSchedule, type ScheduleChange, settleJob, settleNow, zoneChanged } from './schedule.ts';
import { PAYOUT_LINES, PAYOUTS, SCHEDULES, SETTLEMENTS } from './schema.ts';
import { type Settlement, toSettlement } from './settlement.ts';
import { standing } from './standing.ts';

export type { BatchPayout } from './batch-payout.ts';
export { cutoffAfter } from './calendar.ts';
export { feeOf } from './fees.ts';
export type { FundingReport, FundingStream, FundingSums } from './funding.ts';
export type { BatchLine, SettlementLine, UnsettledLine } from './lines.ts';
export type { Ending } from './needs.ts';

export { type HistoryFilter, type PayoutFilter, settledBetween } from './read.ts';
export { READABLE_SETTLEMENTS } from './read-model.ts';
export type { Schedule, ScheduleChange } from './schedule.ts';
export type { Payout, Settlement } from './settlement.ts';
export type { Standing } from './standing.ts';
export { beginSchedule };

export const TABLES = [SCHEDULES, SETTLEMENTS, PAYOUTS, PAYOUT_LINES];

/** From takings to the merchant's bank: settlements, payouts and batches of them (specification 2.8, 4.13; decisions 9, 11). */
export function createSettlement(on: Needs) {
  on.scheduler.register(settleJob(on));
  on.scheduler.register(batchJob(on));
  const get = async (by: By, settlementId: string): Promise<Settlement> => toSettlement(await rowOf(on, by, settlementId));
  return {
    getSchedule: (by: By, merchantId: string) => getSchedule(on, by, merchantId),
    changeSchedule: (by: Actor, merchantId: string, change: ScheduleChange) => changeSchedule(on, by, merchantId, change),
    /** Plans anew when a merchant is settled that moves to another zone, in the work that moves it. */
    timeZoneChanged: (work: Work, { merchantId, timeZone }: ChangeEvents['merchant.time-zone-changed']) =>
      zoneChanged(on, work, merchantId, timeZone),
    get,
    history: (by: By, merchantId: string, filter: HistoryFilter, at: PageOf) => history(on, by, merchantId, filter, at),
    lines: (by: By, settlementId: string, at: PageOf) => lines(on, by, settlementId, at),
    standing: (by: By, merchantId?: string) => standing(on, by, merchantId),
    unsettledLines: (by: By, of: { merchantId?: string; currency?: string }, at: PageOf) => unsettledLines(on, by, of, at),
    fundingReport: (by: By, of: FundingQuery, at: PageOf) => fundingReport(on, by, of, at),
    fundingStream: (by: By, of: FundingQuery) => fundingStream(on, by, of),
    fundingLines: (by: By, of: FundingQuery) => fundingLines(on, by, of),
    mailReport: (by: Actor, of: FundingMail) => mailReport(on, by, of),
    payOut: (by: Actor, input: PayoutInput) => payOut(on, by, input),
    payout: (by: By, payoutId: string) => payout(on, by, payoutId),
    payouts: (by: By, filter: PayoutFilter, at: PageOf) => payouts(on, by, filter, at),
    /** Bundles what is unpaid of a period into one batch. INVALID_DATE, VALIDATION_ERROR; INVALID_AMOUNT (422) where nothing is. */
    async makeBatch(by: Actor, of: BatchInput) {
      if (parseDate(of.endDate, 'endDate') < parseDate(of.startDate, 'startDate'))
        throw new ServiceError('VALIDATION_ERROR', 'endDate must not be before startDate.', { field: 'endDate' });
      return makeBatch(on, by, of);
    },
    batch: async (by: By, batchId: string) => batch(on, by.tenantId, await batchOf(on, by, batchId)),
    batchLines: async (by: By, batchId: string) => batchLines(on, by, await batchOf(on, by, batchId)),
    batches: (by: By, filter: PayoutFilter, at: PageOf) => batches(on, by, filter, at),
    concludeBatch: (by: Actor, batchId: string, of: { status: 'paid' | 'failed'; note?: string }) => concludeBatch(on, by, batchId, of),
    /** Settles by hand what was taken and given back until now; without anything to settle the answer is empty. */
    settle: (by: Actor, merchantId: string): Promise<Settlement[]> => settleNow(on, by, merchantId),
    /** Has every merchant of a tenant settled from a past day on, for a history that is being made. */
    beginAt: (tenantId: string, fromMs: number) => beginAt(on, tenantId, fromMs),
    /** Settles what is due of a tenant by now, without waiting for the scheduler. */
    catchUp: (tenantId: string): Promise<string[]> => on.scheduler.drain(SETTLE_JOB, tenantId),
  };
}
