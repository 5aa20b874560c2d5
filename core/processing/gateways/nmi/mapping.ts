import type { CardDeclineCode } from '../decline-codes.ts';
import type { RefusalCode, RetryAdvice } from '../outcome.ts';

/** Meaning of a code or text of the processor. `unknown` stands for everything that may have moved money. */
export type Meaning =
  | { readonly kind: 'approved' | 'unknown' | 'busy' | 'set-up' | 'unknown-original' | 'duplicate' | 'too-late' | 'by-text' }
  | { readonly kind: 'declined'; readonly code: CardDeclineCode; readonly reason: string; readonly advice?: RetryAdvice }
  | { readonly kind: 'refused'; readonly code?: RefusalCode; readonly reason: string };

const declined = (code: CardDeclineCode, reason: string, advice?: RetryAdvice): Meaning => ({ kind: 'declined', code, reason, advice });
const refused = (reason: string, code?: RefusalCode): Meaning => ({ kind: 'refused', code, reason });

/** Days to wait for code 264 if the card network gives no number. */
const WAIT_DAYS = 3;

/** Meaning by `response_code`. A code that is not listed is an unknown outcome. */
const CODES: Readonly<Record<string, Meaning>> = {
  100: { kind: 'approved' },
  200: declined('card_declined', 'The payment was declined.'),
  201: declined('do_not_honor', 'The issuer does not honor the payment.'),
  202: declined('insufficient_funds', 'The account does not have enough funds.'),
  203: declined('exceeds_limit', 'The amount exceeds the limit of the card.'),
  204: declined('restricted_card', 'The issuer does not allow this payment.'),
  220: declined('invalid_account', 'The payment details are not valid.'),
  221: declined('invalid_account', 'The issuer does not exist.'),
  222: declined('invalid_account', 'The issuer does not know the card number.'),
  223: declined('expired_card', 'The card has expired.'),
  224: declined('invalid_expiry', 'The expiry date is not valid.'),
  225: declined('cvv_failure', 'The security code does not match.'),
  226: declined('card_declined', 'The PIN is not valid.'),
  240: declined('call_issuer', 'The cardholder must call the issuer.'),
  250: declined('lost_stolen', 'The issuer asks the merchant to retain the card.'),
  251: declined('lost_stolen', 'The card was reported lost.'),
  252: declined('lost_stolen', 'The card was reported stolen.'),
  253: declined('fraud_suspected', 'The payment was stopped as suspicious.'),
  260: declined('call_issuer', 'The payment was declined with instructions of the issuer.'),
  261: declined('card_declined', 'The issuer stops all recurring payments of this card.', { kind: 'stop-card' }),
  262: declined('card_declined', 'The issuer stops this recurring payment.', { kind: 'stop-plan' }),
  263: declined('card_declined', 'The issuer has newer details of this card.', { kind: 'update-card' }),
  264: declined('card_declined', 'The issuer asks to try again in a few days.', { kind: 'wait', days: WAIT_DAYS }),
  300: { kind: 'by-text' },
  301: { kind: 'busy' },
  400: { kind: 'unknown' },
  410: { kind: 'set-up' },
  411: { kind: 'set-up' },
  420: { kind: 'unknown' },
  421: { kind: 'unknown' },
  430: { kind: 'duplicate' },
  440: { kind: 'unknown' },
  441: { kind: 'unknown' },
  460: declined('restricted_card', 'The processor does not offer this for the card.'),
  461: declined('restricted_card', 'The account does not accept cards of this brand.'),
};

