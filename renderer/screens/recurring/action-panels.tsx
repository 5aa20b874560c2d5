import { useState } from 'react';
import type { Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { dayText, PanelForm, ReasonField, useSubmit } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { cancelSubscription, pauseSubscription, retrySubscription, skipNext } from './operations.ts';
import { refreshRecurring } from './queries.ts';
import { outcomeText } from './status-note.ts';
import { dueMoneyOf } from './texts.ts';

/** Properties of a subscription's panel. */
export interface SubscriptionPanelProps {
  readonly subscription: Subscription;
  /** Next dates; for a paused subscription, the dates if it is resumed now. */
  readonly dates: readonly string[];
  /** First date after skipping the next one. */
  readonly afterSkip: string | null;
  readonly onClose: () => void;
}

/** Pauses a subscription: nothing is charged until it is resumed. */
export function PausePanel({ subscription, dates: [next], onClose }: SubscriptionPanelProps) {
  const change = useSubmit({
    send: () => pauseSubscription(subscription.subscriptionId),
    refreshFirst: refreshRecurring,
    announcement: t('Paused. Nothing is charged until you resume it.'),
    onClose,
  });
  return (
    <PanelForm
      {...change}
      title={t('Pause subscription')}
      explanation={[t('Nothing is charged until you resume it.'), skippedPaymentText(subscription, next)].join(' ')}
      submitLabel={t('Pause subscription')}
      focusesSubmit
    />
  );
}

function skippedPaymentText(subscription: Subscription, next: string | undefined): string {
  if (next === undefined) return '';
  return subscription.status === 'past_due'
    ? t('The declined payment of {{amount}} isn’t retried on {{date}}.', { amount: dueMoneyOf(subscription), date: dayText(next) })
    : t('The payment due {{date}} is skipped unless you resume by then.', { date: dayText(next) });
}

/** Skips the next payment. */
export function SkipPanel({ subscription, dates, afterSkip, onClose }: SubscriptionPanelProps) {
  const change = useSubmit({
    send: () => skipNext(subscription.subscriptionId),
    refreshFirst: refreshRecurring,
    announcement: ({ nextPaymentDate }) =>
      nextPaymentDate === null
        ? t('Skipped. No further payments are due.')
        : t('Skipped. The next payment is {{date}}.', { date: dayText(nextPaymentDate) }),
    onClose,
  });
  const [skipped = subscription.startDate] = dates;
  return (
    <PanelForm
      {...change}
      title={t('Skip next payment')}
      explanation={
        afterSkip === null
          ? t('Skips {{date}}; it was the last one, so nothing more is charged.', { date: dayText(skipped) })
          : t('Skips {{date}}; the next payment is {{next}}.', { date: dayText(skipped), next: dayText(afterSkip) })
      }
      submitLabel={t('Skip {{date}}', { date: dayText(skipped) })}
      focusesSubmit
    />
  );
}

/** Charges the declined payment now. */
export function RetryPanel({ subscription, dates: [, next], onClose }: SubscriptionPanelProps) {
  const { timezone } = useMerchant();
  const retry = useSubmit({
    send: (_, key) => retrySubscription(subscription.subscriptionId, key),
    refreshFirst: refreshRecurring,
    announcement: (after) => outcomeText({ ...after, amount: subscription.unpaidAmount ?? subscription.amount }, timezone),
    onClose,
  });
  const amount = dueMoneyOf(subscription);
  return (
    <PanelForm
      {...retry}
      title={t('Retry now')}
      explanation={[
        subscription.card === null
          ? t('Charges {{amount}} now. No card is on file, so it will fail.', { amount })
          : t('Charges {{amount}} now to {{card}}.', { amount, card: methodText(subscription.card) }),
        next === undefined
          ? t('If it succeeds, no further payments are due.')
          : t('If it succeeds, the next payment is {{date}}.', { date: dayText(next) }),
        t('If it is declined, the scheduled attempts stay as they are.'),
      ].join(' ')}
      submitLabel={t('Charge {{amount}} now', { amount })}
      focusesSubmit
    />
  );
}

/** Cancels a subscription permanently. */
export function CancelPanel({ subscription, dates: [next], onClose }: SubscriptionPanelProps) {
  const [reason, setReason] = useState('');
  const change = useSubmit({
    send: () => cancelSubscription(subscription.subscriptionId, reason.trim()),
    refreshFirst: refreshRecurring,
    announcement: t('Canceled. Nothing more is charged.'),
    onClose,
  });
  return (
    <PanelForm
      {...change}
      title={t('Cancel subscription')}
      explanation={[
        t('Nothing more is charged.'),
        ...(next === undefined ? [] : [t('The payment due {{date}} isn’t charged.', { date: dayText(next) })]),
        t('A canceled subscription can’t be resumed.'),
      ].join(' ')}
      submitLabel={t('Cancel subscription')}
      isDangerous
    >
      <ReasonField value={reason} onChange={setReason} autoFocus />
    </PanelForm>
  );
}
