import type { Outcome } from '#core/gateways';
import { isoTime, later, realNow } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { askAbout } from '../attempts/ask.ts';
import { sendingUntil } from '../attempts/attempts.ts';
import type { Needs } from '../needs.ts';
import { isRefusal } from '../outcome.ts';
import { endRefund } from '../refund/refund-ways.ts';
import { lockTransaction } from '../repository.ts';
import { conclude } from '../sale/conclude.ts';
import { ATTEMPTS, type AttemptRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';

/** Another change of the payment is under way, or its capture has to go first. */
const BUSY_MS = 60_000;

/** Sends what was decided here when its time has come; the attempt is marked as sent before, so that it is sent once. */
export async function sendHeld(on: Needs, held: AttemptRow): Promise<string> {
  return on.serial.run(held.transaction_id, async () => {
    const opened = await open(on, held);
    if (!opened) return 'skipped';
    const { row, attempt } = opened;
    const outcome = asDoubt(await askAbout(on, row, attempt));
    try {
      if (attempt.refund_id === null) await conclude(on, attempt, outcome);
      else await endRefund(on, row, attempt, outcome);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return 'sent';
  });
}

/** Captured there already, by somebody else or by a question of ours that was lost: inquiry tells whether it is what we decided. */
function asDoubt(outcome: Outcome): Outcome {
  const isThere = outcome.kind === 'not-sent' && outcome.code === 'ALREADY_CAPTURED';
  return isThere ? { kind: 'unknown', cause: outcome.reason } : outcome;
}

async function open(on: Needs, { tenant_id, id, transaction_id, fence }: AttemptRow) {
  return on.database.unitOfWork.run(
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
        created_at: isoTime(on.clockOf(tenant_id).now()),
        ...released(sendingUntil(on, tenant_id)),
      } as const;
      await work.update(ATTEMPTS, { id }, sending);
      if (isCapture) await work.update(TRANSACTIONS, { id: row.id }, { busy_attempt: id });
      return { row, attempt: { ...attempt, ...sending } };
    },
  );
}