/** Meaning by the beginning of the text of code 300, in lower case. Other texts are used as the reason of the refusal. */
const TEXTS: readonly (readonly [beginning: string, meaning: Meaning])[] = [
  ['authentication failed', { kind: 'set-up' }],
  ['invalid security key', { kind: 'set-up' }],
  ['specified api key not found', { kind: 'set-up' }],
  ['invalid username', { kind: 'set-up' }],
  ['invalid credit card number', declined('invalid_account', 'The card number is not valid.')],
  ['invalid transaction id specified', { kind: 'unknown-original' }],
  ['transaction not found', { kind: 'unknown-original' }],
  ['only transactions pending settlement', { kind: 'too-late' }],
  ['duplicate transaction', { kind: 'duplicate' }],
  ['refund amount may not exceed', refused('The refunds would exceed the payment.', 'INVALID_AMOUNT')],
  ['the specified amount of', refused('The amount exceeds the authorized amount.', 'INVALID_AMOUNT')],
  ['invalid amount', refused('The amount is not valid.', 'INVALID_AMOUNT')],
  ['a capture requires that the existing transaction be an auth', refused('The payment was already captured.', 'ALREADY_CAPTURED')],
  ['the cc payment type', refused('The account does not support this card or currency.', 'CARD_NOT_SUPPORTED')],
  ['invalid aba', refused('The routing number is not valid.', 'VALIDATION_ERROR')],
  ['invalid account number', refused('The account number is not valid.', 'VALIDATION_ERROR')],
  ['credits are not', refused('The account does not allow unlinked credits.', 'NOT_REFUNDABLE')],
  ['credit transactions are not', refused('The account does not allow unlinked credits.', 'NOT_REFUNDABLE')],
];

export const meaningOfCode = (code: string): Meaning => (Object.hasOwn(CODES, code) ? (CODES[code] as Meaning) : { kind: 'unknown' });

/** Returns the meaning of a text of code 300; null if no known beginning matches. */
export function meaningOfText(text: string): Meaning | null {
  const lowerCaseText = text.trim().toLowerCase();
  return TEXTS.find(([beginning]) => lowerCaseText.startsWith(beginning))?.[1] ?? null;
}

/** Days to wait by `merchant_advice_code` of the card network. An hour counts as a day. */
const ADVICE_DAYS: Readonly<Record<string, number>> = { 24: 1, 25: 1, 26: 2, 27: 4, 28: 6, 29: 8, 30: 10 };

export function adviceOf(meaning: Meaning, adviceCode: string | undefined): RetryAdvice | undefined {
  if (meaning.kind !== 'declined' || meaning.advice?.kind !== 'wait') return meaning.kind === 'declined' ? meaning.advice : undefined;
  return { kind: 'wait', days: ADVICE_DAYS[adviceCode ?? ''] ?? meaning.advice.days };
}

/** Results of address checks. The others (U G I R E S 0 O) are inconclusive and stay unchanged. */
const AVS: Readonly<Record<string, string>> = {
  ...codesFor('Y', 'X Y D M 2 6'),
  ...codesFor('A', 'A B 3 7'),
  ...codesFor('Z', 'W Z P L 1 5'),
  ...codesFor('N', 'N C 4 8'),
};
const CVV: Readonly<Record<string, string>> = { M: 'M', N: 'N', P: 'P', U: 'U', S: 'U' };
const AVS_SHAPE = /^[A-Z0-9]$/;

export const avsOf = (letter: string | undefined) => (letter && AVS_SHAPE.test(letter) ? (AVS[letter] ?? letter) : undefined);
export const cvvOf = (letter: string | undefined) => (letter ? CVV[letter] : undefined);

/** State of a transaction at the processor (`condition`), as an inquiry reads it. */
type TransactionState = 'authorized' | 'captured' | 'voided' | 'declined' | 'open' | 'abandoned';

export const TRANSACTION_STATES: Readonly<Record<string, TransactionState>> = {
  pending: 'authorized',
  pendingsettlement: 'captured',
  complete: 'captured',
  canceled: 'voided',
  failed: 'declined',
  in_progress: 'open',
  abandoned: 'abandoned',
};

/** Names of a returned bank payment at the processor (`action_type`). */
export const RETURN_ACTIONS: ReadonlySet<string> = new Set(['return', 'check_return', 'check_late_return', 'late_return']);

/** Names of the steps of a dispute at the processor (`action_type`), which are not documented. */
export const DISPUTE_ACTIONS: ReadonlyMap<string, 'chargeback' | 'reversal'> = new Map([
  ['chargeback', 'chargeback'],
  ['chargeback_reversal', 'reversal'],
] as const);

function codesFor(result: string, codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((letter) => [letter, result]));
}
