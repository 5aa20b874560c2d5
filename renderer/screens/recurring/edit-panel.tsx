import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentMethod, Subscription } from '#renderer/client';
import { amountProblem, readAmount, writeAmount, writeMoney } from '#renderer/money';
import { useMay } from '#renderer/session';
import { dayText, PanelForm } from '#renderer/ui';
import { type EndForm, endOf, endProblem } from './ending.ts';
import { changePlan, type PlanChange } from './operations.ts';
import { AmountField, EndFields, MethodField, NameField } from './plan-fields.tsx';
import { methodsQuery } from './queries.ts';
import { type PlanPanelProps, useChange } from './use-change.ts';
import { frequencyWords, methodName } from './words.ts';

interface EditForm {
  readonly amount: string;
  readonly name: string;
  readonly end: EndForm;
  readonly methodId: string;
}

function formOf(plan: Subscription): EditForm {
  const { amount, currency, planId, endDate, totalPayments, paymentMethodId } = plan;
  const kind = endDate !== null ? 'date' : totalPayments !== null ? 'count' : 'never';
  return {
    amount: writeAmount(amount, currency),
    name: planId ?? '',
    end: { kind, date: endDate ?? '', count: totalPayments === null ? '' : String(totalPayments) },
    methodId: paymentMethodId ?? '',
  };
}

/** Changes amount, name, end and card of a subscription. Untouched values stay. */
export function EditPanel({ plan, dates: [next], onClose }: PlanPanelProps) {
  const [first] = useState(() => formOf(plan));
  const [form, setForm] = useState(first);
  const [isChecked, setChecked] = useState(false);
  const methods = useQuery({ ...methodsQuery(plan.customerId), enabled: useMay()('customers:read') });
  const set = (part: Partial<EditForm>) => {
    setForm({ ...form, ...part });
    setChecked(false);
  };
  const reading = readAmount(form.amount, plan.currency);
  const changes = changesOf(first, form, reading.kind === 'valid' ? reading.decimal : undefined);
  const endFault = changes.endDate === undefined ? null : endProblem(form.end, plan.startDate, plan.paymentsMade);
  const change = useChange(
    () => changePlan(plan.subscriptionId, changes),
    ({ nextPaymentDate }) => (nextPaymentDate === null ? 'Changed.' : `Changed. The next payment is ${dayText(nextPaymentDate)}.`),
    onClose,
  );
  const submit = () => {
    setChecked(true);
    if (reading.kind !== 'valid' || endFault !== null) return;
    if (Object.keys(changes).length === 0) onClose();
    else change.mutate();
  };
  const faultOf = (...fields: string[]) => (fields.includes(change.error?.field ?? '') ? change.error?.message : undefined);
  const endSaid = (isChecked ? endFault : null) ?? faultOf('endDate', 'totalPayments');
  const amountSaid = (isChecked ? amountProblem(form.amount, plan.currency) : null) ?? faultOf('amount');
  return (
    <PanelForm
      title="Edit"
      explanation={whatComes(plan, changes, next, methods.data)}
      submitLabel="Save"
      isBusy={change.isPending}
      failure={endSaid || amountSaid ? null : change.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <AmountField
        id="plan-edit-amount"
        currency={plan.currency}
        value={form.amount}
        onChange={(amount) => set({ amount })}
        problem={amountSaid}
        autoFocus
      />
      <NameField id="plan-edit-name" value={form.name} onChange={(name) => set({ name })} />
      <EndFields id="plan-edit-end" value={form.end} onChange={(end) => set({ end })} problem={endSaid} />
      <MethodField
        id="plan-edit-method"
        methods={methods.data ?? []}
        value={form.methodId}
        onChange={(methodId) => set({ methodId })}
        disabled={methods.data === undefined}
      />
    </PanelForm>
  );
}

/** Returns the touched values only. */
function changesOf(before: EditForm, now: EditForm, decimal: string | undefined): PlanChange {
  const { endDate = null, totalPayments = null } = endOf(now.end);
  const isEndTouched = JSON.stringify(before.end) !== JSON.stringify(now.end);
  return {
    ...(decimal !== undefined && now.amount !== before.amount && { amount: decimal }),
    ...(now.name.trim() !== before.name && { planId: now.name.trim() || null }),
    ...(isEndTouched && { endDate, totalPayments }),
    ...(now.methodId !== before.methodId && { paymentMethodId: now.methodId || null }),
  };
}

function whatComes(plan: Subscription, changes: PlanChange, next: string | undefined, methods: readonly PaymentMethod[] = []): string {
  const figure = writeMoney(changes.amount ?? plan.amount, plan.currency);
  const { paymentMethodId } = changes;
  const method = methods.find((each) => (paymentMethodId === null ? each.isDefault : each.paymentMethodId === paymentMethodId));
  const to = paymentMethodId === undefined || method === undefined ? '' : ` to ${methodName(method)}`;
  const rhythm = frequencyWords(plan.frequency);
  if (plan.status === 'past_due')
    return paymentMethodId === undefined
      ? `The next try charges ${figure}, and so does each payment after it, ${rhythm}.`
      : `Charges ${figure}${to} at once, then ${rhythm}.`;
  if (plan.status === 'paused') return `From its next payment on it charges ${figure}${to} ${rhythm}. It stays paused.`;
  return next === undefined ? 'No payment is to come as it stands.' : `From ${dayText(next)} on it charges ${figure}${to} ${rhythm}.`;
}
