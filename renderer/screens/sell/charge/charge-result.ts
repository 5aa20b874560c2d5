import type { ApiFailure, Transaction } from '#renderer/base/client';
import { serviceText, t } from '#renderer/base/language';

/** A decline. */
export interface Decline {
  readonly transactionId: string;
  readonly declineCode: string;
  readonly declineReason: string;
  readonly avsResponse: string | null;
  /** Address that was sent, so that the result of its check names only what was checked. */
  readonly billing: Transaction['billing'];
  readonly cvvResponse: string | null;
}

/** Reason why the service refused the request; the form stays unchanged. */
export type Refusal = Pick<ApiFailure, 'code' | 'status' | 'message' | 'field' | 'details' | 'requestId' | 'retryAtMs'>;

/** Result of a charge. */
export type ChargeResult =
  | { readonly kind: 'approved' | 'pending'; readonly transaction: Transaction }
  | { readonly kind: 'declined'; readonly decline: Decline }
  /** The processor's response was lost: an inquiry finds the outcome, and the card must not be charged again until then. */
  | { readonly kind: 'unconfirmed'; readonly transactionId: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The service itself did not respond. The same request may be sent again under the same key. */
  | { readonly kind: 'no-response' };

/** Interprets the body of a response. An unreadable body counts as no response: never a decline, never an approval. */
export function readBody(body: unknown): ChargeResult {
  const { success, data } = record(body);
  const { status, transactionId } = record(data);
  if (success === true && typeof transactionId === 'string') {
    return { kind: status === 'pending' ? 'pending' : 'approved', transaction: data as Transaction };
  }
  return status === 'declined' ? { kind: 'declined', decline: declineOf(record(data)) } : { kind: 'no-response' };
}

const FOREIGN_ERROR_CODE = /^HTTP_\d+$/;

/** Interprets an error response. An error that does not come from the service, such as one of a proxy, says nothing about the charge. */
export function readFailure(failure: Refusal): ChargeResult {
  if (failure.status === 0 || FOREIGN_ERROR_CODE.test(failure.code)) return { kind: 'no-response' };
  const { transactionId } = failure.details;
  if (failure.code === 'GATEWAY_TIMEOUT' && typeof transactionId === 'string') return { kind: 'unconfirmed', transactionId };
  return { kind: 'refused', refusal: failure };
}

/** Returns the decline of a transaction that was unconfirmed and is declined now. */
export function declineOf(data: Partial<Record<keyof Decline, unknown>>): Decline {
  return {
    transactionId: text(data.transactionId) ?? '',
    declineCode: text(data.declineCode) ?? '',
    declineReason: serviceText(text(data.declineReason) ?? '') || t('Declined'),
    avsResponse: text(data.avsResponse),
    billing: (data.billing ?? null) as Decline['billing'],
    cvvResponse: text(data.cvvResponse),
  };
}

/** Returns true if the outcome of the charge is certain, so that the next charge is another one. */
export function isCertain(result: ChargeResult): boolean {
  if (result.kind === 'no-response') return false;
  return (
    result.kind !== 'refused' ||
    isStateRefusal(result.refusal) ||
    (result.refusal.status < 500 && result.refusal.status !== 429 && result.refusal.code !== 'RESOURCE_CONFLICT')
  );
}

/** Returns true if a card reader did not take the payment, because it is in use or offline. Nothing was charged. */
export function isReaderRefusal({ code, details }: Pick<Refusal, 'code' | 'details'>): boolean {
  return code === 'RESOURCE_CONFLICT' && (details.reason === 'terminal_busy' || details.reason === 'terminal_offline');
}

/**
 * Returns true if a record refused the payment in its present state: an order that another person has, an expired gift card, or a drawer without a shift, for
 * example. Nothing was charged. A conflict of the idempotency key is none, because an earlier request may have charged.
 */
export function isStateRefusal({ code, field, details }: Pick<Refusal, 'code' | 'field' | 'details'>): boolean {
  return code === 'RESOURCE_CONFLICT' && field !== 'Idempotency-Key' && typeof details.reason === 'string';
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
