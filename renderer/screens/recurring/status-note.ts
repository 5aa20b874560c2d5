import type { Subscription } from '#renderer/client';
import { dayText } from '#renderer/ui';
import { cancelledByText, cancelReasonText, countText, frequencyText, methodName, moneyOf, retryTimeText } from './texts.ts';

interface Dunning {
  readonly retryIntervalsDays: readonly number[];
  readonly finalAction: 'cancel' | 'pause';
}

interface StatusNote {
  readonly tone: 'success' | 'info' | 'warning';
  readonly text: string;
}

/** Describes the status of a subscription and the next step. */
export function statusNoteOf(subscription: Subscription, dunning: Dunning | undefined, timeZone: string): StatusNote {
  if (subscription.paymentInProgress)
    return { tone: 'info', text: 'A payment is being processed. The outcome appears here automatically.' };
  switch (subscription.status) {
    case 'active':
      return { tone: 'success', text: activeText(subscription) };
    case 'past_due':
      return { tone: 'warning', text: pastDueText(subscription, dunning, timeZone) };
    case 'paused':
      return { tone: 'info', text: `${pausedText(subscription, timeZone)} Nothing is charged until you resume it.` };
    case 'cancelled':
      return { tone: 'info', text: cancelledText(subscription, timeZone) };
    default:
      return {
        tone: 'info',
        text: `Ended${onDate(subscription.expiredAt, timeZone)} after ${countText(subscription.paymentsMade, 'payment')}. Nothing more is charged.`,
      };
  }
}

const onDate = (at: string | null, timeZone: string) => (at === null ? '' : ` on ${retryTimeText(at, timeZone)}`);

function activeText(subscription: Subscription): string {
  if (subscription.nextPaymentDate === null)
    return `No further payments are due. The subscription ends after ${subscription.endDate === null ? 'its end date' : dayText(subscription.endDate)}.`;
  const unsent =
    subscription.lastResult !== 'failed' && subscription.lastReason !== null
      ? ` The last attempt was not sent: ${subscription.lastReason}`
      : '';
  return `${moneyOf(subscription)} ${frequencyText(subscription.frequency)}; the next payment is ${dayText(subscription.nextPaymentDate)}.${unsent}`;
}

const pausedText = ({ pausedAt, lastResult, lastReason }: Subscription, timeZone: string) =>
  `Paused${onDate(pausedAt, timeZone)}.${lastResult === 'failed' && lastReason ? ` The last payment was declined: ${lastReason}.` : ''}`;

/** Describes the failed attempts, the next one, and what follows the last one. */
function pastDueText(subscription: Subscription, dunning: Dunning | undefined, timeZone: string): string {
  const attempts = subscription.failedAttempts;
  const made = `${countText(attempts, 'attempt')} declined${subscription.lastReason ? `: ${withFullStop(subscription.lastReason)}` : '.'}`;
  const next = subscription.nextRetryAt === null ? '' : ` The next attempt is on ${retryTimeText(subscription.nextRetryAt, timeZone)}`;
  if (dunning === undefined || next === '') return `${made}${next && `${next}.`}`;
  const left = dunning.retryIntervalsDays.length + 1 - attempts;
  const when = left <= 1 ? 'after that attempt' : `after ${left} more attempts`;
  return `${made}${next}; ${when} the subscription is ${dunning.finalAction === 'pause' ? 'paused' : 'canceled'}.`;
}

const withFullStop = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function cancelledText({ cancelledAt, cancelledBy, cancelReason }: Subscription, timeZone: string): string {
  const by = cancelledBy === null ? '' : ` by ${cancelledByText(cancelledBy)}`;
  const why = cancelReason === null ? 'No reason was given.' : `Reason: ${withFullStop(cancelReasonText(cancelReason))}`;
  return `Canceled${onDate(cancelledAt, timeZone)}${by}. ${why} Nothing more is charged.`;
}

/** Announcement of the result of a payment attempt. */
export function outcomeText(subscription: Subscription, timeZone: string): string {
  if (subscription.paymentInProgress)
    return 'The processor has not responded yet. The outcome appears here automatically; don’t charge again.';
  const next = subscription.nextPaymentDate === null ? '' : ` The next payment is ${dayText(subscription.nextPaymentDate)}.`;
  switch (subscription.status) {
    case 'past_due':
      return `Declined: ${withFullStop(subscription.lastReason ?? 'no reason given')} The subscription is past due${subscription.nextRetryAt === null ? '.' : `; the next attempt is on ${retryTimeText(subscription.nextRetryAt, timeZone)}.`}`;
    case 'cancelled':
    case 'paused':
      return `Declined: ${withFullStop(subscription.lastReason ?? 'no reason given')} That was the last attempt; the subscription is ${subscription.status === 'paused' ? 'paused' : 'canceled'}.`;
    case 'expired':
      return `Charged ${moneyOf(subscription)}. That was the last payment; the subscription has ended.`;
    default:
      return subscription.lastPaymentAt === null
        ? `The subscription starts on ${dayText(subscription.nextPaymentDate ?? subscription.startDate)}.`
        : `Charged ${moneyOf(subscription)}${subscription.card ? ` to ${methodName(subscription.card)}` : ''}.${next}`;
  }
}
