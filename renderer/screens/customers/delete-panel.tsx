import type { Customer, PaymentMethod, Subscription } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { PanelForm, useSubmit } from '#renderer/kit/ui';
import { deleteCustomer, refreshCustomers } from './queries.ts';
import { isRunning, nameOf } from './texts.ts';

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
  const deleting = useSubmit({
    send: () => {
      onDeleting(true);
      return deleteCustomer(customer.customerId);
    },
    announcement: t('{{customer}} was deleted.', { customer: name }),
    onDone: () => {
      onDeleted();
      void refreshCustomers();
    },
    onFailure: () => onDeleting(false),
    onClose,
  });
  return (
    <PanelForm
      {...deleting}
      title={t('Delete {{customer}}?', { customer: name })}
      explanation={consequencesOf(methods, subscriptions, payments)}
      submitLabel={t('Delete {{customer}}', { customer: name })}
      isDangerous
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
  return [deletedText(subscriptions, methods), ...(payments === 0 ? [] : [keptText(payments)]), t('This can’t be undone.')].join(' ');
}

function deletedText(subscriptions: readonly Subscription[] | undefined, methods: readonly PaymentMethod[] | undefined): string {
  const canceled = canceledText(subscriptions);
  const deleted = methodsText(methods, canceled === '');
  if (canceled === '' && deleted === '') return t('No subscriptions or cards are affected.');
  if (canceled === '' || deleted === '') return `${canceled}${deleted}.`;
  return t('{{canceled}}, and {{deleted}}.', { canceled, deleted });
}

function canceledText(subscriptions: readonly Subscription[] | undefined): string {
  if (subscriptions === undefined) return t('Subscriptions are canceled');
  const count = subscriptions.filter(isRunning).length;
  return count === 0 ? '' : t('{{count, number}} subscriptions are canceled', { count });
}

function methodsText(methods: readonly PaymentMethod[] | undefined, isFirst: boolean): string {
  if (methods === undefined) return isFirst ? t('Cards are deleted') : t('cards are deleted');
  const cards = methods.filter(({ type }) => type === 'card').length;
  const accounts = methods.length - cards;
  if (methods.length === 0) return '';
  if (accounts === 0) return t('{{count, number}} cards are deleted', { count: cards });
  if (cards === 0) return t('{{count, number}} bank accounts are deleted', { count: accounts });
  return t('{{cards}} and {{accounts}} are deleted', {
    cards: t('{{count, number}} cards', { count: cards }),
    accounts: t('{{count, number}} bank accounts', { count: accounts }),
  });
}

const keptText = (payments: number | undefined) =>
  payments === undefined ? t('Transactions are kept.') : t('{{count, number}} transactions are kept.', { count: payments });
