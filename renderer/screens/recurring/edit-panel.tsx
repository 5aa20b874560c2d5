import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PaymentMethod, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { amountProblem, readAmount, writeAmount, writeMoney } from '#renderer/base/money';
import { methodText } from '#renderer/base/payment-methods';
import { dayText, PanelForm, useSubmit } from '#renderer/kit/ui';
import { useMay } from '#renderer/session/user';
import { frequencyText } from '#renderer/shared/customers';
import type { SubscriptionPanelProps } from './action-panels.tsx';
import { changeSubscription, type SubscriptionChange } from './operations.ts';
import { methodsQuery, refreshRecurring } from './queries.ts';
import { type EndForm, endOf, endProblem } from './subscription-end.ts';
import { AmountField, EndFields, MethodField, NameField, TaxFields } from './subscription-fields.tsx';
import { decimalTax, type TaxForm, taxProblem } from './subscription-tax.ts';

interface EditForm extends TaxForm {
  readonly amount: string;
  readonly name: string;
  readonly end: EndForm;
  readonly methodId: string;
}

function formOf(subscription: Subscription): EditForm {
  const { amount, taxAmount, purchaseOrderNumber, currency, planId, endDate, totalPayments, paymentMethodId } = subscription;
  const kind = endDate !== null ? 'date' : totalPayments !== null ? 'count' : 'never';
  return {
    amount: writeAmount(amount, currency),
    tax: taxAmount === 0 ? '' : writeAmount(taxAmount, currency),
    purchaseOrder: purchaseOrderNumber ?? '',
    name: planId ?? '',
    end: { kind, date: endDate ?? '', count: totalPayments === null ? '' : String(totalPayments) },
    methodId: paymentMethodId ?? '',
  };
}

/** Changes amount, tax, purchase order number, name, end and card of a subscription. Untouched values stay. */
export function EditPanel({ subscription, dates: [next], onClose }: SubscriptionPanelProps) {
  const [initial] = useState(() => formOf(subscription));
  const [form, setForm] = useState(initial);
  const [isChecked, setChecked] = useState(false);
  const methods = useQuery({ ...methodsQuery(subscription.customerId), enabled: useMay()('customers:read') });
  const set = (changed: Partial<EditForm>) => {
    setForm({ ...form, ...changed });
    setChecked(false);
  };
  const reading = readAmount(form.amount, subscription.currency);
  const changes = changesOf(initial, form, subscription.currency);
  const endError = changes.endDate === undefined ? null : endProblem(form.end, subscription.startDate, subscription.paymentsMade);
  const taxError = taxProblem(form.amount, form.tax, subscription.currency);
  const change = useSubmit({
    send: () => changeSubscription(subscription.subscriptionId, changes),
    refreshFirst: refreshRecurring,
    announcement: ({ nextPaymentDate }) =>
      nextPaymentDate === null ? t('Saved.') : t('Saved. The next payment is {{date}}.', { date: dayText(nextPaymentDate) }),
    onClose,
  });
  const submit = () => {
    setChecked(true);
    if (reading.kind !== 'valid' || taxError !== null || endError !== null) return;
    if (Object.keys(changes).length === 0) onClose();
    else change.onSubmit();
  };
  const refusalOf = (...fields: string[]) => (fields.includes(change.failure?.field ?? '') ? change.failure?.message : undefined);
  const endMessage = (isChecked ? endError : null) ?? refusalOf('endDate', 'totalPayments');
  const amountMessage = (isChecked ? amountProblem(form.amount, subscription.currency) : null) ?? refusalOf('amount');
  const taxMessage = (isChecked ? taxError : null) ?? refusalOf('taxAmount');
  const orderMessage = refusalOf('purchaseOrderNumber');
  return (
    <PanelForm
      {...change}
      title={t('Edit subscription')}
      explanation={effectText(subscription, changes, next, methods.data)}
      submitLabel={t('Save')}
      failure={endMessage || amountMessage || taxMessage || orderMessage ? null : change.failure}
      onSubmit={submit}
    >
      <AmountField
        id="subscription-edit-amount"
        currency={subscription.currency}
        value={form.amount}
        onChange={(amount) => set({ amount })}
        problem={amountMessage}
        autoFocus
      />
      <TaxFields
        id="subscription-edit"
        currency={subscription.currency}
        value={form}
        onChange={set}
        problem={taxMessage}
        orderProblem={orderMessage}
      />
      <NameField id="subscription-edit-name" value={form.name} onChange={(name) => set({ name })} />
      <EndFields id="subscription-edit-end" value={form.end} onChange={(end) => set({ end })} problem={endMessage} />
      <MethodField
        id="subscription-edit-method"
        methods={methods.data ?? []}
        value={form.methodId}
        onChange={(methodId) => set({ methodId })}
        disabled={methods.data === undefined}
      />
    </PanelForm>
  );
}

/** Returns the touched values only. */
function changesOf(initial: EditForm, current: EditForm, currency: string): SubscriptionChange {
  const reading = readAmount(current.amount, currency);
  const tax = decimalTax(current.tax, currency);
  const order = current.purchaseOrder.trim();
  const { endDate = null, totalPayments = null } = endOf(current.end);
  const isEndTouched = JSON.stringify(initial.end) !== JSON.stringify(current.end);
  return {
    ...(reading.kind === 'valid' && current.amount !== initial.amount && { amount: reading.decimal }),
    ...(tax !== decimalTax(initial.tax, currency) && { taxAmount: tax }),
    ...(order !== initial.purchaseOrder && { purchaseOrderNumber: order || null }),
    ...(current.name.trim() !== initial.name && { planId: current.name.trim() || null }),
    ...(isEndTouched && { endDate, totalPayments }),
    ...(current.methodId !== initial.methodId && { paymentMethodId: current.methodId || null }),
  };
}

function effectText(
  subscription: Subscription,
  changes: SubscriptionChange,
  next: string | undefined,
  methods: readonly PaymentMethod[] = [],
): string {
  const amount = writeMoney(changes.amount ?? subscription.amount, subscription.currency);
  const { paymentMethodId } = changes;
  const method = methods.find((each) => (paymentMethodId === null ? each.isDefault : each.paymentMethodId === paymentMethodId));
  const card = paymentMethodId === undefined || method === undefined ? undefined : methodText(method);
  const frequency = frequencyText(subscription.frequency);
  if (subscription.status === 'past_due') {
    if (paymentMethodId === undefined)
      return t('The next attempt charges {{amount}}, and so does every later payment, {{frequency}}.', { amount, frequency });
    return card === undefined
      ? t('Charges {{amount}} immediately, then {{frequency}}.', { amount, frequency })
      : t('Charges {{amount}} to {{card}} immediately, then {{frequency}}.', { amount, card, frequency });
  }
  if (subscription.status === 'paused')
    return card === undefined
      ? t('Charges {{amount}} {{frequency}} once you resume it. The subscription stays paused.', { amount, frequency })
      : t('Charges {{amount}} to {{card}} {{frequency}} once you resume it. The subscription stays paused.', { amount, card, frequency });
  if (next === undefined) return t('No further payments are scheduled.');
  const date = dayText(next);
  return card === undefined
    ? t('Charges {{amount}} {{frequency}} from {{date}}.', { amount, frequency, date })
    : t('Charges {{amount}} to {{card}} {{frequency}} from {{date}}.', { amount, card, frequency, date });
}
