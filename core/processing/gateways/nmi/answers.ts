import type { Currency } from '#core/kernel';
import type { Source } from '#core/records/vault';
import { amountOf } from '../decimal-amount.ts';
import type { Outcome } from '../outcome.ts';
import type { Client, ProcessorResponse } from './client.ts';
import { adviceOf, avsOf, cvvOf, type Meaning, meaningOfCode, meaningOfText } from './mapping.ts';

/** The request that a response is checked against. */
export interface SentRequest {
  readonly type: 'sale' | 'auth' | 'credit' | 'validate' | 'capture' | 'void' | 'refund';
  /** The reference that was sent with it, if any. */
  readonly processorRef?: string;
  /** For a capture or void: the processor's ID of the payment, which an approval repeats. */
  readonly originalReference?: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly source?: Source;
  /** A part of the amount may be approved. */
  readonly allowsPartialApproval?: boolean | undefined;
  /** For a later charge of a stored card: reference of the first charge. */
  readonly credentialReference?: string;
}

/** A response whose outcome requires a lookup of the transaction. */
type NeedsLookup = { readonly kind: 'look-up'; readonly for: 'duplicate' | 'too-late' };

/** Decline of a payment of which only a part was approved; the part is voided. */
const PART_APPROVED = {
  kind: 'declined',
  declineCode: 'card_declined',
  declineReason: 'Only a part of the amount was approved.',
} as const;

const REFERENCE = /^\d{1,14}$/;
const AUTH_CODE = /^[\w -]{1,12}$/;

/** Returns the ID of a transaction; undefined if a text is none. */
export const referenceFrom = (text: string | undefined) => (text !== undefined && REFERENCE.test(text) ? text : undefined);
/** Returns the authorization code of an issuer; undefined if a text is none. */
export const authCodeFrom = (text: string | undefined) => (text !== undefined && AUTH_CODE.test(text) ? text : undefined);

/**
 * Interprets a response of the Payment API. A response that is not recognized, or that belongs to another request, is an unknown outcome.
 */
export function outcomeOf(response: ProcessorResponse, sent: SentRequest, clean: Client['clean']): Outcome | NeedsLookup {
  if (response.kind === 'not-sent') return { kind: 'not-sent', reason: response.reason, retry: 'unavailable' };
  if (response.kind === 'lost') return { kind: 'unknown', cause: response.reason };
  const field = (name: string) => response.answer.get(name) || undefined;
  const [type, orderId, code = ''] = [field('type'), field('orderid'), field('response_code')];
  if (type !== undefined && type !== sent.type) return { kind: 'unknown', cause: 'The processor responded to another request.' };
  if (sent.processorRef !== undefined && orderId !== undefined && orderId !== sent.processorRef)
    return { kind: 'unknown', cause: 'The processor responded with another payment.' };
  const text = field('responsetext') ?? '';
  const meaning = meaningOf(code, text);
  const words = clean(text, sent.source);
  const checks = { avsResponse: avsOf(field('avsresponse')), cvvResponse: cvvOf(field('cvvresponse')) };
  switch (field('response')) {
    case '1':
      return meaning.kind === 'approved' ? approved(field, sent, checks) : unknownOutcome(code, words);
    case '2':
      return meaning.kind === 'declined'
        ? { ...declinedBy(meaning, words, field('merchant_advice_code')), ...checks }
        : unknownOutcome(code, words);
    case '3':
      return withoutEffect(meaning, code, words, field('merchant_advice_code'));
    default:
      return unknownOutcome(code, words);
  }
}

const unknownOutcome = (code: string, words: string): Outcome => ({
  kind: 'unknown',
  cause: words === '' ? `The processor responded ${/^\d{3}$/.test(code) ? code : 'without a code'}.` : words,
});

function approved(
  field: (name: string) => string | undefined,
  { amountMinor, currency, credentialReference, type, originalReference, allowsPartialApproval }: SentRequest,
  checks: { avsResponse?: string; cvvResponse?: string },
): Outcome {
  const reference = referenceFrom(field('transactionid'));
  if (reference === undefined) return { kind: 'unknown', cause: 'The processor approved the payment without returning an ID.' };
  if (originalReference !== undefined && originalReference !== reference)
    return { kind: 'unknown', cause: 'The processor responded with another payment.' };
  const authorized = field('amount_authorized');
  const amount = amountOf(authorized, currency);
  const isPart = authorized !== undefined && amount?.minor !== amountMinor;
  const charged = allowsPartialApproval ? amount : undefined;
  if ((type === 'sale' || type === 'auth') && charged === undefined && (isPart || field('partial_payment_id') !== undefined))
    return { ...PART_APPROVED, referenceToVoid: reference };
  return {
    kind: 'approved',
    reference,
    authCode: authCodeFrom(field('authcode')),
    ...checks,
    credentialReference: credentialReference ?? reference,
    ...(charged && { charged: { amount: charged } }),
  };
}

/** Returns the meaning of a code, or of the text if the code has none of its own. */
export function meaningOf(code: string, text: string): Meaning {
  const meaning = meaningOfCode(code);
  if (meaning.kind !== 'by-text') return meaning;
  return meaningOfText(text) ?? { kind: 'refused', reason: '' };
}

/** Returns the outcome of a decline. The text of an issuer that asks for a call is returned unchanged. */
export function declinedBy(
  meaning: Extract<Meaning, { kind: 'declined' }>,
  words: string,
  adviceCode?: string,
): Extract<Outcome, { kind: 'declined' }> {
  const declineReason = meaning.code === 'call_issuer' && words !== '' ? words : meaning.reason;
  return { kind: 'declined', declineCode: meaning.code, declineReason, advice: adviceOf(meaning, adviceCode) };
}

function withoutEffect(meaning: Meaning, code: string, words: string, adviceCode: string | undefined): Outcome | NeedsLookup {
  const textOr = (text: string) => (words === '' ? text : words);
  switch (meaning.kind) {
    case 'declined':
      return declinedBy(meaning, words, adviceCode);
    case 'refused': {
      const reason = meaning.reason === '' ? textOr('The processor refused the request.') : meaning.reason;
      return { kind: 'not-sent', reason, retry: 'error', code: meaning.code };
    }
    case 'busy':
      return { kind: 'not-sent', reason: 'The processor limits the number of requests. Try again later.', retry: 'unavailable' };
    case 'set-up':
      return { kind: 'not-sent', reason: textOr(`The account is not set up for this (${code}).`), retry: 'error', alert: 'set-up' };
    case 'unknown-original':
      return { kind: 'not-sent', reason: textOr('The processor does not know this payment.'), retry: 'error', alert: 'unknown-original' };
    case 'duplicate':
    case 'too-late':
      return { kind: 'look-up', for: meaning.kind };
    default:
      return unknownOutcome(code, words);
  }
}
