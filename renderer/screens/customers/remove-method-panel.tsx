import { useMutation } from '@tanstack/react-query';
import type { PaymentMethod, Subscription } from '#renderer/client';
import { announce, PanelForm } from '#renderer/ui';
import { refreshCustomers, removeMethod } from './queries.ts';
import { counted, isRunning, methodName } from './words.ts';

interface RemoveMethodPanelProps {
  readonly method: PaymentMethod;
  readonly isOnly: boolean;
  readonly subscriptions: readonly Subscription[];
  readonly onRemoved: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before a payment method is deleted. */
export function RemoveMethodPanel({ method, isOnly, subscriptions, onRemoved, onClose }: RemoveMethodPanelProps) {
  const label = methodName(method);
  const removing = useMutation({
    mutationFn: () => removeMethod(method.customerId, method.paymentMethodId),
    onSuccess: () => {
      announce(`${label} is removed.`);
      onRemoved();
    },
    onSettled: () => refreshCustomers(),
  });
  return (
    <PanelForm
      title={`Remove ${label}?`}
      explanation={`What was stored of it is destroyed. ${followsOf(method, isOnly, subscriptions)}`}
      submitLabel={`Remove ${label}`}
      isDangerous
      isBusy={removing.isPending}
      failure={removing.error}
      onSubmit={() => removing.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Describes the effect on the subscriptions that use it. */
function followsOf({ paymentMethodId, isDefault }: PaymentMethod, isOnly: boolean, subscriptions: readonly Subscription[]): string {
  const charged = subscriptions.filter(
    (plan) => isRunning(plan) && (plan.paymentMethodId === paymentMethodId || (plan.paymentMethodId === null && isDefault)),
  );
  const nextDefault = isDefault && !isOnly ? 'The newest other one becomes the default.' : '';
  if (charged.length === 0) return nextDefault;
  const plans = counted(charged.length, 'subscription');
  if (isOnly) return `${plans} ${charged.length === 1 ? 'has' : 'have'} nothing left to be charged to.`;
  return `${nextDefault} ${plans} ${charged.length === 1 ? 'goes' : 'go'} by the default from then on.`.trim();
}
