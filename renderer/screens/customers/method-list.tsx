import type { Customer, PaymentMethod, Subscription } from '#renderer/client';
import { MethodEntry } from './method-entry.tsx';
import { Section } from './section.tsx';

interface MethodListProps {
  readonly customer: Customer;
  readonly methods: readonly PaymentMethod[];
  readonly subscriptions: readonly Subscription[];
  readonly merchantName: string;
  /** The one that was just added: its button takes the focus. */
  readonly newId: string | undefined;
  readonly onRemoved: () => void;
}

/** Payment methods of a customer, the default first. */
export function MethodList({ methods, ...shared }: MethodListProps) {
  return (
    <Section title="Cards and bank accounts" empty="Nothing on file. Add a card to charge it without asking for its number again.">
      {methods.map((method) => (
        <MethodEntry key={method.paymentMethodId} method={method} isOnly={methods.length === 1} {...shared} />
      ))}
    </Section>
  );
}
