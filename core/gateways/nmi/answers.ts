import type { Currency } from '#core/kernel';
import type { Source } from '#core/vault';
import type { Outcome } from '../connector.ts';
import type { Client, Heard } from './client.ts';
import { adviceOf, avsOf, cvvOf, type Meaning, meaningOfCode, meaningOfText } from './mapping.ts';
import { amountOf } from './money.ts';

/** The request that a response is checked against. */
export interface Asked {
  readonly type: 'sale' | 'auth' | 'credit' | 'capture' | 'void' | 'refund';
  /** The reference that was sent with it, where one was. */
  readonly processorRef?: string;
  readonly amountMinor: number;
  readonly currency: Currency;
  readonly source?: Source;
  /** For a later charge of a stored card: reference of the first charge. */
  readonly chainReference?: string;
}

/** An answer that needs a look at the transaction before it is an outcome. */
type Unsettled = { readonly kind: 'look'; readonly for: 'duplicate' | 'too-late' };

const REFERENCE = /^\d{1,14}$/;
const AUTH_CODE = /^[\w -]{1,12}$/;

/**
 * Interprets a response of the Payment API. A response that is not recognized, or that belongs to another request, is an unknown outcome.
 */
export function outcomeOf(heard: Heard, asked: Asked, clean: Client['clean']): Outcome | Unsettled {
  if (heard.kind === 'not-sent') return { kind: 'not-sent', reason: heard.reason, retry: 'unavailable' };
  if (heard.kind === 'lost') return { kind: 'unknown', cause: heard.reason };
  const of = (name: string) => heard.answer.get(name) || undefined;
  const [type, orderId, code = ''] = [of('type'), of('orderid'), of('response_code')];
  if (type !== undefined && type !== asked.type) return { kind: 'unknown', cause: 'The processor answered another question.' };
  if (asked.processorRef !== undefined && orderId !== undefined && orderId !== asked.processorRef)
    return { kind: 'unknown', cause: 'The processor answered about another payment.' };
  const text = of('responsetext') ?? '';
  const meaning = meaningOf(code, text);
  const words = clean(text, asked.source);
  const checks = { avsResponse: avsOf(of('avsresponse')), cvvResponse: cvvOf(of('cvvresponse')) };
  switch (of('response')) {
    case '1':
      return meaning.is === 'approved' ? approved(of, asked, checks) : doubt(code, words);
    case '2':
      return meaning.is === 'declined' ? { ...declinedBy(meaning, words, of('merchant_advice_code')), ...checks } : doubt(code, words);
    case '3':
      return withoutEffect(meaning, code, words, of('merchant_advice_code'));
    default:
      return doubt(code, words);
  }
}

const doubt = (code: string, words: string): Outcome => ({
  kind: 'unknown',
  cause: words === '' ? `The processor answered ${/^\d{3}$/.test(code) ? code : 'without a code'}.` : words,
});

function approved(
  of: (name: string) => string | undefined,
  { amountMinor, currency, chainReference, type }: Asked,
  checks: { avsResponse?: string; cvvResponse?: string },
): Outcome {
  const reference = of('transactionid');
  if (reference === undefined || !REFERENCE.test(reference))
    return { kind: 'unknown', cause: 'The processor approved a payment that it has no name for.' };
  const authorized = of('amount_authorized');
  const isPart = authorized !== undefined && amountOf(authorized, currency)?.minor !== amountMinor;
  if ((type === 'sale' || type === 'auth') && (isPart || of('partial_payment_id') !== undefined))
    return {
      kind: 'declined',
      declineCode: 'card_declined',
      declineReason: 'Only a part of the amount was approved.',
      heldUnder: reference,
    };
  const authCode = of('authcode');
  return {
    kind: 'approved',
    reference,
    authCode: authCode !== undefined && AUTH_CODE.test(authCode) ? authCode : undefined,
    ...checks,
    chainReference: chainReference ?? reference,
  };
}

/** The meaning of a code, and of a text where the code leaves it to that. */
export function meaningOf(code: string, text: string): Meaning {
  const meaning = meaningOfCode(code);
  if (meaning.is !== 'by-text') return meaning;
  return meaningOfText(text) ?? { is: 'refused', reason: '' };
}

/** The text of an issuer that asks for a call is shown unchanged. */
export function declinedBy(
  meaning: Extract<Meaning, { is: 'declined' }>,
  words: string,
  adviceCode?: string,
): Extract<Outcome, { kind: 'declined' }> {
  const declineReason = meaning.code === 'call_issuer' && words !== '' ? words : meaning.reason;
  return { kind: 'declined', declineCode: meaning.code, declineReason, advice: adviceOf(meaning, adviceCode) };
}

function withoutEffect(meaning: Meaning, code: string, words: string, adviceCode: string | undefined): Outcome | Unsettled {
  const told = (text: string) => (words === '' ? text : words);
  switch (meaning.is) {
    case 'declined':
      return declinedBy(meaning, words, adviceCode);
    case 'refused': {
      const reason = meaning.reason === '' ? told('The processor refused it.') : meaning.reason;
      return { kind: 'not-sent', reason, retry: 'error', code: meaning.code };
    }
    case 'busy':
      return { kind: 'not-sent', reason: 'The processor takes no more questions for now.', retry: 'unavailable' };
    case 'set-up':
      return { kind: 'not-sent', reason: told(`The account is not set up for this (${code}).`), retry: 'error', alert: 'set-up' };
    case 'unknown-original':
      return { kind: 'not-sent', reason: told('The processor does not know this payment.'), retry: 'error', alert: 'unknown-original' };
    case 'duplicate':
    case 'too-late':
      return { kind: 'look', for: meaning.is };
    default:
      return doubt(code, words);
  }
}
