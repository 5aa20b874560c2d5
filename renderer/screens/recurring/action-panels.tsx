import { useState } from 'react';
import { type Subscription, useMoneyMutation } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { announce, dayText, PanelForm, ReasonField } from '#renderer/ui';
import { cancelSubscription, pauseSubscription, retrySubscription, skipNext } from './operations.ts';
import { refreshRecurring } from './queries.ts';
import { outcomeText } from './status-note.ts';
import { methodName, moneyOf } from './texts.ts';
import { type SubscriptionPanelProps, useChange } from './use-change.ts';

/** Pauses a subscription: nothing is charged until it is resumed. */
export function PausePanel({ subscription, dates: [next], onClose }: SubscriptionPanelProps) {
  const change = useChange(
    () => pauseSubscription(subscription.subscriptionId),
    () => 'Paused. Nothing is charged until you resume it.',
    onClose,
  );
  return (
    <PanelForm
      title="Pause subscription"
      explanation={`Nothing is charged until you resume it. ${skippedPaymentText(subscription, next)}`}
      submitLabel="Pause subscription"
      isBusy={change.isPending}
      failure={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

function skippedPaymentText(subscription: Subscription, next: string | undefined): string {
  if (next === undefined) return '';
  return subscription.status === 'past_due'
    ? `The declined payment of ${moneyOf(subscription)} isn’t retried on ${dayText(next)}.`
    : `The payment due ${dayText(next)} is skipped unless you resume by then.`;
}

/** Skips the next payment. */
export function SkipPanel({ subscription, dates, afterSkip, onClose }: SubscriptionPanelProps) {
  const change = useChange(
    () => skipNext(subscription.subscriptionId),
    ({ nextPaymentDate }) =>
      nextPaymentDate === null ? 'Skipped. No further payments are due.' : `Skipped. The next payment is ${dayText(nextPaymentDate)}.`,
    onClose,
  );
  const [skipped = subscription.startDate] = dates;
  return (
    <PanelForm
      title="Skip next payment"
      explanation={`Skips ${dayText(skipped)}; ${afterSkip === null ? 'it was the last one, so nothing more is charged.' : `the next payment is ${dayText(afterSkip)}.`}`}
      submitLabel={`Skip ${dayText(skipped)}`}
      isBusy={change.isPending}
      failure={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Charges the declined payment now. */
export function RetryPanel({ subscription, dates: [, next], onClose }: SubscriptionPanelProps) {
  const { timezone } = useMerchant();
  const retry = useMoneyMutation(retrySubscription, {
    onSuccess: async (after) => {
      await refreshRecurring();
      announce(outcomeText(after, timezone));
      onClose();
    },
    onError: () => void refreshRecurring(),
  });
  const to = subscription.card === null ? '. No card is on file, so it will fail' : ` to ${methodName(subscription.card)}`;
  return (
    <PanelForm
      title="Retry now"
      explanation={[
        `Charges ${moneyOf(subscription)} now${to}.`,
        next === undefined ? 'If it succeeds, no further payments are due.' : `If it succeeds, the next payment is ${dayText(next)}.`,
        'If it is declined, it counts as an attempt.',
      ].join(' ')}
      submitLabel={`Charge ${moneyOf(subscription)} now`}
      isBusy={retry.isPending}
      failure={retry.error}
      onSubmit={() => retry.mutate(subscription.subscriptionId)}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Cancels a subscription permanently. */
export function CancelPanel({ subscription, dates: [next], onClose }: SubscriptionPanelProps) {
  const [reason, setReason] = useState('');
  const change = useChange(
    () => cancelSubscription(subscription.subscriptionId, reason.trim()),
    () => 'Canceled. Nothing more is charged.',
    onClose,
  );
  const skippedPayment = next === undefined ? '' : ` The payment due ${dayText(next)} isn’t charged.`;
  return (
    <PanelForm
      title="Cancel subscription"
      explanation={`Nothing more is charged.${skippedPayment} A canceled subscription can’t be resumed.`}
      submitLabel="Cancel subscription"
      isDangerous
      isBusy={change.isPending}
      failure={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}
