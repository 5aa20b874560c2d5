import { useQuery } from '@tanstack/react-query';
import type { Subscription } from '#renderer/client';
import { Answer, dayText, PanelForm } from '#renderer/ui';
import { resumePlan } from './operations.ts';
import { todayQuery } from './queries.ts';
import { type PlanPanelProps, useChange } from './use-change.ts';
import { frequencyWords, methodName, moneyOf } from './words.ts';

/** Resumes a paused subscription. */
export function ResumePanel(props: PlanPanelProps) {
  const today = useQuery(todayQuery(props.plan.merchantId));
  return <Answer of={today}>{(day) => <Ready {...props} explanation={resumeWords(props.plan, props.dates[0], day)} />}</Answer>;
}

function Ready({ plan, onClose, explanation }: PlanPanelProps & { readonly explanation: string }) {
  const change = useChange(
    () => resumePlan(plan.subscriptionId),
    ({ nextPaymentDate }) =>
      nextPaymentDate === null ? 'Resumed. No further payment comes.' : `Resumed. The next payment is ${dayText(nextPaymentDate)}.`,
    onClose,
  );
  return (
    <PanelForm
      title="Resume"
      explanation={explanation}
      submitLabel="Resume the plan"
      isBusy={change.isPending}
      failure={change.error}
      onSubmit={() => change.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Describes the next date after resuming, and which past periods are not charged. */
function resumeWords(plan: Subscription, next: string | undefined, today: string): string {
  if (next === undefined) return 'No date of it is left: nothing more is charged.';
  const to = plan.card === null ? '' : ` to ${methodName(plan.card)}`;
  if (next === today) return `Charges ${moneyOf(plan)}${to} today, ${dayText(next)}, and then ${frequencyWords(plan.frequency)}.`;
  return `The next payment is ${dayText(next)}, then ${frequencyWords(plan.frequency)}. What fell due before is not charged.`;
}
