import { useMutation } from '@tanstack/react-query';
import type { PaymentMethod, Subscription } from '#renderer/client';
import { announce, PanelForm } from '#renderer/ui';
import { refreshCustomers, removeMethod } from './queries.ts';
import { countText, isRunning, methodName } from './texts.ts';

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
      announce(`${label} was removed.`);
      onRemoved();
    },
    onSettled: () => refreshCustomers(),
  });
  return (
    <PanelForm
      title={`Remove ${label}?`}
      explanation={`The saved ${method.type === 'card' ? 'card' : 'bank account'} is deleted. ${subscriptionEffects(method, isOnly, subscriptions)}`}
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
function subscriptionEffects(
  { paymentMethodId, isDefault }: PaymentMethod,
  isOnly: boolean,
  subscriptions: readonly Subscription[],
): string {
  const charged = subscriptions.filter(
    (subscription) =>
      isRunning(subscription) && (subscription.paymentMethodId === paymentMethodId || (subscription.paymentMethodId === null && isDefault)),
  );
  const nextDefault = isDefault && !isOnly ? 'The most recent other payment method becomes the default.' : '';
  if (charged.length === 0) return nextDefault;
  const affected = countText(charged.length, 'subscription');
  if (isOnly) return `${affected} ${charged.length === 1 ? 'has' : 'have'} no payment method left.`;
  return `${nextDefault} ${affected} ${charged.length === 1 ? 'uses' : 'use'} the default payment method from now on.`.trim();
}
