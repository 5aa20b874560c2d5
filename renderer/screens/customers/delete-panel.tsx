import { useMutation } from '@tanstack/react-query';
import type { Customer, PaymentMethod, Subscription } from '#renderer/client';
import { announce, PanelForm } from '#renderer/ui';
import { deleteCustomer, refreshCustomers } from './queries.ts';
import { countText, isRunning, nameOf } from './texts.ts';

interface DeletePanelProps {
  readonly customer: Customer;
  /** Payment methods and subscriptions of the customer; undefined while they are unknown or may not be seen. */
  readonly methods: readonly PaymentMethod[] | undefined;
  readonly subscriptions: readonly Subscription[] | undefined;
  readonly payments: number | undefined;
  /** Called with true from the moment at which the customer may be deleted. */
  readonly onDeleting: (isDeleting: boolean) => void;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before a customer is deleted, and lists the consequences. */
export function DeletePanel({ customer, methods, subscriptions, payments, onDeleting, onDeleted, onClose }: DeletePanelProps) {
  const name = nameOf(customer);
  const deleting = useMutation({
    mutationFn: () => deleteCustomer(customer.customerId),
    onMutate: () => onDeleting(true),
    onSuccess: () => {
      announce(`${name} was deleted.`);
      onDeleted();
      void refreshCustomers();
    },
    onError: () => onDeleting(false),
  });
  return (
    <PanelForm
      title={`Delete ${name}?`}
      explanation={consequencesOf(methods, subscriptions, payments)}
      submitLabel={`Delete ${name}`}
      isDangerous
      isBusy={deleting.isPending}
      failure={deleting.error}
      onSubmit={() => deleting.mutate()}
      onClose={onClose}
      focusesSubmit
    />
  );
}

/** Returns text such as "2 subscriptions are canceled and 1 card is deleted. 14 transactions are kept." Unknown numbers are left out. */
function consequencesOf(
  methods: readonly PaymentMethod[] | undefined,
  subscriptions: readonly Subscription[] | undefined,
  payments: number | undefined,
): string {
  const running = subscriptions?.filter(isRunning).length;
  const cards = methods?.filter(({ type }) => type === 'card').length ?? 0;
  const accounts = (methods?.length ?? 0) - cards;
  const methodsText = [cards > 0 && countText(cards, 'card'), accounts > 0 && countText(accounts, 'bank account')]
    .filter(Boolean)
    .join(' and ');
  const effects = [
    running === undefined
      ? 'Subscriptions are canceled'
      : running > 0 && `${countText(running, 'subscription')} ${isOrAre(running)} canceled`,
    methods === undefined ? 'cards are deleted' : methodsText && `${methodsText} ${isOrAre(methods.length)} deleted`,
  ].filter(Boolean);
  const deleted = effects.length === 0 ? 'No subscriptions or cards are affected' : effects.join(', and ');
  const kept =
    payments === undefined
      ? ' Transactions are kept.'
      : payments === 0
        ? ''
        : ` ${countText(payments, 'transaction')} ${isOrAre(payments)} kept.`;
  return `${deleted.charAt(0).toUpperCase()}${deleted.slice(1)}.${kept} This can’t be undone.`;
}

const isOrAre = (count: number) => (count === 1 ? 'is' : 'are');
