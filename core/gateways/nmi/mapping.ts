import type { RefusalCode, RetryAdvice } from '../connector.ts';
import type { CardDeclineCode } from '../decline-codes.ts';

/** Meaning of a code or text of the processor. `doubt` stands for everything that may have moved money. */
export type Meaning =
  | { readonly is: 'approved' | 'doubt' | 'busy' | 'set-up' | 'unknown-original' | 'duplicate' | 'too-late' | 'by-text' }
  | { readonly is: 'declined'; readonly code: CardDeclineCode; readonly reason: string; readonly advice?: RetryAdvice }
  | { readonly is: 'refused'; readonly code?: RefusalCode; readonly reason: string };

const declined = (code: CardDeclineCode, reason: string, advice?: RetryAdvice): Meaning => ({ is: 'declined', code, reason, advice });
const refused = (reason: string, code?: RefusalCode): Meaning => ({ is: 'refused', code, reason });

/** Days of 264 when the card's network does not say how long to wait. */
const WAIT_DAYS = 3;

/** `response_code`. A code that is not here is doubt. */
const CODES: Readonly<Record<string, Meaning>> = {
  100: { is: 'approved' },
  200: declined('card_declined', 'The payment was declined.'),
  201: declined('do_not_honor', 'The issuer does not honor it.'),
  202: declined('insufficient_funds', 'The account has not enough funds.'),
  203: declined('exceeds_limit', 'The amount exceeds the limit of the card.'),
  204: declined('restricted_card', 'The issuer does not allow this payment.'),
  220: declined('invalid_account', 'The payment details are not valid.'),
  221: declined('invalid_account', 'The issuer does not exist.'),
  222: declined('invalid_account', 'The issuer does not know the card number.'),
  223: declined('expired_card', 'The card has expired.'),
  224: declined('invalid_expiry', 'The expiry date is not valid.'),
  225: declined('cvv_failure', 'The security code does not match.'),
  226: declined('card_declined', 'The PIN is not valid.'),
  240: declined('call_issuer', 'The issuer asks to be called.'),
  250: declined('lost_stolen', 'The card is to be kept.'),
  251: declined('lost_stolen', 'The card was reported lost.'),
  252: declined('lost_stolen', 'The card was reported stolen.'),
  253: declined('fraud_suspected', 'The payment was stopped as suspicious.'),
  260: declined('call_issuer', 'The payment was declined with instructions of the issuer.'),
  261: declined('card_declined', 'The issuer stops all recurring payments of this card.', { kind: 'stop-card' }),
  262: declined('card_declined', 'The issuer stops this recurring payment.', { kind: 'stop-plan' }),
  263: declined('card_declined', 'The issuer has newer details of this card.', { kind: 'update-card' }),
  264: declined('card_declined', 'The issuer asks to try again in a few days.', { kind: 'wait', days: WAIT_DAYS }),
  300: { is: 'by-text' },
  301: { is: 'busy' },
  400: { is: 'doubt' },
  410: { is: 'set-up' },
  411: { is: 'set-up' },
  420: { is: 'doubt' },
  421: { is: 'doubt' },
  430: { is: 'duplicate' },
  440: { is: 'doubt' },
  441: { is: 'doubt' },
  460: declined('restricted_card', 'The processor does not offer this for the card.'),
  461: declined('restricted_card', 'The account takes no cards of this brand.'),
};

/** Beginnings of the text of code 300, in lower case. Other texts state their own reason of the refusal. */
const TEXTS: readonly (readonly [beginning: string, meaning: Meaning])[] = [
  ['authentication failed', { is: 'set-up' }],
  ['invalid security key', { is: 'set-up' }],
  ['specified api key not found', { is: 'set-up' }],
  ['invalid username', { is: 'set-up' }],
  ['invalid credit card number', declined('invalid_account', 'The card number is not valid.')],
  ['invalid transaction id specified', { is: 'unknown-original' }],
  ['transaction not found', { is: 'unknown-original' }],
  ['only transactions pending settlement', { is: 'too-late' }],
  ['duplicate transaction', { is: 'duplicate' }],
  ['refund amount may not exceed', refused('The refunds would exceed the payment.', 'INVALID_AMOUNT')],
  ['the specified amount of', refused('The amount is above what was authorized.', 'INVALID_AMOUNT')],
  ['invalid amount', refused('The amount is not valid.', 'INVALID_AMOUNT')],
  ['a capture requires that the existing transaction be an auth', refused('It was captured already.', 'ALREADY_CAPTURED')],
  ['the cc payment type', refused('The account does not support this card or currency.', 'CARD_NOT_SUPPORTED')],
  ['invalid aba', refused('The routing number is not valid.', 'VALIDATION_ERROR')],
  ['invalid account number', refused('The account number is not valid.', 'VALIDATION_ERROR')],
  ['credits are not', refused('The account does not allow unlinked credits.', 'NOT_REFUNDABLE')],
  ['credit transactions are not', refused('The account does not allow unlinked credits.', 'NOT_REFUNDABLE')],
];

export const meaningOfCode = (code: string): Meaning => (Object.hasOwn(CODES, code) ? (CODES[code] as Meaning) : { is: 'doubt' });

/** Null when none of the known beginnings fits. */
export function meaningOfText(text: string): Meaning | null {
  const words = text.trim().toLowerCase();
  return TEXTS.find(([beginning]) => words.startsWith(beginning))?.[1] ?? null;
}

/** `merchant_advice_code` of the card's network: days to wait, an hour counted as a day. */
const ADVICE_DAYS: Readonly<Record<string, number>> = { 24: 1, 25: 1, 26: 2, 27: 4, 28: 6, 29: 8, 30: 10 };

export function adviceOf(meaning: Meaning, adviceCode: string | undefined): RetryAdvice | undefined {
  if (meaning.is !== 'declined' || meaning.advice?.kind !== 'wait') return meaning.is === 'declined' ? meaning.advice : undefined;
  return { kind: 'wait', days: ADVICE_DAYS[adviceCode ?? ''] ?? meaning.advice.days };
}

/** Address checks by their letters; the others (U G I R E S 0 O) found nothing out and stay as they are. */
const AVS: Readonly<Record<string, string>> = {
  ...fold('Y', 'X Y D M 2 6'),
  ...fold('A', 'A B 3 7'),
  ...fold('Z', 'W Z P L 1 5'),
  ...fold('N', 'N C 4 8'),
};
const CVV: Readonly<Record<string, string>> = { M: 'M', N: 'N', P: 'P', U: 'U', S: 'U' };
const AVS_SHAPE = /^[A-Z0-9]$/;

export const avsOf = (letter: string | undefined) => (letter && AVS_SHAPE.test(letter) ? (AVS[letter] ?? letter) : undefined);
export const cvvOf = (letter: string | undefined) => (letter ? CVV[letter] : undefined);

/** State of a transaction at the processor (`condition`), as an inquiry reads it. */
type Standing = 'authorized' | 'captured' | 'voided' | 'declined' | 'open' | 'given-up';

export const STANDINGS: Readonly<Record<string, Standing>> = {
  pending: 'authorized',
  pendingsettlement: 'captured',
  complete: 'captured',
  canceled: 'voided',
  failed: 'declined',
  in_progress: 'open',
  abandoned: 'given-up',
};

/** Names of a returned bank payment at the processor (`action_type`). */
export const RETURN_ACTIONS: ReadonlySet<string> = new Set(['return', 'check_return', 'check_late_return', 'late_return']);

function fold(ours: string, theirs: string): Record<string, string> {
  return Object.fromEntries(theirs.split(' ').map((letter) => [letter, ours]));
}
