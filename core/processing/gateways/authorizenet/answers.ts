import { type Currency, type Money, money } from '#core/kernel';
import type { Outcome } from '../outcome.ts';
import { authCodeOf, type Json, listOf, messageOf, objectOf, type ProcessorResponse, referenceOf, textOf } from './client.ts';
import { avsOf, cvvOf, type Meaning, meaningOfMessage, meaningOfReason } from './mapping.ts';
import { minorOf } from './money.ts';

/** Transaction ID of a response without a transaction. */
const NO_TRANSACTION = '0';
/** The response wraps a declined or failed transaction, whose own code gives the reason. */
const WRAPPED = 'E00027';
/** Response of an account in test mode, which stores nothing. */
const APPROVED_WITHOUT_REFERENCE: Outcome = {
  kind: 'unknown',
  cause: 'The processor approved the payment without returning an ID.',
  alert: 'set-up',
};

/** Interprets a response to `createTransaction`, with texts made safe by `clean`. An unrecognized response is an unknown outcome. */
export function outcomeOf(response: ProcessorResponse, clean: (text: string) => string): Outcome {
  if (response.kind === 'not-sent') return { kind: 'not-sent', reason: response.reason, retry: 'unavailable' };
  if (response.kind === 'lost') return { kind: 'unknown', cause: response.reason };
  const { body } = response;
  const envelope = messageOf(body);
  const transaction = objectOf(body.transactionResponse);
  if (transaction !== null && textOf(transaction.responseCode) !== undefined)
    return outcomeOfTransaction(transaction, envelope.isOk, clean);
  if (envelope.isOk || envelope.code === '' || envelope.code === WRAPPED)
    return { kind: 'unknown', cause: 'The response of the processor contains no transaction.' };
  return outcomeOfMeaning(meaningOfMessage(envelope.code), clean(envelope.code), clean(envelope.text), undefined);
}

function outcomeOfTransaction(transaction: Json, isOk: boolean, clean: (text: string) => string): Outcome {
  const [error] = listOf(transaction.errors);
  const [message] = listOf(transaction.messages);
  const reason = textOf(error?.errorCode) ?? textOf(message?.code) ?? '';
  const text = clean(textOf(error?.errorText) ?? textOf(message?.description) ?? '');
  const reference = referenceOfTransaction(transaction);
  const checks = { avsResponse: avsOf(textOf(transaction.avsResultCode)), cvvResponse: cvvOf(textOf(transaction.cvvResultCode)) };
  const meaning = meaningOfReason(reason);
  const code = clean(reason);
  switch (textOf(transaction.responseCode)) {
    case '1':
      if (meaning?.kind === 'partial') return outcomeOfMeaning(meaning, code, text, reference);
      // An approval with an error, or with the reason of another result, contradicts itself.
      if (!isOk || error !== undefined || (reason !== '' && meaning?.kind !== 'approved'))
        return { kind: 'unknown', cause: `The processor approved the payment with the reason ${code}.` };
      if (reference === undefined) return APPROVED_WITHOUT_REFERENCE;
      return {
        kind: 'approved',
        reference,
        authCode: authCodeOf(transaction.authCode),
        ...checks,
        credentialReference: textOf(transaction.networkTransId),
      };
    case '2': {
      // A code that the tables do not contain is a decline. A code that the tables contain, but not as a decline, is handled by its meaning.
      const outcome: Outcome = meaning
        ? outcomeOfMeaning(meaning, code, text, reference)
        : { kind: 'declined', declineCode: 'card_declined', declineReason: text || 'The payment was declined.' };
      return outcome.kind === 'declined' ? { ...outcome, ...checks } : outcome;
    }
    case '3': {
      const outcome = outcomeOfMeaning(meaning, code, text, reference);
      return outcome.kind === 'declined' ? { ...outcome, ...checks } : outcome;
    }
    case '4':
      if (meaning?.kind === 'partial') return outcomeOfMeaning(meaning, code, text, reference);
      return reference === undefined
        ? { kind: 'unknown', cause: 'The processor holds the payment for review without returning an ID.' }
        : { kind: 'pending', reference, reason: 'held_for_review' };
    default:
      return {
        kind: 'unknown',
        cause: `The processor responded with the code ${clean(textOf(transaction.responseCode) ?? 'none')}.`,
      };
  }
}

