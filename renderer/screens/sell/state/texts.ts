import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import type { TerminalPaymentState } from '#shared/terminals';
import { isReaderRefusal } from '../charge/charge-result.ts';
import type { EarlierCharge } from '../charge/earlier-charge.ts';
import type { SaleField } from '../form/form.ts';
import type { Notice } from './stage.ts';

/** Titles of the notice that a charge would repeat another one. */
export const SAME_CHARGE_TITLES: Readonly<Record<EarlierCharge['reason'], string>> = {
  'no-response': t('This charge is still unconfirmed'),
  held: t('The gateway is holding this charge for review'),
  approved: t('This card was just charged the same amount'),
};

/** Consequence of charging again, in one sentence. */
export const CHARGED_TWICE: Readonly<Record<EarlierCharge['reason'], string>> = {
  'no-response': t('Charging again may charge the customer twice.'),
  held: t('Charging again may charge the customer twice.'),
  approved: t('Charging again charges the customer twice.'),
};

/** Returns the announcement of a notice: what happened and what to do. */
export function announcementText(notice: Notice): string {
  switch (notice.kind) {
    case 'declined':
      return `${t('Declined.')} ${notice.advice.text}`;
    case 'refused':
      if (isReaderRefusal(notice.refusal)) return notice.refusal.message;
      return `${t('Not charged.')} ${notice.refusal.message}`;
    case 'no-response':
      return t('No response from the service. Press Charge to check again; it can’t charge twice.');
    case 'failed':
      return t('Failed. Nothing was charged.');
    case 'not-charged-on-reader':
      return `${readerEndText(notice.terminal)}. ${t('Nothing was charged.')}`;
    case 'same-charge':
      return `${SAME_CHARGE_TITLES[notice.earlier.reason]}. ${CHARGED_TWICE[notice.earlier.reason]}`;
    case 'bad-read':
      return t('The card couldn’t be read. Swipe again.');
    case 'interrupted':
      return t('This page was closed or reloaded during a charge. Check the recent sales before you charge again.');
  }
}

/** Form fields by their name in errors of the service. */
const FORM_FIELDS: Readonly<Record<string, SaleField>> = {
  amount: 'amount',
  'card.number': 'number',
  'card.expiryMonth': 'expiry',
  'card.expiryYear': 'expiry',
  'card.expiry': 'expiry',
  'card.cvv': 'code',
  'billing.zip': 'zip',
  'billing.address': 'street',
  'billing.city': 'city',
  'billing.state': 'state',
  'bankAccount.routingNumber': 'routing',
  'bankAccount.accountNumber': 'account',
  'bankAccount.accountHolderName': 'holder',
  'bankAuthorization.reference': 'proof',
  token: 'token',
  amountGiven: 'given',
  checkNumber: 'checkNumber',
  giftCardCode: 'giftCode',
  giftCardPin: 'giftPin',
  'customer.email': 'email',
  'customer.name': 'name',
  orderId: 'order',
  description: 'description',
  shippingAddress: 'shipStreet',
};

/** Returns the form field that an error of the service is about, or null. */
export function formFieldOf(field: string | undefined): SaleField | null {
  return (field !== undefined && FORM_FIELDS[field]) || null;
}

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
