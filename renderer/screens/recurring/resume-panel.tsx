import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { methodText } from '#renderer/base/payment-methods';
import { dayText, PanelForm, QueryContent } from '#renderer/kit/ui';
import { frequencyText } from '#renderer/shared/customers';
import { resumeSubscription } from './operations.ts';
import { todayQuery } from './queries.ts';
import { moneyOf } from './texts.ts';
import { type SubscriptionPanelProps, useChange } from './use-change.ts';

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
  const change = useChange(
    () => resumeSubscription(subscription.subscriptionId),
    ({ nextPaymentDate }) =>
      nextPaymentDate === null
        ? t('Resumed. No further payments are due.')
        : t('Resumed. The next payment is {{date}}.', { date: dayText(nextPaymentDate) }),
    onClose,
  );
  return (
    <PanelForm
      title={t('Resume subscription')}
      explanation={explanation}
      submitLabel={t('Resume subscription')}
      isBusy={change.isPending}
      failure={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
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
