import type { QueueEntry } from '#renderer/base/client';
import { dateFormat } from '#renderer/base/dates';
import { t } from '#renderer/base/language';
import { formatDuration } from '#renderer/kit/ui';

/** Ways in which a refund is paid outside the processor, by the value that is stored. */
export const REFUND_METHODS: Readonly<Record<string, string>> = {
  check: t('check'),
  cash: t('cash'),
  'bank transfer': t('bank transfer'),
  'store credit': t('store credit'),
  other: t('other'),
};

/** Returns the number of attempts and the maximum: "1 of 3". */
export function attemptsText({ attemptCount, maxAttempts }: QueueEntry): string {
  return t('{{attempts}} of {{maximum}}', { attempts: attemptCount, maximum: maxAttempts });
}

/** Time until the next attempt, by the tenant's clock. */
export function nextRetryText({ status, scheduledRetryAt }: QueueEntry, nowMs: number): string {
  if (status === 'processing') return t('now');
  if (scheduledRetryAt === null) return '';
  const leftMs = Date.parse(scheduledRetryAt) - nowMs;
  return leftMs <= 0 ? t('due') : t('in {{duration}}', { duration: formatDuration(leftMs) });
}

/** Describes the next step of a declined refund. */
export function nextStepText(entry: QueueEntry, money: string, timeZone: string): string {
  const { status, maxAttempts, attemptCount, scheduledRetryAt } = entry;
  switch (status) {
    case 'pending':
      return t('Next retry within 5 min. After {{maxAttempts}} attempts, we stop and {{money}} can be refunded again.', {
        maxAttempts,
        money,
      });
    case 'retry': {
      const next =
        scheduledRetryAt === null ? t('Next retry soon.') : t('Next retry at {{time}}.', { time: timeText(scheduledRetryAt, timeZone) });
      const count = maxAttempts - attemptCount;
      return `${next} ${t('After {{count}} more attempts, we stop and {{money}} can be refunded again.', { count, money })}`;
    }
    case 'processing':
      return t('Retrying now. The result appears here automatically.');
    case 'failed':
      return t(
        'All {{maxAttempts}} attempts were declined. The customer is still owed {{money}}. Refund it another way and resolve this, retry, or cancel.',
        { maxAttempts, money },
      );
    case 'resolved':
      return t('The customer has received {{money}}.', { money });
    default:
      return t('Canceled. {{money}} can be refunded again.', { money });
  }
}

function timeText(at: string, timeZone: string): string {
  return dateFormat({ timeZone, month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}
