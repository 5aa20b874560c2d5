import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#renderer/client';
import { dayText, PanelForm, QueryContent } from '#renderer/ui';
import { resumeSubscription } from './operations.ts';
import { todayQuery } from './queries.ts';
import { frequencyText, methodName, moneyOf } from './texts.ts';
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
      nextPaymentDate === null ? 'Resumed. No further payments are due.' : `Resumed. The next payment is ${dayText(nextPaymentDate)}.`,
    onClose,
  );
  return (
    <PanelForm
      title="Resume subscription"
      explanation={explanation}
      submitLabel="Resume subscription"
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
  if (next === undefined) return 'No payment dates are left, so nothing more is charged.';
  const to = subscription.card === null ? '' : ` to ${methodName(subscription.card)}`;
  if (next === today)
    return `Charges ${moneyOf(subscription)}${to} today, ${dayText(next)}, and then ${frequencyText(subscription.frequency)}.`;
  return `The next payment is ${dayText(next)}, then ${frequencyText(subscription.frequency)}. Payments that were due before are not charged.`;
}
