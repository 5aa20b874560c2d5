import { t } from '#renderer/base/language';
import type { EarlierCharge } from './charge/earlier-charge.ts';
import type { SaleField } from './form/form.ts';
import { readerEndText } from './reader/texts.ts';
import { isReaderRefusal, type Notice } from './stage.ts';

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
