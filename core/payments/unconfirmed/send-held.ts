import type { Outcome } from '#core/gateways';
import { isoTime, later, realNow } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { sendingUntil } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { isRefusal } from '../outcome.ts';
import { endRefund } from '../refund/finish-refund.ts';
import { lockTransaction } from '../repository.ts';
import { conclude } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';

/** Another change of the payment is under way, or its capture has to go first. */
const BUSY_MS = 60_000;

/** Sends what was decided here when its time has come; the attempt is marked as sent before, so that it is sent once. */
export async function sendHeld(deps: Dependencies, held: AttemptRow): Promise<string> {
  return deps.serial.run(held.transaction_id, async () => {
    const opened = await open(deps, held);
    if (!opened) return 'skipped';
    const { row, attempt } = opened;
    const outcome = asDoubt(await callGatewayFor(deps, row, attempt));
    try {
      if (attempt.refund_id === null) await conclude(deps, attempt, outcome);
      else await endRefund(deps, row, attempt, outcome);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return 'sent';
  });
}

/** Captured at the gateway already, by another party or by a lost request of Paydesk: an inquiry decides. */
function asDoubt(outcome: Outcome): Outcome {
  const isThere = outcome.kind === 'not-sent' && outcome.code === 'ALREADY_CAPTURED';
  return isThere ? { kind: 'unknown', cause: outcome.reason } : outcome;
}

async function open(deps: Dependencies, { tenant_id, id, transaction_id, fence }: AttemptRow) {
  return deps.database.unitOfWork.run(
    tenant_id,
    async (work): Promise<{ readonly row: TransactionRow; readonly attempt: AttemptRow } | null> => {
      const row = await lockTransaction(work, transaction_id);
      const attempt = await work.lockOne(ATTEMPTS, { id });
      if (attempt?.state !== 'held' || attempt.fence !== fence) return null;
      const isCapture = attempt.operation === 'capture';
      if (row.busy_attempt !== null || (!isCapture && row.capture_held_until !== null)) {
        await work.update(ATTEMPTS, { id }, released(later(realNow(), BUSY_MS)));
        return null;
      }
      const sending = {
        state: 'sending',
        created_at: isoTime(deps.clockOf(tenant_id).now()),
        ...released(sendingUntil(deps, tenant_id)),
      } as const;
      await work.update(ATTEMPTS, { id }, sending);
      if (isCapture) await work.update(TRANSACTIONS, { id: row.id }, { busy_attempt: id });
      return { row, attempt: { ...attempt, ...sending } };
    },
  );
}
