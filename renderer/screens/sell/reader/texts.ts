import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { TerminalPaymentState } from '#shared/terminals';

type TerminalPayment = NonNullable<Transaction['terminal']>;

/** Returns the reason why a payment ended on its card reader before the card was charged, without a full stop. */
export function readerEndText({ name, state, canceledBy }: Pick<TerminalPayment, 'name' | 'state' | 'canceledBy'>): string {
  if (state !== 'canceled') return t('{{name}} did not take the payment', { name });
  if (canceledBy === 'customer') return t('The customer canceled on {{name}}', { name });
  return canceledBy === 'timeout' ? t('No card was presented to {{name}} in time', { name }) : t('Canceled on {{name}}', { name });
}

/** Returns the title of a payment that runs on a card reader: what the clerk does next. */
export function runningTitle(state: TerminalPaymentState, name: string): string {
  if (state === 'choosing_tip') return t('The customer is choosing a tip');
  if (state === 'waiting_for_card') return t('Ask the customer to tap, insert or swipe');
  if (state === 'processing') return t('Card read, waiting for the bank');
  if (state === 'unconfirmed') return t('{{name}} doesn’t answer, do not charge again', { name });
  return t('Sending to {{name}}', { name });
}
