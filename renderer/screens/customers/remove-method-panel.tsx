import type { PaymentMethod, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { PanelForm, useSubmit } from '#renderer/kit/ui';
import { refreshCustomers, removeMethod } from './queries.ts';
import { isRunning, methodName } from './texts.ts';

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
  const removing = useSubmit({
    send: () => removeMethod(method.customerId, method.paymentMethodId),
    refresh: refreshCustomers,
    announcement: t('{{card}} was removed.', { card: label }),
    onDone: onRemoved,
    onClose,
  });
  return (
    <PanelForm
      {...removing}
      title={t('Remove {{card}}?', { card: label })}
      explanation={[
        method.type === 'card' ? t('The saved card is deleted.') : t('The saved bank account is deleted.'),
        ...subscriptionEffects(method, isOnly, subscriptions),
      ].join(' ')}
      submitLabel={t('Remove {{card}}', { card: label })}
      isDangerous
      focusesSubmit
    />
  );
}

/** Describes the effect on the subscriptions that use it. */
function subscriptionEffects(
  { paymentMethodId, isDefault }: PaymentMethod,
  isOnly: boolean,
  subscriptions: readonly Subscription[],
): readonly string[] {
  const charged = subscriptions.filter(
    (subscription) =>
      isRunning(subscription) && (subscription.paymentMethodId === paymentMethodId || (subscription.paymentMethodId === null && isDefault)),
  );
  const count = charged.length;
  const nextDefault = isDefault && !isOnly ? [t('The most recent other payment method becomes the default.')] : [];
  if (count === 0) return nextDefault;
  return isOnly
    ? [t('{{count, number}} subscriptions have no payment method left.', { count })]
    : [...nextDefault, t('{{count, number}} subscriptions use the default payment method from now on.', { count })];
}
