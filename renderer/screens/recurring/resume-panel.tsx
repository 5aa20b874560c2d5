import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { dayText, PanelForm, QueryContent, useSubmit } from '#renderer/kit/ui';
import { frequencyText } from '#renderer/shared/customers';
import type { SubscriptionPanelProps } from './action-panels.tsx';
import { resumeSubscription } from './operations.ts';
import { refreshRecurring, todayQuery } from './queries.ts';
import { moneyOf } from './texts.ts';

/** Resumes a paused subscription. */
export function ResumePanel(props: SubscriptionPanelProps) {
  const today = useQuery(todayQuery(props.subscription.merchantId));
  return (
    <QueryContent query={today}>
      {(day) => <ResumeForm {...props} explanation={resumeText(props.subscription, props.dates[0], day)} />}
    </QueryContent>
  );
}

function ResumeForm({ subscription, onClose, explanation }: SubscriptionPanelProps & { readonly explanation: string }) {
  const change = useSubmit({
    send: () => resumeSubscription(subscription.subscriptionId),
    refreshFirst: refreshRecurring,
    announcement: ({ nextPaymentDate }) =>
      nextPaymentDate === null
        ? t('Resumed. No further payments are due.')
        : t('Resumed. The next payment is {{date}}.', { date: dayText(nextPaymentDate) }),
    onClose,
  });
  return (
    <PanelForm
      {...change}
      title={t('Resume subscription')}
      explanation={explanation}
      submitLabel={t('Resume subscription')}
      focusesSubmit
    />
  );
}

/** Describes the next date after resuming, and which past periods are not charged. */
function resumeText(subscription: Subscription, next: string | undefined, today: string): string {
  if (next === undefined) return t('No payment dates are left, so nothing more is charged.');
  const { card } = subscription;
  const values = { amount: moneyOf(subscription), date: dayText(next), frequency: frequencyText(subscription.frequency) };
  if (next !== today) return t('The next payment is {{date}}, then {{frequency}}. Payments that were due before are not charged.', values);
  return card === null
    ? t('Charges {{amount}} today, {{date}}, and then {{frequency}}.', values)
    : t('Charges {{amount}} to {{card}} today, {{date}}, and then {{frequency}}.', { ...values, card: methodText(card) });
}
