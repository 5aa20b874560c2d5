import { isoTime, later, realNow } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import type { Outcome } from '#core/processing/gateways';
import { sendingUntil } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { isRefusal } from '../outcome.ts';
import { conclude } from '../outcomes/conclude.ts';
import { finishRefund } from '../refund/finish-refund.ts';
import { lockTransaction } from '../repository.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';

/** Delay if another change of the payment is in progress, or its capture must be sent first. */
const RETRY_DELAY_MS = 60_000;

/** Sends a held capture or refund that is due. The attempt is marked as sent first, so that it is sent only once. */
export async function sendHeld(deps: Dependencies, held: AttemptRow): Promise<string> {
  return deps.serial.run(held.transaction_id, async () => {
    const started = await startSending(deps, held);
    if (!started) return 'skipped';
    const { row, attempt } = started;
    const outcome = withoutCaptureConflict(await callGatewayFor(deps, row, attempt));
    try {
      if (attempt.refund_id === null) await conclude(deps, attempt, outcome);
      else await finishRefund(deps, row, attempt, outcome);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return 'sent';
  });
}

/** Returns an unknown outcome if the payment is already captured at the gateway, by another party or by a request of Paydesk whose response was lost. An inquiry then decides. */
function withoutCaptureConflict(outcome: Outcome): Outcome {
  const isAlreadyCaptured = outcome.kind === 'not-sent' && outcome.code === 'ALREADY_CAPTURED';
  return isAlreadyCaptured ? { kind: 'unknown', cause: outcome.reason } : outcome;
}

async function startSending(deps: Dependencies, { tenant_id, id, transaction_id, fence }: AttemptRow) {
  return deps.database.unitOfWork.transaction(
    tenant_id,
    async (work): Promise<{ readonly row: TransactionRow; readonly attempt: AttemptRow } | null> => {
      const row = await lockTransaction(work, transaction_id);
      const attempt = await work.lockOne(ATTEMPTS, { id });
      if (attempt?.state !== 'held' || attempt.fence !== fence) return null;
      const isCapture = attempt.operation === 'capture';
      if (row.pending_attempt !== null || (!isCapture && row.capture_held_until !== null)) {
        await work.update(ATTEMPTS, { id }, released(later(realNow(), RETRY_DELAY_MS)));
        return null;
      }
      const sending = {
        state: 'sending',
        created_at: isoTime(deps.clockOf(tenant_id).now()),
        ...released(sendingUntil(deps, tenant_id)),
      } as const;
      await work.update(ATTEMPTS, { id }, sending);
      if (isCapture) await work.update(TRANSACTIONS, { id: row.id }, { pending_attempt: id });
      return { row, attempt: { ...attempt, ...sending } };
    },
  );
}
