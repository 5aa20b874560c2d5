import { useState } from 'react';
import { type Subscription, useMoneyMutation } from '#renderer/client';
import { useMerchant } from '#renderer/session';
import { announce, dayText, PanelForm, ReasonField } from '#renderer/ui';
import { cancelPlan, pausePlan, retryPlan, skipNext } from './operations.ts';
import { refreshRecurring } from './queries.ts';
import { outcomeText } from './standing.ts';
import { type PlanPanelProps, useChange } from './use-change.ts';
import { methodName, moneyOf } from './words.ts';

/** Charges nothing until it is resumed. */
export function PausePanel({ plan, dates: [next], onClose }: PlanPanelProps) {
  const change = useChange(
    () => pausePlan(plan.subscriptionId),
    () => 'Paused. Nothing is charged until it is resumed.',
    onClose,
  );
  return (
    <PanelForm
      title="Pause"
      explanation={`Nothing is charged until it is resumed. ${unpaidWords(plan, next)}`}
      submitLabel="Pause the plan"
      isBusy={change.isPending}
      failure={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

function unpaidWords(plan: Subscription, next: string | undefined): string {
  if (next === undefined) return '';
  return plan.status === 'past_due'
    ? `The ${moneyOf(plan)} that were declined are not tried again on ${dayText(next)}.`
    : `The payment of ${dayText(next)} is let go unless it is resumed by then.`;
}

/** Skips the next payment. */
export function SkipPanel({ plan, dates, afterSkip, onClose }: PlanPanelProps) {
  const change = useChange(
    () => skipNext(plan.subscriptionId),
    ({ nextPaymentDate }) =>
      nextPaymentDate === null ? 'Skipped. No further payment comes.' : `Skipped. The next payment is ${dayText(nextPaymentDate)}.`,
    onClose,
  );
  const [skipped = plan.startDate] = dates;
  return (
    <PanelForm
      title="Skip the next payment"
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

/** Charges what was declined, now. */
export function RetryPanel({ plan, dates: [, next], onClose }: PlanPanelProps) {
  const { timezone } = useMerchant();
  const retry = useMoneyMutation(retryPlan, {
    onSuccess: async (after) => {
      await refreshRecurring();
      announce(outcomeText(after, timezone));
      onClose();
    },
    onError: () => void refreshRecurring(),
  });
  const to = plan.card === null ? '. No card is on file, so it will fail' : ` to ${methodName(plan.card)}`;
  return (
    <PanelForm
      title="Try now"
      explanation={[
        `Charges ${moneyOf(plan)} now${to}.`,
        next === undefined ? 'If it is paid, no further payment comes.' : `If it is paid, the next payment is ${dayText(next)}.`,
        'If it is declined, it counts as a try.',
      ].join(' ')}
      submitLabel={`Charge ${moneyOf(plan)} now`}
      isBusy={retry.isPending}
      failure={retry.error}
      onSubmit={() => retry.mutate(plan.subscriptionId)}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Ends a plan for good. */
export function CancelPanel({ plan, dates: [next], onClose }: PlanPanelProps) {
  const [reason, setReason] = useState('');
  const change = useChange(
    () => cancelPlan(plan.subscriptionId, reason.trim()),
    () => 'Cancelled. Nothing more is charged.',
    onClose,
  );
  const unpaid = next === undefined ? '' : ` The payment of ${dayText(next)} is not made.`;
  return (
    <PanelForm
      title="Cancel this plan"
      explanation={`Nothing more is charged.${unpaid} A cancelled plan cannot be resumed.`}
      submitLabel="Cancel the plan"
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
