import { api, type Refund, type Transaction, take, takeData } from '#renderer/base/client';
import type { RefundParts } from './returned-items.ts';

/** Parameters of a request: transaction ID and idempotency key. */
const paramsOf = (id: string, key: string) => ({ path: { id }, header: { 'Idempotency-Key': key } });

/** Captures an authorization; `amount` is decimal text. An amount below the authorized one releases the rest. */
export function captureTransaction(id: string, amount: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/capture', { params: paramsOf(id, key), body: { amount } }));
}

/** Raises or lowers an open authorization; `amount` is decimal text. */
export function adjustAuthorization(id: string, amount: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/adjust', { params: paramsOf(id, key), body: { amount } }));
}

/** Sets the tip of an open authorization or an unsettled payment; decimal text, 0 for none. */
export function adjustTip(id: string, tipAmount: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/tip', { params: paramsOf(id, key), body: { tipAmount } }));
}

export function cancelCapture(id: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/cancel-capture', { params: paramsOf(id, key) }));
}

export function voidTransaction(id: string, reason: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/void', { params: paramsOf(id, key), body: reason === '' ? {} : { reason } }));
}

/** `amount` and its parts are decimal text; without parts, all are returned in proportion. */
export interface RefundRequest extends Partial<RefundParts> {
  readonly amount: string;
  readonly reason: string;
  readonly metadata?: Record<string, string>;
}

/** Refunds a transaction. A decline of the processor is a normal result. */
export async function refundTransaction(id: string, { amount, reason, ...more }: RefundRequest, key: string): Promise<Refund> {
  const body = { amount, ...(reason !== '' && { reason }), ...more };
  return (await take(api.POST('/api/v1/transactions/{id}/refund', { params: paramsOf(id, key), body }))).data;
}

/** Creates an unlinked credit. Returns the new transaction, approved or declined. */
export async function creditTransaction(id: string, amount: string, key: string): Promise<Transaction> {
  return (await take(api.POST('/api/v1/transactions/{id}/credit', { params: paramsOf(id, key), body: { amount } }))).data;
}

/** Reruns a transaction. Returns the new transaction, approved or declined. */
export async function rerunTransaction(id: string, key: string): Promise<Transaction> {
  return (await take(api.POST('/api/v1/transactions/{id}/rerun', { params: paramsOf(id, key) }))).data;
}
