import type { Work } from '#core/database';
import { released } from '#core/platform/scheduling';
import type { Outcome } from '#core/processing/gateways';
import type { Dependencies } from '../dependencies.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';

/**
 * Captures at gateways that cannot cancel them: Paydesk accepts them immediately and sends them shortly before the gateway's
 * cutoff. Until then a capture can be canceled exactly, and settlements leave it out.
 */

/** Returns the time until which a capture made now is held; undefined if it is sent immediately. */
export async function captureHeldUntil(deps: Dependencies, row: TransactionRow): Promise<number | undefined> {
  const { capabilities } = await deps.gateways.connectorFor(row.tenant_id, row.gateway_id);
  if (capabilities.cancelsCaptures) return undefined;
  return (await deps.captureSendTime(row.tenant_id, row.gateway_id ?? '', deps.clockOf(row.tenant_id).now())) ?? undefined;
}

/** Returns true if Paydesk decides an attempt itself: the cancellation of a capture that its gateway does not know. */
export function isDecidedByPaydesk(row: TransactionRow, { operation }: AttemptRow): boolean {
  return operation === 'cancel_capture' && row.capture_held_until !== null;
}

/** Returns the outcome of such an attempt. */
export function approvedByPaydesk(row: TransactionRow): Outcome {
  return { kind: 'approved', reference: row.gateway_reference ?? '' };
}

/** Cancels a held capture because its capture was canceled, or the payment was voided or fully refunded. Requires the transaction's lock. */
export async function cancelHeldCapture(work: Work, row: TransactionRow, at: string): Promise<void> {
  if (row.capture_held_until === null) return;
  const [heldCapture] = await work.find(ATTEMPTS, { transaction_id: row.id, operation: 'capture', state: 'held' });
  if (!heldCapture) return;
  const set = { state: 'done', result: 'cancelled', reason: 'It was never sent.', ...released(null), concluded_at: at } as const;
  await work.update(ATTEMPTS, { id: heldCapture.id }, set);
}

const RETRY_DELAY_MS = 60_000;

/** Returns the time of the next attempt to send a held capture, in real time. It is soon, because the batch closes. */
export const nextCaptureAttemptAt = (nowMs: number): number => nowMs + RETRY_DELAY_MS;
