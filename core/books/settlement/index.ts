import { lit } from '#core/database';
import { type Actor, bind, type Caller, checkPeriod, type Period } from '#core/kernel';
import { countObstacles } from '#core/processing/domain-events';
import { READABLE_UNSETTLED_LINES } from '#core/records/ledger';
import { batchActions, batchJob, batchOf, concludeBatch } from './batch.ts';
import { type Dependencies, SETTLE_JOB } from './dependencies.ts';
import { fundingLines, fundingReport, fundingStream } from './funding.ts';
import { mailFundingReport } from './funding-mail.ts';
import { batchLines, lines, unsettledLines } from './lines.ts';
import { type BatchInput, makeBatch, payOut } from './payout.ts';
import { batch, batches, findSettlement, history, payout, payouts } from './read.ts';
import type { Settlement } from './records.ts';
import { beginAt, beginSchedule, changeSchedule, getSchedule, settleJob, settleNow, settlingFrom, zoneChanged } from './schedule.ts';
import { PAYOUT_LINES, PAYOUTS, SCHEDULES, SETTLEMENTS } from './schema.ts';
import { toSettlement } from './settlement.ts';
import { settlementSummary } from './summary.ts';

export { BATCH_RESULTS } from './batch.ts';
export { cutoffAfter } from './calendar.ts';
export type { SettlementResult } from './dependencies.ts';
export { feeOf } from './fees.ts';
export type { FundingPage, FundingStream } from './funding.ts';
export type { BatchLine } from './lines.ts';

export { type HistoryFilter, type PayoutFilter, settledBetween } from './read.ts';
export { READABLE_PAYOUTS, READABLE_SETTLEMENTS } from './read-model.ts';
export {
  FundingReport,
  FundingTotals,
  Payout,
  PayoutBatch,
  Settlement,
  SettlementLine,
  SettlementSchedule,
  SettlementStatus,
  UnsettledLine,
} from './records.ts';
export type { ScheduleChange } from './schedule.ts';
export { beginSchedule };

export const TABLES = [SCHEDULES, SETTLEMENTS, PAYOUTS, PAYOUT_LINES];

/** Settlements, payouts and payout batches: from sales to the merchant's bank. */
export function createSettlement(deps: Dependencies) {
  deps.scheduler.register(settleJob(deps));
  deps.scheduler.register(batchJob(deps));
  const get = async (actor: Caller, settlementId: string): Promise<Settlement> =>
    toSettlement(await findSettlement(deps, actor, settlementId));
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(READABLE_UNSETTLED_LINES, 'unsettled_payments', (lines) => lines('n', '>', 0), 'n'),
      countObstacles(SETTLEMENTS, 'unpaid_settlements', (settlement) => settlement('status', '<>', lit('paid'))),
      countObstacles(PAYOUTS, 'open_payouts', (payout) => payout('status', 'in', [lit('pending'), lit('processing')])),
    ],
    ...bind(deps, { getSchedule, changeSchedule, timeZoneChanged: zoneChanged }),
    get,
    ...bind(deps, {
      history,
      lines,
      summary: settlementSummary,
      unsettledLines,
      fundingReport,
      fundingStream,
      fundingLines,
      mailReport: mailFundingReport,
    }),
    ...bind(deps, { payOut, payout, payouts }),
    /**
     * Bundles the unpaid settlements of a period into one batch. @throws ServiceError INVALID_DATE, VALIDATION_ERROR; INVALID_AMOUNT (422)
     * if there is nothing to pay.
     */
    async makeBatch(actor: Actor, input: BatchInput) {
      checkPeriod(input);
      return makeBatch(deps, actor, input);
    },
    /** Returns a batch with what can be done with it now. */
    async getBatch(actor: Caller, batchId: string) {
      const row = await batchOf(deps, actor, batchId);
      return { ...(await batch(deps, actor.tenantId, row)), actions: await batchActions(row) };
    },
    batchLines: async (actor: Caller, batchId: string, period: Period = {}) =>
      batchLines(deps, actor, await batchOf(deps, actor, batchId), period),
    ...bind(deps, { batches, concludeBatch }),
    ...bind(deps, { settle: settleNow, beginAt, settlingFrom }),
    /** Makes the due settlements of a tenant without waiting for the scheduler. */
    catchUp: (tenantId: string): Promise<string[]> => deps.scheduler.runDue(SETTLE_JOB, tenantId),
  };
}
