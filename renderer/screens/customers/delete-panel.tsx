import { useMutation } from '@tanstack/react-query';
import type { Customer, PaymentMethod, Subscription } from '#renderer/client';
import { announce, PanelForm } from '#renderer/ui';
import { deleteCustomer, refreshCustomers } from './queries.ts';
import { counted, isRunning, nameOf } from './words.ts';

interface DeletePanelProps {
  readonly customer: Customer;
  /** Payment methods and subscriptions of the customer; undefined while they are unknown or may not be seen. */
  readonly methods: readonly PaymentMethod[] | undefined;
  readonly subscriptions: readonly Subscription[] | undefined;
  readonly payments: number | undefined;
  /** True from the moment on at which the customer may be gone. */
  readonly onLeaving: (isLeaving: boolean) => void;
  readonly onGone: () => void;
  readonly onClose: () => void;
}

/** Asks for confirmation before a customer is deleted, and says what is deleted with it. */
export function DeletePanel({ customer, methods, subscriptions, payments, onLeaving, onGone, onClose }: DeletePanelProps) {
  const name = nameOf(customer);
  const deleting = useMutation({
    mutationFn: () => deleteCustomer(customer.customerId),
    onMutate: () => onLeaving(true),
    onSuccess: () => {
      announce(`${name} is deleted.`);
      onGone();
      void refreshCustomers();
    },
    onError: () => onLeaving(false),
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

/** "2 subscriptions stop, 1 card is destroyed; 14 transactions stay." What may not be seen is named without a figure. */
function consequencesOf(
  methods: readonly PaymentMethod[] | undefined,
  subscriptions: readonly Subscription[] | undefined,
  payments: number | undefined,
): string {
  const running = subscriptions?.filter(isRunning).length;
  const cards = methods?.filter(({ type }) => type === 'card').length ?? 0;
  const accounts = (methods?.length ?? 0) - cards;
  const means = [cards > 0 && counted(cards, 'card'), accounts > 0 && counted(accounts, 'bank account')].filter(Boolean).join(' and ');
  const goes = [
    running === undefined ? 'subscriptions stop' : running > 0 && `${counted(running, 'subscription')} ${running === 1 ? 'stops' : 'stop'}`,
    methods === undefined ? 'cards are destroyed' : means && `${means} ${methods.length === 1 ? 'is' : 'are'} destroyed`,
  ].filter(Boolean);
  const going = goes.length === 0 ? 'no subscription stops and no card is destroyed' : goes.join(', ');
  const staying =
    payments === undefined ? 'transactions stay' : payments === 1 ? '1 transaction stays' : `${counted(payments, 'transaction')} stay`;
  const words = payments === 0 ? going : `${going}; ${staying}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}. This cannot be taken back.`;
}
