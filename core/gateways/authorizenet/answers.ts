import type { Outcome } from '../connector.ts';
import { authCodeOf, type Heard, type Json, listOf, messageOf, objectOf, referenceOf, textOf } from './client.ts';
import { avsOf, cvvOf, type Meaning, meaningOfMessage, meaningOfReason } from './mapping.ts';

/** No transaction was made. */
const NO_TRANSACTION = '0';
/** The response wraps a declined or failed transaction, whose own code gives the reason. */
const WRAPPED = 'E00027';
/** An account in test mode answers like this: it keeps nothing. */
const NAMELESS: Outcome = { kind: 'unknown', cause: 'The processor approved a payment that it has no name for.', alert: 'set-up' };

/** Interprets a response to `createTransaction`, with texts made safe by `clean`. An unrecognized response is an unknown outcome. */
export function outcomeOf(heard: Heard, clean: (text: string) => string): Outcome {
  if (heard.kind === 'not-sent') return { kind: 'not-sent', reason: heard.reason, retry: 'unavailable' };
  if (heard.kind === 'lost') return { kind: 'unknown', cause: heard.reason };
  const { answer } = heard;
  const around = messageOf(answer);
  const transaction = objectOf(answer.transactionResponse);
  if (transaction !== null && textOf(transaction.responseCode) !== undefined) return outcomeOfTransaction(transaction, around.isOk, clean);
  if (around.isOk || around.code === '' || around.code === WRAPPED)
    return { kind: 'unknown', cause: 'The answer of the processor tells of no transaction.' };
  return told(meaningOfMessage(around.code), clean(around.code), clean(around.text), undefined);
}

function outcomeOfTransaction(transaction: Json, isOk: boolean, clean: (text: string) => string): Outcome {
  const [error] = listOf(transaction.errors);
  const [message] = listOf(transaction.messages);
  const reason = textOf(error?.errorCode) ?? textOf(message?.code) ?? '';
  const words = clean(textOf(error?.errorText) ?? textOf(message?.description) ?? '');
  const reference = referenceIn(transaction);
  const checks = { avsResponse: avsOf(textOf(transaction.avsResultCode)), cvvResponse: cvvOf(textOf(transaction.cvvResultCode)) };
  const meaning = meaningOfReason(reason);
  const code = clean(reason);
  switch (textOf(transaction.responseCode)) {
    case '1':
      if (meaning?.is === 'partial') return told(meaning, code, words, reference);
      // An approval beside an error, or for a reason that is none, contradicts itself.
      if (!isOk || error !== undefined || (reason !== '' && meaning?.is !== 'approved'))
        return { kind: 'unknown', cause: `The processor approved it with the reason ${code}.` };
      if (reference === undefined) return NAMELESS;
      return {
        kind: 'approved',
        reference,
        authCode: authCodeOf(transaction.authCode),
        ...checks,
        chainReference: textOf(transaction.networkTransId),
      };
    case '2': {
      // Declined for a reason that the tables do not know; a code that the tables do not call a decline is inquired about.
      const outcome: Outcome = meaning
        ? told(meaning, code, words, reference)
        : { kind: 'declined', declineCode: 'card_declined', declineReason: words || 'The payment was declined.' };
      return outcome.kind === 'declined' ? { ...outcome, ...checks } : outcome;
    }
    case '3': {
      const outcome = told(meaning, code, words, reference);
      return outcome.kind === 'declined' ? { ...outcome, ...checks } : outcome;
    }
    case '4':
      if (meaning?.is === 'partial') return told(meaning, code, words, reference);
      return reference === undefined
        ? { kind: 'unknown', cause: 'The processor holds a payment that it has no name for.' }
        : { kind: 'pending', reference, reason: 'held_for_review' };
    default:
      return {
        kind: 'unknown',
        cause: `The processor answered with the response code ${clean(textOf(transaction.responseCode) ?? 'none')}.`,
      };
  }
}

function referenceIn(transaction: Json): string | undefined {
  const reference = referenceOf(transaction.transId);
  return reference === NO_TRANSACTION ? undefined : reference;
}

/** Returns the meaning of a code in the tables, with the processor's text where the table has none. */
function told(meaning: Meaning | undefined, code: string, words: string, reference: string | undefined): Outcome {
  const doubt: Outcome = { kind: 'unknown', cause: words || `The processor answered ${code}.` };
  switch (meaning?.is) {
    case 'declined':
      return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason };
    case 'declined-but-held':
      if (reference === undefined) return { ...doubt, alert: 'processor-at-a-loss' };
      return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason, heldUnder: reference };
    case 'partial':
      if (reference === undefined) return doubt;
      return {
        kind: 'declined',
        declineCode: 'card_declined',
        declineReason: 'Only a part of the amount was approved.',
        heldUnder: reference,
      };
    case 'refused':
      return { kind: 'not-sent', reason: meaning.reason, retry: 'error', code: meaning.code };
    case 'not-readable':
      return { kind: 'not-sent', reason: words || meaning.reason, retry: 'error' };
    case 'not-refundable':
      return { kind: 'not-sent', reason: 'The processor does not refund this payment.', retry: 'error', code: 'NOT_REFUNDABLE' };
    case 'set-up':
      return { kind: 'not-sent', reason: words || `The account is not set up for this (${code}).`, retry: 'error', alert: 'set-up' };
    case 'unknown-original':
      return { kind: 'not-sent', reason: words || 'The processor does not know this payment.', retry: 'error', alert: 'unknown-original' };
    default:
      return doubt;
  }
}
