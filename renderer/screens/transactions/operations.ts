import { api, type Refund, type Transaction, take, takeData } from '#renderer/client';

/** Which transaction, and under which Idempotency-Key. */
const on = (id: string, key: string) => ({ path: { id }, header: { 'Idempotency-Key': key } });

/** Captures an authorization; `amount` as decimal text, below the authorized one releases the rest. */
export function captureTransaction(id: string, amount: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/capture', { params: on(id, key), body: { amount } }));
}

export function cancelCapture(id: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/cancel-capture', { params: on(id, key) }));
}

export function voidTransaction(id: string, reason: string, key: string): Promise<Transaction> {
  return takeData(api.POST('/api/v1/transactions/{id}/void', { params: on(id, key), body: reason === '' ? {} : { reason } }));
}

/** A refund may be declined by the processor: that too is an answer. */
export async function refundTransaction(id: string, amount: string, reason: string, key: string): Promise<Refund> {
  const body = { amount, ...(reason !== '' && { reason }) };
  return (await take(api.POST('/api/v1/transactions/{id}/refund', { params: on(id, key), body }))).data;
}

/** The new transaction of type credit, approved or declined. */
export async function creditTransaction(id: string, amount: string, key: string): Promise<Transaction> {
  return (await take(api.POST('/api/v1/transactions/{id}/credit', { params: on(id, key), body: { amount } }))).data;
}

/** The new transaction, approved or declined. */
export async function rerunTransaction(id: string, key: string): Promise<Transaction> {
  return (await take(api.POST('/api/v1/transactions/{id}/rerun', { params: on(id, key) }))).data;
}
