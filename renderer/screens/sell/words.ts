import type { SaleField } from './form/form.ts';
import type { Notice } from './stage.ts';
import type { Doubt } from './unconfirmed/doubts.ts';

/** Reason why a charge that repeats another one is held back. */
export const SAME_CHARGE: Readonly<Record<Doubt['reason'], string>> = {
  lost: 'This charge is still being checked',
  held: 'The gateway holds this charge for review',
};

/** Announcement of a notice: what happened and what to do. */
export function aloud(notice: Notice): string {
  switch (notice.kind) {
    case 'declined':
      return `Declined. ${notice.advice.words}`;
    case 'refused':
      return `Not charged. ${notice.refusal.message}`;
    case 'silence':
      return 'The service gave no answer. Press Charge to ask again; it cannot charge twice.';
    case 'failed':
      return 'Failed. Nothing was charged.';
    case 'same-charge':
      return `${SAME_CHARGE[notice.doubt.reason]}. Charging again may take the money twice.`;
    case 'bad-read':
      return 'The card was not read. Swipe again.';
    case 'interrupted':
      return 'A charge was under way when this page was closed. Look at the last sales before you charge again.';
  }
}

/** Fields of the request as the service names them in an error. */
const FIELDS: Readonly<Record<string, SaleField>> = {
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
  token: 'token',
  'customer.email': 'email',
  'customer.name': 'name',
  orderId: 'order',
  description: 'description',
};

/** The field of the form that an error of the service speaks of, or null. */
export function fieldAtFault(field: string | undefined): SaleField | null {
  return (field !== undefined && FIELDS[field]) || null;
}