/** Approved part of a payment, and the group that holds it until it is completed. */
export interface ApprovedPart {
  readonly splitTenderId: string;
  readonly approved: Extract<Outcome, { kind: 'approved' }>;
}

/** Returns the approved part of a payment, which the processor holds; null for any other response. */
export function approvedPartOf(response: ProcessorResponse, currency: Currency): ApprovedPart | null {
  const transaction = response.kind === 'response' ? objectOf(response.body.transactionResponse) : null;
  if (transaction === null) return null;
  const [message] = listOf(transaction.messages);
  const reference = referenceOfTransaction(transaction);
  const splitTenderId = referenceOf(transaction.splitTenderId);
  const minor = minorOf(objectOf(transaction.prePaidCard)?.approvedAmount, currency);
  const isPart = meaningOfReason(textOf(message?.code) ?? '')?.kind === 'partial';
  if (!isPart || reference === undefined || splitTenderId === undefined || minor === undefined) return null;
  return {
    splitTenderId,
    approved: {
      kind: 'approved',
      reference,
      authCode: authCodeOf(transaction.authCode),
      avsResponse: avsOf(textOf(transaction.avsResultCode)),
      cvvResponse: cvvOf(textOf(transaction.cvvResultCode)),
      credentialReference: textOf(transaction.networkTransId),
      charged: { amount: money(minor, currency) },
    },
  };
}

/** Returns true if a response states that another amount than that of its payment was approved. */
export function statesOtherAmount(response: ProcessorResponse, { minor, currency }: Money): boolean {
  const transaction = response.kind === 'response' ? objectOf(response.body.transactionResponse) : null;
  const stated = objectOf(transaction?.prePaidCard)?.approvedAmount;
  return textOf(stated) !== undefined && minorOf(stated, currency) !== minor;
}

function referenceOfTransaction(transaction: Json): string | undefined {
  const reference = referenceOf(transaction.transId);
  return reference === NO_TRANSACTION ? undefined : reference;
}

/** Returns the meaning of a code in the tables, with the processor's text where the table has none. */
function outcomeOfMeaning(meaning: Meaning | undefined, code: string, text: string, reference: string | undefined): Outcome {
  const unknownOutcome: Outcome = { kind: 'unknown', cause: text || `The processor responded ${code}.` };
  switch (meaning?.kind) {
    case 'declined':
      return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason };
    case 'declined-but-held':
      if (reference === undefined) return { ...unknownOutcome, alert: 'processor-at-a-loss' };
      return { kind: 'declined', declineCode: meaning.code, declineReason: meaning.reason, referenceToVoid: reference };
    case 'partial':
      if (reference === undefined) return unknownOutcome;
      return {
        kind: 'declined',
        declineCode: 'card_declined',
        declineReason: 'Only a part of the amount was approved.',
        referenceToVoid: reference,
      };
    case 'refused':
      return { kind: 'not-sent', reason: meaning.reason, retry: 'error', code: meaning.code };
    case 'not-readable':
      return { kind: 'not-sent', reason: text || meaning.reason, retry: 'error' };
    case 'not-refundable':
      return { kind: 'not-sent', reason: 'The processor cannot refund this payment.', retry: 'error', code: 'NOT_REFUNDABLE' };
    case 'set-up':
      return { kind: 'not-sent', reason: text || `The account is not set up for this (${code}).`, retry: 'error', alert: 'set-up' };
    case 'unknown-original':
      return { kind: 'not-sent', reason: text || 'The processor does not know this payment.', retry: 'error', alert: 'unknown-original' };
    default:
      return unknownOutcome;
  }
}
