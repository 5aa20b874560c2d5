import type { CardDeclineCode } from '../decline-codes.ts';
import type { RefusalCode } from '../outcome.ts';

/** Meaning of a code of the processor. `unknown` stands for everything that may have moved money. */
export type Meaning =
  | { readonly kind: 'approved' | 'held' | 'unknown' | 'not-refundable' | 'set-up' | 'unknown-original' | 'partial' }
  | { readonly kind: 'declined'; readonly code: CardDeclineCode; readonly reason: string }
  /** Declined by a rule of the account whose automatic void failed, so that the money may still be reserved. */
  | { readonly kind: 'declined-but-held'; readonly code: CardDeclineCode; readonly reason: string }
  /** Certainly without effect. */
  | { readonly kind: 'refused'; readonly code: RefusalCode; readonly reason: string }
  /** The processor could not read the request. Its text names the part. */
  | { readonly kind: 'not-readable'; readonly reason: string };

const declined = (code: CardDeclineCode, reason: string): Meaning => ({ kind: 'declined', code, reason });
const declinedButHeld = (code: CardDeclineCode, reason: string): Meaning => ({ kind: 'declined-but-held', code, reason });
const refused = (code: RefusalCode, reason: string): Meaning => ({ kind: 'refused', code, reason });

/**
 * Response reason codes of transactions. A dash marks a range, and earlier entries win. A code that is not listed is an unknown outcome.
 */
const REASONS: readonly (readonly [codes: string, meaning: Meaning])[] = [
  ['1', { kind: 'approved' }],
  ['3', declined('call_issuer', 'The cardholder must call the issuer.')],
  ['4', declined('lost_stolen', 'The issuer asks the merchant to retain the card.')],
  ['6, 37, 200, 315', declined('invalid_account', 'The card number is not valid.')],
  ['7, 201, 316', declined('invalid_expiry', 'The expiry date is not valid.')],
  ['8, 317', declined('expired_card', 'The card has expired.')],
  ['27', declined('avs_failure', 'The billing address does not match.')],
  ['44, 65', declined('cvv_failure', 'The security code does not match.')],
  ['45', declined('cvv_failure', 'Neither security code nor billing address match.')],
  ['41, 250, 251, 254', declined('fraud_suspected', 'The payment was stopped as suspicious.')],
  ['17, 28', declined('restricted_card', 'The account does not accept cards of this brand.')],
  ['128', declined('restricted_card', 'The issuer does not allow this payment.')],
  ['49', declined('exceeds_limit', 'The amount exceeds the limit of the account.')],
  ['2, 191, 202-224', declined('card_declined', 'The payment was declined.')],
  ['127', declinedButHeld('avs_failure', 'The billing address does not match.')],
  ['141, 145', declinedButHeld('fraud_suspected', 'The payment was stopped as suspicious.')],
  ['152', declinedButHeld('card_declined', 'The approval could not be delivered.')],
  ['165', declinedButHeld('cvv_failure', 'The security code does not match.')],
  ['181', declinedButHeld('card_declined', 'The response of the card network was not valid.')],
  ['193, 252, 253', { kind: 'held' }],
  ['295', { kind: 'partial' }],
  ['9', refused('VALIDATION_ERROR', 'The routing number is not valid.')],
  ['10', refused('VALIDATION_ERROR', 'The account number is not valid.')],
  ['243, 244, 246, 247', refused('VALIDATION_ERROR', 'The account does not accept this kind of bank payment.')],
  ['71, 101', refused('VALIDATION_ERROR', 'The type or holder of the account does not match.')],
  ['5', refused('INVALID_AMOUNT', 'The amount is invalid.')],
  ['47', refused('INVALID_AMOUNT', 'The amount exceeds the authorized amount.')],
  ['51, 55', refused('INVALID_AMOUNT', 'The refunds would exceed the payment.')],
  ['39', refused('INVALID_CURRENCY', 'The account does not support this currency.')],
  ['78, 378', refused('INVALID_CVV', 'The security code is not valid.')],
  // Too early or too late, which the state of the payment shows.
  ['50, 54', { kind: 'not-refundable' }],
  ['310', refused('ALREADY_VOIDED', 'The payment was already voided.')],
  ['311', refused('ALREADY_CAPTURED', 'The payment was already captured.')],
  ['327', refused('RESOURCE_CONFLICT', 'The payment can no longer be voided.')],
  ['15, 16, 319', { kind: 'unknown-original' }],
  // The duplicate check includes our reference, so the duplicate is this attempt itself. An inquiry finds it.
  ['11, 318', { kind: 'unknown' }],
  ['36', { kind: 'unknown' }],
  ['19-23, 25, 26, 57-63, 120-122, 170-173, 180, 192, 261, 901', { kind: 'unknown' }],
  ['13, 24, 29-31, 34, 35, 38, 43, 53, 56, 66-70, 87, 123, 130, 260, 289', { kind: 'set-up' }],
];

