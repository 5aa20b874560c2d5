import type { Subscription } from '#renderer/client';
import { dayText } from '#renderer/ui';
import { cancelledByWords, cancelReasonWords, counted, frequencyWords, methodName, moneyOf, tryTime } from './words.ts';

interface Dunning {
  readonly retryIntervalsDays: readonly number[];
  readonly finalAction: 'cancel' | 'pause';
}

interface Standing {
  readonly tone: 'success' | 'info' | 'warning';
  readonly text: string;
}

/** Describes the status of a subscription and the next step. */
export function standingOf(plan: Subscription, dunning: Dunning | undefined, timeZone: string): Standing {
  if (plan.paymentInProgress) return { tone: 'info', text: 'A payment is at the processor right now. Its outcome appears here by itself.' };
  switch (plan.status) {
    case 'active':
      return { tone: 'success', text: activeText(plan) };
    case 'past_due':
      return { tone: 'warning', text: pastDueText(plan, dunning, timeZone) };
    case 'paused':
      return { tone: 'info', text: `${paused(plan, timeZone)} Nothing is charged until it is resumed.` };
    case 'cancelled':
      return { tone: 'info', text: cancelledText(plan, timeZone) };
    default:
      return {
        tone: 'info',
        text: `It ended${on(plan.expiredAt, timeZone)} with ${counted(plan.paymentsMade, 'payment')} made. Nothing more is charged.`,
      };
  }
}

const on = (at: string | null, timeZone: string) => (at === null ? '' : ` on ${tryTime(at, timeZone)}`);

function activeText(plan: Subscription): string {
  if (plan.nextPaymentDate === null)
    return `No further payment comes. It ends when ${plan.endDate === null ? 'its last day' : dayText(plan.endDate)} is over.`;
  const unsent = plan.lastResult !== 'failed' && plan.lastReason !== null ? ` The last try was not sent: ${plan.lastReason}` : '';
  return `${moneyOf(plan)} ${frequencyWords(plan.frequency)}; the next payment is ${dayText(plan.nextPaymentDate)}.${unsent}`;
}

const paused = ({ pausedAt, lastResult, lastReason }: Subscription, timeZone: string) =>
  `Paused${on(pausedAt, timeZone)}.${lastResult === 'failed' && lastReason ? ` The last payment was declined: ${lastReason}.` : ''}`;

/** Describes the failed attempts, the next one, and what follows the last one. */
function pastDueText(plan: Subscription, dunning: Dunning | undefined, timeZone: string): string {
  const tries = plan.failedAttempts;
  const made = `${counted(tries, 'try').replace('trys', 'tries')} declined${plan.lastReason ? `: ${sentence(plan.lastReason)}` : '.'}`;
  const next = plan.nextRetryAt === null ? '' : ` The next try is on ${tryTime(plan.nextRetryAt, timeZone)}`;
  if (dunning === undefined || next === '') return `${made}${next && `${next}.`}`;
  const left = dunning.retryIntervalsDays.length + 1 - tries;
  const when = left <= 1 ? 'after that try' : `after ${left} more tries`;
  return `${made}${next}; ${when} it is ${dunning.finalAction === 'pause' ? 'paused' : 'cancelled'}.`;
}

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`);

function cancelledText({ cancelledAt, cancelledBy, cancelReason }: Subscription, timeZone: string): string {
  const by = cancelledBy === null ? '' : ` by ${cancelledByWords(cancelledBy).replace('The service', 'the service')}`;
  const why = cancelReason === null ? 'No reason was given.' : `Reason: ${sentence(cancelReasonWords(cancelReason))}`;
  return `Cancelled${on(cancelledAt, timeZone)}${by}. ${why} Nothing more is charged.`;
}

/** Announcement of the result of a payment attempt. */
export function outcomeText(plan: Subscription, timeZone: string): string {
  if (plan.paymentInProgress) return 'The processor has not answered yet. The outcome appears here by itself; do not charge again.';
  const next = plan.nextPaymentDate === null ? '' : ` The next payment is ${dayText(plan.nextPaymentDate)}.`;
  switch (plan.status) {
    case 'past_due':
      return `Declined: ${sentence(plan.lastReason ?? 'no reason given')} The plan is past due${plan.nextRetryAt === null ? '.' : `; tried again on ${tryTime(plan.nextRetryAt, timeZone)}.`}`;
    case 'cancelled':
    case 'paused':
      return `Declined: ${sentence(plan.lastReason ?? 'no reason given')} That was the last try; the plan is ${plan.status}.`;
    case 'expired':
      return `Charged ${moneyOf(plan)}. That was the last payment; the plan has ended.`;
    default:
      return plan.lastPaymentAt === null
        ? `The plan starts on ${dayText(plan.nextPaymentDate ?? plan.startDate)}.`
        : `Charged ${moneyOf(plan)}${plan.card ? ` to ${methodName(plan.card)}` : ''}.${next}`;
  }
}
