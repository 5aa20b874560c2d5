import { api, type BatchPayout, type Payout, requestFile, type Settlement, type SettlementSchedule, takeData } from '#renderer/base/client';
import { saveAs } from '#renderer/session/download';
import type { Frequency } from './texts.ts';

/** The fields of a schedule that change. */
export interface ScheduleChange {
  readonly frequency: Frequency;
  readonly cutoffTime?: string;
  readonly delayDays: number;
  readonly timezone?: string;
  readonly weekday?: number;
  readonly dayOfMonth?: number;
}

export const changeSchedule = (merchantId: string, body: ScheduleChange): Promise<SettlementSchedule> =>
  takeData(api.PUT('/api/v1/settlement/schedule/{merchantId}', { params: { path: { merchantId } }, body }));

/** Settles everything captured and refunded until now: one settlement per currency. */
export const settleNow = (merchantId: string, key: string): Promise<Settlement[]> =>
  takeData(api.POST('/api/v1/settlement/settle', { params: { header: { 'Idempotency-Key': key } }, body: { merchantId } }));

export interface PayoutBody {
  readonly merchantId: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
}

/** Records that money was paid out. */
export const payOut = (body: PayoutBody, key: string): Promise<Payout> =>
  takeData(api.POST('/api/v1/settlement/payout', { params: { header: { 'Idempotency-Key': key } }, body }));

export interface Period {
  readonly startDate: string;
  readonly endDate: string;
}

/** Creates a batch of the unpaid settlements of a period. */
export const createBatch = (body: Period & { readonly merchantId: string; readonly currency: string }, key: string): Promise<BatchPayout> =>
  takeData(api.POST('/api/v1/settlement/batch-payouts/generate', { params: { header: { 'Idempotency-Key': key } }, body }));

/** Records the bank's result of a batch. */
export const concludeBatch = (batchId: string, status: 'paid' | 'failed', note: string, key: string): Promise<BatchPayout> =>
  takeData(
    api.POST('/api/v1/settlement/batch-payouts/{batchId}/conclude', {
      params: { path: { batchId }, header: { 'Idempotency-Key': key } },
      body: { status, ...(note !== '' && { note }) },
    }),
  );

/** Sends the funding report by email. */
export const mailReport = (merchantId: string, period: Period, email: string, key: string) =>
  takeData(
    api.POST('/api/v1/settlement/funding-report/email', {
      body: { merchantId, email, ...period },
      params: { header: { 'Idempotency-Key': key } },
    }),
  );

/** Saves the funding report as CSV, with the period in the file name. */
export function saveReport(merchantId: string, period: Period): Promise<void> {
  const query = new URLSearchParams({ merchantId, ...period });
  return saveFile(
    `/api/v1/settlement/funding-report/export/csv?${query}`,
    'POST',
    `funding-report-${period.startDate}-${period.endDate}.csv`,
  );
}

/** Saves all captures and refunds of a batch as CSV. */
export const saveBatch = (batchId: string): Promise<void> =>
  saveFile(`/api/v1/settlement/batch-payouts/${encodeURIComponent(batchId)}/export`, 'GET', `${batchId}.csv`);

async function saveFile(path: `/api/v1/${string}`, method: 'GET' | 'POST', name: string): Promise<void> {
  saveAs(await (await requestFile(path, method)).blob(), name);
}