/** Codes of responses without a transaction. */
const MESSAGES: readonly (readonly [codes: string, meaning: Meaning])[] = [
  ['E00005-E00011, E00044', { kind: 'set-up' }],
  ['E00040', { kind: 'unknown-original' }],
  ['E00003, E00013-E00016, E00073-E00077', { kind: 'not-readable', reason: 'The processor could not read the request.' }],
  // An inquiry must confirm that there was no effect.
  ['E00001, E00053, E00104', { kind: 'unknown' }],
];

/** Return the meaning of a code; undefined if the table does not contain it. */
export const meaningOfReason = lookupIn(REASONS);
export const meaningOfMessage = lookupIn(MESSAGES);

/** Results of address checks. The others (B E G P R S U) are inconclusive and stay unchanged. */
const AVS: Readonly<Record<string, string>> = { X: 'Y', Y: 'Y', A: 'A', Z: 'Z', W: 'Z', N: 'N' };
const CVV: Readonly<Record<string, string>> = { M: 'M', N: 'N', P: 'P', U: 'U', S: 'U' };

export const avsOf = (letter: string | undefined) => (letter !== undefined && /^[A-Z]$/.test(letter) ? (AVS[letter] ?? letter) : undefined);
export const cvvOf = (letter: string | undefined) => (letter !== undefined && /^[A-Z]$/.test(letter) ? CVV[letter] : undefined);

/** State of a transaction at the processor, as an inquiry reads it. */
export type TransactionState =
  | 'authorized'
  | 'captured'
  | 'settled'
  | 'refund'
  | 'refund-settled'
  | 'voided'
  | 'declined'
  | 'fraud'
  | 'held'
  | 'returned'
  | 'charged-back'
  | 'chargeback-reversed'
  | 'not-voided'
  | 'lost';

const TRANSACTION_STATES: Readonly<Record<string, TransactionState>> = {
  authorizedPendingCapture: 'authorized',
  capturedPendingSettlement: 'captured',
  pendingSettlement: 'captured',
  pendingFinalSettlement: 'captured',
  updatingSettlement: 'captured',
  settledSuccessfully: 'settled',
  refundPendingSettlement: 'refund',
  refundSettledSuccessfully: 'refund-settled',
  voided: 'voided',
  expired: 'voided',
  declined: 'declined',
  failedReview: 'fraud',
  underReview: 'held',
  FDSPendingReview: 'held',
  FDSAuthorizedPendingReview: 'held',
  authorizedPendingRelease: 'held',
  approvedReview: 'held',
  returnedItem: 'returned',
  chargeback: 'charged-back',
  chargebackReversal: 'chargeback-reversed',
  communicationError: 'lost',
  generalError: 'lost',
  settlementError: 'lost',
  couldNotVoid: 'not-voided',
};

/** States of a payment that was settled, whatever happened to it later. */
export const SETTLED_STATES: ReadonlySet<TransactionState | undefined> = new Set<TransactionState>([
  'settled',
  'returned',
  'charged-back',
  'chargeback-reversed',
]);

/** Returns the state for a status; undefined if the table does not contain it. */
export const transactionStateOf = (status: string | undefined): TransactionState | undefined =>
  status !== undefined && Object.hasOwn(TRANSACTION_STATES, status) ? TRANSACTION_STATES[status] : undefined;

function lookupIn(table: readonly (readonly [string, Meaning])[]): (code: string) => Meaning | undefined {
  const byCode = new Map<string, Meaning>();
  for (const [codes, meaning] of table)
    for (const span of codes.split(', ')) for (const code of codesIn(span)) if (!byCode.has(code)) byCode.set(code, meaning);
  return (code) => byCode.get(code);
}

/** Returns the single codes of a range such as `19-23` or `E00005-E00011`. */
function codesIn(span: string): string[] {
  const [first = '', last] = span.split('-');
  if (last === undefined) return [first];
  const digits = first.replace(/\D/g, '');
  const letters = first.slice(0, first.length - digits.length);
  const from = Number(digits);
  const count = Number(last.replace(/\D/g, '')) - from + 1;
  const width = letters === '' ? 0 : digits.length;
  return Array.from({ length: count }, (_, index) => letters + String(from + index).padStart(width, '0'));
}
