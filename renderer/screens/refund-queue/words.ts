import type { QueueEntry } from '#renderer/client';
import { dateFormat } from '#renderer/dates';
import { stretch } from '#renderer/ui';

/** Explanations of bank return codes for the user (specification 7.6). */
const REASONS: Readonly<Record<string, string>> = {
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
  return REASONS[declineCode] ?? declineReason;
}

/** "Attempt 1 of 3": the next one while it is open, the last one made otherwise. */
export function attemptOf({ attemptCount, maxAttempts }: QueueEntry): string {
  return `${attemptCount} of ${maxAttempts}`;
}

/** Time until the next attempt, by the tenant's clock. */
export function nextTry({ status, scheduledRetryAt }: QueueEntry, nowMs: number): string {
  if (status === 'processing') return 'now';
  if (scheduledRetryAt === null) return '';
  const leftMs = Date.parse(scheduledRetryAt) - nowMs;
  return leftMs <= 0 ? 'due' : `in ${stretch(leftMs)}`;
}

/** One sentence of what comes next. */
export function whatComesNext(entry: QueueEntry, figure: string, timeZone: string): string {
  const { status, maxAttempts, attemptCount, scheduledRetryAt } = entry;
  switch (status) {
    case 'pending':
      return `Tried again at the next round, within five minutes; after ${maxAttempts} tries it stops and ${figure} is free again.`;
    case 'retry': {
      const at = scheduledRetryAt === null ? 'soon' : `at ${timeOf(scheduledRetryAt, timeZone)}`;
      const left = maxAttempts - attemptCount;
      return `Tries again ${at}; after ${left === 1 ? 'that' : `${left} more tries`} it stops and ${figure} is free again.`;
    }
    case 'processing':
      return 'It is being tried right now. The answer appears here by itself.';
    case 'failed':
      return `All ${maxAttempts} tries were declined. The customer is still owed ${figure}: give it back another way and resolve this, try again, or cancel.`;
    case 'resolved':
      return `The customer has ${figure} back.`;
    default:
      return `Given up; ${figure} is free again.`;
  }
}

function timeOf(at: string, timeZone: string): string {
  return dateFormat({ timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}
