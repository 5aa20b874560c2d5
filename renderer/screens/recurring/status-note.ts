import type { Subscription } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { actorText, dayText } from '#renderer/kit/ui';
import { cancelReasonText, moneyOf, retryTimeText } from './texts.ts';

interface Dunning {
  readonly retryIntervalsDays: readonly number[];
  readonly finalAction: 'cancel' | 'pause';
}

interface StatusNote {
  /** True if a person should act. */
  readonly isWarning: boolean;
  readonly text: string;
}

/** Describes the status of a subscription and the next step. */
export function statusNoteOf(subscription: Subscription, dunning: Dunning | undefined, timeZone: string): StatusNote {
  if (subscription.paymentInProgress)
    return { isWarning: false, text: t('A payment is being processed. The outcome appears here automatically.') };
  switch (subscription.status) {
    case 'active':
      return { isWarning: false, text: activeText(subscription) };
    case 'past_due':
      return { isWarning: true, text: pastDueText(subscription, dunning, timeZone) };
    case 'paused':
      return { isWarning: false, text: pausedText(subscription, timeZone) };
    case 'cancelled':
      return { isWarning: false, text: cancelledText(subscription, timeZone) };
    default:
      return { isWarning: false, text: endedText(subscription, timeZone) };
  }
}

function endedText({ expiredAt, paymentsMade: count }: Subscription, timeZone: string): string {
  return sentences(
    expiredAt === null
      ? t('Ended after {{count, number}} payments.', { count })
      : t('Ended on {{date}} after {{count, number}} payments.', { date: retryTimeText(expiredAt, timeZone), count }),
    t('Nothing more is charged.'),
  );
}

function activeText(subscription: Subscription): string {
  const { nextPaymentDate, endDate, lastResult, lastReason } = subscription;
  if (nextPaymentDate === null)
    return endDate === null
      ? t('No further payments are due. The subscription ends after its end date.')
      : t('No further payments are due. The subscription ends after {{date}}.', { date: dayText(endDate) });
  return sentences(
    t('The next payment is {{date}}.', { date: dayText(nextPaymentDate) }),
    lastResult !== 'failed' && lastReason !== null && t('The last attempt was not sent: {{reason}}', { reason: serviceText(lastReason) }),
  );
}

function pausedText({ pausedAt, lastResult, lastReason }: Subscription, timeZone: string): string {
  return sentences(
    pausedAt === null ? t('Paused.') : t('Paused on {{date}}.', { date: retryTimeText(pausedAt, timeZone) }),
    lastResult === 'failed' && lastReason !== null && t('The last payment was declined: {{reason}}.', { reason: serviceText(lastReason) }),
    t('Nothing is charged until you resume it.'),
  );
}

/** Describes the failed attempts, the next one, and what follows the last one. */
function pastDueText(subscription: Subscription, dunning: Dunning | undefined, timeZone: string): string {
  const { failedAttempts: count, lastReason, nextRetryAt } = subscription;
  const made =
    count === 0
      ? t('The payment could not be processed: {{reason}}', { reason: withFullStop(serviceText(lastReason ?? '')) })
      : lastReason === null
        ? t('{{count, number}} attempts declined.', { count })
        : t('{{count, number}} attempts declined: {{reason}}', { count, reason: withFullStop(serviceText(lastReason)) });
  return sentences(made, nextRetryAt !== null && nextAttemptText(retryTimeText(nextRetryAt, timeZone), count, dunning));
}

function nextAttemptText(date: string, attempts: number, dunning: Dunning | undefined): string {
  if (dunning === undefined) return t('The next attempt is on {{date}}.', { date });
  const left = dunning.retryIntervalsDays.length + 1 - attempts;
  const isPaused = dunning.finalAction === 'pause';
  if (left <= 1)
    return isPaused
      ? t('The next attempt is on {{date}}; after that attempt the subscription is paused.', { date })
      : t('The next attempt is on {{date}}; after that attempt the subscription is canceled.', { date });
  return isPaused
    ? t('The next attempt is on {{date}}; after {{attempts}} more attempts the subscription is paused.', { date, attempts: left })
    : t('The next attempt is on {{date}}; after {{attempts}} more attempts the subscription is canceled.', { date, attempts: left });
}

const sentences = (...texts: readonly (string | false)[]) => texts.filter(Boolean).join(' ');

const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function cancelledText({ cancelledAt, cancelledBy, cancelReason }: Subscription, timeZone: string): string {
  return sentences(
    canceledOnText(cancelledAt && retryTimeText(cancelledAt, timeZone), cancelledBy && actorText(cancelledBy)),
    cancelReason === null ? t('No reason was given.') : t('Reason: {{reason}}', { reason: withFullStop(cancelReasonText(cancelReason)) }),
    t('Nothing more is charged.'),
  );
}

function canceledOnText(date: string | null, name: string | null): string {
  if (date === null) return name === null ? t('Canceled.') : t('Canceled by {{name}}.', { name });
  return name === null ? t('Canceled on {{date}}.', { date }) : t('Canceled on {{date}} by {{name}}.', { date, name });
}

/** Announcement of the result of a payment attempt. */
export function outcomeText(subscription: Subscription, timeZone: string): string {
  const { status, card, lastReason, lastPaymentAt, nextPaymentDate, nextRetryAt, startDate } = subscription;
  if (subscription.paymentInProgress)
    return t('The processor has not responded yet. The outcome appears here automatically; don’t charge again.');
  const amount = moneyOf(subscription);
  const declined =
    lastReason === null ? t('Declined: no reason given.') : t('Declined: {{reason}}', { reason: withFullStop(serviceText(lastReason)) });
  switch (status) {
    case 'past_due':
      return sentences(
        declined,
        nextRetryAt === null
          ? t('The subscription is past due.')
          : t('The subscription is past due; the next attempt is on {{date}}.', { date: retryTimeText(nextRetryAt, timeZone) }),
      );
    case 'cancelled':
      return sentences(declined, t('That was the last attempt; the subscription is canceled.'));
    case 'paused':
      return sentences(declined, t('That was the last attempt; the subscription is paused.'));
    case 'expired':
      return t('Charged {{amount}}. That was the last payment; the subscription has ended.', { amount });
    default:
      if (lastPaymentAt === null) return t('The subscription starts on {{date}}.', { date: dayText(nextPaymentDate ?? startDate) });
      return sentences(
        card ? t('Charged {{amount}} to {{card}}.', { amount, card: methodText(card) }) : t('Charged {{amount}}.', { amount }),
        nextPaymentDate !== null && t('The next payment is {{date}}.', { date: dayText(nextPaymentDate) }),
      );
  }
}
