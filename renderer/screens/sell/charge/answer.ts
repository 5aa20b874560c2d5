import type { ApiFailure, Transaction } from '#renderer/client';

/** A decline (specification 7.3, decisions 4). */
export interface Decline {
  readonly transactionId: string;
  readonly declineCode: string;
  readonly declineReason: string;
  readonly avsResponse: string | null;
  readonly cvvResponse: string | null;
}

/** Reason why the service refused the request; the form stays unchanged. */
export type Refusal = Pick<ApiFailure, 'code' | 'status' | 'message' | 'field' | 'details' | 'requestId' | 'retryAtMs'>;

/** Result of a charge. */
export type Answer =
  | { readonly kind: 'approved' | 'pending'; readonly transaction: Transaction }
  | { readonly kind: 'declined'; readonly decline: Decline }
  /** The processor's answer was lost: an inquiry finds the outcome, and the card must not be charged again until then. */
  | { readonly kind: 'doubt'; readonly transactionId: string }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The service itself gave no answer. The same request under the same key may be sent again. */
  | { readonly kind: 'silence' };

/** Interprets the body of a response. An unreadable body is silence: never a decline, never an approval. */
export function readBody(body: unknown): Answer {
  const { success, data } = record(body);
  const { status, transactionId } = record(data);
  if (success === true && typeof transactionId === 'string') {
    return { kind: status === 'pending' ? 'pending' : 'approved', transaction: data as Transaction };
  }
  return status === 'declined' ? { kind: 'declined', decline: declineOf(record(data)) } : { kind: 'silence' };
}

const OWN_CODE = /^HTTP_\d+$/;

/** Interprets a response without success. One that does not come from the service says nothing about the charge. */
export function readFailure(failure: Refusal): Answer {
  if (failure.status === 0 || OWN_CODE.test(failure.code)) return { kind: 'silence' };
  const { transactionId } = failure.details;
  if (failure.code === 'GATEWAY_TIMEOUT' && typeof transactionId === 'string') return { kind: 'doubt', transactionId };
  return { kind: 'refused', refusal: failure };
}

/** The decline in a transaction that was in doubt and has ended as declined. */
export function declineOf(data: Partial<Record<keyof Decline, unknown>>): Decline {
  return {
    transactionId: text(data.transactionId) ?? '',
    declineCode: text(data.declineCode) ?? '',
    declineReason: text(data.declineReason) ?? 'Declined',
    avsResponse: text(data.avsResponse),
    cvvResponse: text(data.cvvResponse),
  };
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
