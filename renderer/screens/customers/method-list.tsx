import type { Customer, PaymentMethod, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { MethodEntry } from './method-entry.tsx';
import { Section } from './section.tsx';

interface MethodListProps {
  readonly customer: Customer;
  readonly methods: readonly PaymentMethod[];
  readonly subscriptions: readonly Subscription[];
  readonly merchantName: string;
  /** ID of the method that was just added; its button gets the focus. */
  readonly newId: string | undefined;
  readonly onRemoved: () => void;
}

/** Payment methods of a customer, the default first. */
export function MethodList({ methods, ...shared }: MethodListProps) {
  return (
    <Section
      title={t('Cards and bank accounts')}
      empty={t('No cards or bank accounts yet. Add a card to charge it later without its number.')}
    >
      {methods.map((method) => (
        <MethodEntry key={method.paymentMethodId} method={method} isOnly={methods.length === 1} {...shared} />
      ))}
    </Section>
  );
}
