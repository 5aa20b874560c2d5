import type { RefusalCode } from '../connector.ts';
import type { CardDeclineCode } from '../decline-codes.ts';

/** Meaning of a code of the processor. `doubt` stands for everything that may have moved money. */
export type Meaning =
  | { readonly is: 'approved' | 'held' | 'doubt' | 'not-refundable' | 'set-up' | 'unknown-original' | 'partial' }
  | { readonly is: 'declined'; readonly code: CardDeclineCode; readonly reason: string }
  /** Declined by a rule of the account, whose own void failed: the money may be held. */
  | { readonly is: 'declined-but-held'; readonly code: CardDeclineCode; readonly reason: string }
  /** Certain: it had no effect. */
  | { readonly is: 'refused'; readonly code: RefusalCode; readonly reason: string }
  /** The processor could not read a request; its text says which part. */
  | { readonly is: 'not-readable'; readonly reason: string };

const declined = (code: CardDeclineCode, reason: string): Meaning => ({ is: 'declined', code, reason });
const butHeld = (code: CardDeclineCode, reason: string): Meaning => ({ is: 'declined-but-held', code, reason });
const refused = (code: RefusalCode, reason: string): Meaning => ({ is: 'refused', code, reason });

/**
 * Response reason codes of transactions. A dash marks a range, and earlier entries win. A code that is not listed is an unknown outcome.
 */
const REASONS: readonly (readonly [codes: string, meaning: Meaning])[] = [
  ['1', { is: 'approved' }],
  ['3', declined('call_issuer', 'The issuer asks to be called.')],
  ['4', declined('lost_stolen', 'The card is to be kept.')],
  ['6, 37, 200, 315', declined('invalid_account', 'The card number is not valid.')],
  ['7, 201, 316', declined('invalid_expiry', 'The expiry date is not valid.')],
  ['8, 317', declined('expired_card', 'The card has expired.')],
  ['27', declined('avs_failure', 'The billing address does not match.')],
  ['44, 65', declined('cvv_failure', 'The security code does not match.')],
  ['45', declined('cvv_failure', 'Neither security code nor billing address match.')],
  ['41, 250, 251, 254', declined('fraud_suspected', 'The payment was stopped as suspicious.')],
  ['17, 28', declined('restricted_card', 'The account takes no cards of this brand.')],
  ['128', declined('restricted_card', 'The issuer does not allow this payment.')],
  ['49', declined('exceeds_limit', 'The amount exceeds what the account may take.')],
  ['2, 191, 202-224', declined('card_declined', 'The payment was declined.')],
  ['127', butHeld('avs_failure', 'The billing address does not match.')],
  ['141, 145', butHeld('fraud_suspected', 'The payment was stopped as suspicious.')],
  ['152', butHeld('card_declined', 'The approval could not be delivered.')],
  ['165', butHeld('cvv_failure', 'The security code does not match.')],
  ['181', butHeld('card_declined', 'The answer of the card’s network was not valid.')],
  ['193, 252, 253', { is: 'held' }],
  ['295', { is: 'partial' }],
  ['9', refused('VALIDATION_ERROR', 'The routing number is not valid.')],
  ['10', refused('VALIDATION_ERROR', 'The account number is not valid.')],
  ['243, 244, 246, 247', refused('VALIDATION_ERROR', 'The account does not take bank payments of this kind.')],
  ['71, 101', refused('VALIDATION_ERROR', 'The account’s type or holder does not match.')],
  ['5', refused('INVALID_AMOUNT', 'The amount is invalid.')],
  ['47', refused('INVALID_AMOUNT', 'The amount is above what was authorized.')],
  ['51, 55', refused('INVALID_AMOUNT', 'The refunds would exceed the payment.')],
  ['39', refused('INVALID_CURRENCY', 'The account does not support this currency.')],
  ['78, 378', refused('INVALID_CVV', 'The security code is not valid.')],
  // Too early or too late: the state of the payment shows which.
  ['50, 54', { is: 'not-refundable' }],
  ['310', refused('ALREADY_VOIDED', 'It was voided already.')],
  ['311', refused('ALREADY_CAPTURED', 'It was captured already.')],
  ['327', refused('RESOURCE_CONFLICT', 'It can no longer be voided.')],
  ['15, 16, 319', { is: 'unknown-original' }],
  // Our reference is part of what it compares, so the twin is this very attempt: inquiry finds it.
  ['11, 318', { is: 'doubt' }],
  ['36', { is: 'doubt' }],
  ['19-23, 25, 26, 57-63, 120-122, 170-173, 180, 192, 261, 901', { is: 'doubt' }],
  ['13, 24, 29-31, 34, 35, 38, 43, 53, 56, 66-70, 87, 123, 130, 260, 289', { is: 'set-up' }],
];

/** Codes of a whole answer without a transaction in it. */
const MESSAGES: readonly (readonly [codes: string, meaning: Meaning])[] = [
  ['E00005-E00011, E00044', { is: 'set-up' }],
  ['E00040', { is: 'unknown-original' }],
  ['E00003, E00013-E00016, E00073-E00077', { is: 'not-readable', reason: 'The processor could not read the request.' }],
  // It took nothing only if inquiry agrees.
  ['E00001, E00053, E00104', { is: 'doubt' }],
];

/** Undefined for a code that the tables do not have. */
export const meaningOfReason = lookUp(REASONS);
export const meaningOfMessage = lookUp(MESSAGES);

/** Address checks; the others (B E G P R S U) found nothing out and stay as they are. */
const AVS: Readonly<Record<string, string>> = { X: 'Y', Y: 'Y', A: 'A', Z: 'Z', W: 'Z', N: 'N' };
const CVV: Readonly<Record<string, string>> = { M: 'M', N: 'N', P: 'P', U: 'U', S: 'U' };

export const avsOf = (letter: string | undefined) => (letter !== undefined && /^[A-Z]$/.test(letter) ? (AVS[letter] ?? letter) : undefined);
export const cvvOf = (letter: string | undefined) => (letter !== undefined && /^[A-Z]$/.test(letter) ? CVV[letter] : undefined);

/** State of a transaction at the processor, as an inquiry reads it. */
export type Standing =
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
  | 'not-voided'
  | 'lost';

const STANDINGS: Readonly<Record<string, Standing>> = {
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
  chargeback: 'settled',
  chargebackReversal: 'settled',
  communicationError: 'lost',
  generalError: 'lost',
  settlementError: 'lost',
  couldNotVoid: 'not-voided',
};

/** Undefined for a status that the table does not have. */
export const standingOf = (status: string | undefined): Standing | undefined =>
  status !== undefined && Object.hasOwn(STANDINGS, status) ? STANDINGS[status] : undefined;

function lookUp(table: readonly (readonly [string, Meaning])[]): (code: string) => Meaning | undefined {
  const byCode = new Map<string, Meaning>();
  for (const [codes, meaning] of table)
    for (const span of codes.split(', ')) for (const code of codesIn(span)) if (!byCode.has(code)) byCode.set(code, meaning);
  return (code) => byCode.get(code);
}

/** `19-23` or `E00005-E00011` as its single codes. */
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
