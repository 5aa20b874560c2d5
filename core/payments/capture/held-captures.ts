import type { Work } from '#core/database';
import type { Outcome } from '#core/gateways';
import { released } from '#core/platform/scheduling';
import type { Dependencies } from '../dependencies.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';

/**
 * Captures at gateways that cannot cancel them (decisions 10): Paydesk accepts them immediately and sends them shortly before the gateway's
 * cutoff. Until then a capture can be canceled exactly, and settlements leave it out.
 */

/** Returns the time until which a capture made now is held; undefined if it is sent immediately. */
export async function captureHeldUntil(deps: Dependencies, row: TransactionRow): Promise<number | undefined> {
  if (await takesCapturesBack(deps, row)) return undefined;
  return (await deps.holdOf(row.tenant_id, row.gateway_id ?? '', deps.clockOf(row.tenant_id).now())) ?? undefined;
}

export async function takesCapturesBack(deps: Dependencies, { tenant_id, gateway_id }: TransactionRow): Promise<boolean> {
  return (await deps.gateways.of(tenant_id, gateway_id)).capabilities.cancelsCaptures;
}

/** Returns true if an attempt concerns only Paydesk: canceling a capture that its gateway does not know. */
export function isDecidedHere(row: TransactionRow, { operation }: AttemptRow): boolean {
  return operation === 'cancel_capture' && row.capture_held_until !== null;
}

export function decidedHere(row: TransactionRow): Outcome {
  return { kind: 'approved', reference: row.gateway_reference ?? '' };
}

/** Drops a held capture because the payment was uncaptured, voided or fully refunded. Requires the transaction's lock. */
export async function dropHeldCapture(work: Work, row: TransactionRow, at: string): Promise<void> {
  if (row.capture_held_until === null) return;
  const [held] = await work.find(ATTEMPTS, { transaction_id: row.id, operation: 'capture', state: 'held' });
  if (!held) return;
  const set = { state: 'done', result: 'cancelled', reason: 'It was never sent.', ...released(null), concluded_at: at } as const;
  await work.update(ATTEMPTS, { id: held.id }, set);
}

const AGAIN_MS = 60_000;

/** Returns the time of the next attempt to send a held capture, in real time; soon, because the batch closes. */
export const captureAgainAt = (nowMs: number): number => nowMs + AGAIN_MS;
