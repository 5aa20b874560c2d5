import { reasonsOf } from './reason.ts';

/** Return codes by which an account holder disputes a bank payment. Other returns, such as insufficient funds, are no disputes. */
export const ACH_REASONS = reasonsOf('ach', [
  [
    'R05',
    'fraud',
    'Unauthorized debit to consumer account',
    'A consumer’s account was debited with a code for corporate accounts, without authorization.',
  ],
  ['R07', 'cancelled_recurring', 'Authorization revoked by customer', 'The account holder revoked the authorization before this debit.'],
  ['R08', 'cancelled', 'Payment stopped', 'The account holder stopped this payment.'],
  [
    'R10',
    'fraud',
    'Originator not known or not authorized',
    'The account holder does not know the originator or did not authorize the debit.',
  ],
  [
    'R11',
    'amount',
    'Entry not in accordance with the authorization',
    'The debit differs from its authorization, such as in amount or date.',
  ],
  ['R29', 'fraud', 'Corporate customer advises not authorized', 'A business did not authorize the debit.'],
  ['R31', 'general', 'Permissible return entry', 'The bank agreed to accept a late return of a corporate debit.'],
  ['R37', 'duplicate', 'Source document presented for payment', 'The check behind the debit was paid as well.'],
  ['R38', 'cancelled', 'Stop payment on source document', 'The account holder stopped the check behind the debit.'],
  ['R51', 'authorization', 'Item is ineligible, or notice was not provided', 'The check could not be collected as a bank debit.'],
]);
