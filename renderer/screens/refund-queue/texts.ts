import type { QueueEntry } from '#renderer/client';
import { dateFormat } from '#renderer/dates';
import { formatDuration } from '#renderer/ui';

/** Explanations of bank return codes for the user (specification 7.6). */
const BANK_RETURN_REASONS: Readonly<Record<string, string>> = {
  R01: 'Not enough money in the account',
  R02: 'Account closed',
  R03: 'No such account',
  R04: 'Account number not valid',
  R05: 'Debit not authorized',
  R07: 'Authorization revoked',
  R10: 'Not authorized',
  R29: 'Not authorized by the business',
};

export function reasonOf({ declineCode, declineReason }: Pick<QueueEntry, 'declineCode' | 'declineReason'>): string {
  return BANK_RETURN_REASONS[declineCode] ?? declineReason;
}

/** Returns the number of attempts and the maximum: "1 of 3". */
export function attemptsText({ attemptCount, maxAttempts }: QueueEntry): string {
  return `${attemptCount} of ${maxAttempts}`;
}

/** Time until the next attempt, by the tenant's clock. */
export function nextRetryText({ status, scheduledRetryAt }: QueueEntry, nowMs: number): string {
  if (status === 'processing') return 'now';
  if (scheduledRetryAt === null) return '';
  const leftMs = Date.parse(scheduledRetryAt) - nowMs;
  return leftMs <= 0 ? 'due' : `in ${formatDuration(leftMs)}`;
}

/** Describes the next step of a declined refund. */
export function nextStepText(entry: QueueEntry, money: string, timeZone: string): string {
  const { status, maxAttempts, attemptCount, scheduledRetryAt } = entry;
  switch (status) {
    case 'pending':
      return `Next retry within 5 min. After ${maxAttempts} attempts, we stop and ${money} can be refunded again.`;
    case 'retry': {
      const at = scheduledRetryAt === null ? 'soon' : `at ${timeText(scheduledRetryAt, timeZone)}`;
      const left = maxAttempts - attemptCount;
      return `Next retry ${at}. After ${left === 1 ? 'that attempt' : `${left} more attempts`}, we stop and ${money} can be refunded again.`;
    }
    case 'processing':
      return 'Retrying now. The result appears here automatically.';
    case 'failed':
      return `All ${maxAttempts} attempts were declined. The customer is still owed ${money}. Refund it another way and resolve this, retry, or cancel.`;
    case 'resolved':
      return `The customer has received ${money}.`;
    default:
      return `Canceled. ${money} can be refunded again.`;
  }
}

function timeText(at: string, timeZone: string): string {
  return dateFormat({ timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}
