import type { Work } from '#core/database';
import type { Outcome } from '#core/gateways';
import { released } from '#core/platform/scheduling';
import type { Needs } from '../needs.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';

/**
 * Captures at gateways that take none back (decisions 10): they are decided here at once, and their gateway is told shortly before its cut-off. Until
 * then a capture can be cancelled exactly, and settlements leave it out.
 */

/** Until when a capture of a payment made now waits here; undefined where its gateway is told at once. */
export async function captureHeldUntil(on: Needs, row: TransactionRow): Promise<number | undefined> {
  if (await takesCapturesBack(on, row)) return undefined;
  return (await on.holdOf(row.tenant_id, row.gateway_id ?? '', on.clockOf(row.tenant_id).now())) ?? undefined;
}

export async function takesCapturesBack(on: Needs, { tenant_id, gateway_id }: TransactionRow): Promise<boolean> {
  return (await on.gateways.of(tenant_id, gateway_id)).capabilities.cancelsCaptures;
}

/** Whether an attempt asks for what is decided here alone: to cancel a capture that its gateway does not know. */
export function isDecidedHere(row: TransactionRow, { operation }: AttemptRow): boolean {
  return operation === 'cancel_capture' && row.capture_held_until !== null;
}

export function decidedHere(row: TransactionRow): Outcome {
  return { kind: 'approved', reference: row.gateway_reference ?? '' };
}

/** Gives up the capture that waits, since the payment was uncaptured, voided or given back whole; under the transaction's lock. */
export async function dropHeldCapture(work: Work, row: TransactionRow, at: string): Promise<void> {
  if (row.capture_held_until === null) return;
  const [held] = await work.find(ATTEMPTS, { transaction_id: row.id, operation: 'capture', state: 'held' });
  if (!held) return;
  const set = { state: 'done', result: 'cancelled', reason: 'It was never sent.', ...released(null), concluded_at: at } as const;
  await work.update(ATTEMPTS, { id: held.id }, set);
}

const AGAIN_MS = 60_000;

/** When a capture that its gateway could not be told of is tried again, in real time: soon, since the batch closes. */
export const captureAgainAt = (nowMs: number): number => nowMs + AGAIN_MS;
