import { isoTime, later, realNow, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { askAbout } from '../attempts/ask.ts';
import { finishAttempt, newAttempt } from '../attempts/attempts.ts';
import type { Needs } from '../needs.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';

/** Waits before the next try; after the last, every hour. It is tried until it holds (decisions 10). */
const AGAIN_MS = [5_000, 30_000, 120_000, 600_000] as const;
const AGAIN_LAST_MS = 3_600_000;

/** The void of a payment that the gateway approved and the merchant's rules declined, to be written with the decline. */
export function autoVoidOf(on: Needs, row: TransactionRow): AttemptRow {
  return newAttempt(on, serviceActor(row.tenant_id), {
    transactionId: row.id,
    operation: 'void',
    via: row,
    amountMinor: row.amount_minor,
    currency: row.currency,
  });
}

/** Whether an attempt is the void that follows such a decline, or a late approval: nobody else may void a declined or failed payment. */
export function isAutoVoid(attempt: AttemptRow, row: TransactionRow): boolean {
  return attempt.operation === 'void' && (row.status === 'declined' || row.status === 'failed');
}

const WHY: Readonly<Partial<Record<TransactionRow['status'], string>>> = {
  declined: 'The payment was declined by a rule of the merchant.',
  failed: 'The gateway approved it after it had been recorded as failed.',
};

/** Asks for the void; anything but an approval leaves it to recovery, which asks again with the same reference. */
export async function carryOut(on: Needs, attempt: AttemptRow, row: TransactionRow): Promise<boolean> {
  const outcome = await askAbout(on, row, attempt);
  const at = isoTime(on.clockOf(row.tenant_id).now());
  if (outcome.kind === 'approved' || (outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED')) {
    await on.database.unitOfWork.run(row.tenant_id, async (work) => {
      await finishAttempt(work, attempt, 'approved', WHY[row.status] ?? null, at);
      work.afterCommit(() => on.changed(row.tenant_id, 'transactions'));
    });
    return true;
  }
  const isTooLate = outcome.kind === 'not-sent' && outcome.code === 'RESOURCE_CONFLICT';
  const alert = isTooLate ? 'void-too-late' : 'alert' in outcome ? (outcome.alert ?? null) : null;
  const delay = AGAIN_MS[attempt.inquiries] ?? AGAIN_LAST_MS;
  on.report('A payment that was not to be taken could not be voided at its gateway; it is tried again.', {
    transactionId: row.id,
    outcome: outcome.kind,
    alert,
    againInMs: delay,
  });
  const again = {
    state: 'doubt',
    inquiries: attempt.inquiries + 1,
    asked_at: isoTime(Date.now()),
    alert,
    ...released(later(realNow(), delay)),
  } as const;
  await on.database.unitOfWork.run(row.tenant_id, (work) =>
    work.update(ATTEMPTS, { id: attempt.id, fence: attempt.fence, state: attempt.state }, again),
  );
  return false;
}
