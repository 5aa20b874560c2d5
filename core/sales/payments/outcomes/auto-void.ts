import { isoTime, later, realNow, serviceActor } from '#core/kernel';
import { released } from '#core/platform/scheduling';
import { finishAttempt, newAttempt } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import type { Dependencies } from '../dependencies.ts';
import { ATTEMPTS, type AttemptRow, type TransactionRow } from '../schema.ts';

/** Delays between attempts; after the last one, every hour. The void is retried until it succeeds. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000] as const;
const LAST_RETRY_DELAY_MS = 3_600_000;

/** Returns the void of a payment that the gateway approved and the merchant's rules declined. It is written with the decline. */
export function autoVoidOf(deps: Dependencies, row: TransactionRow): AttemptRow {
  return newAttempt(deps, serviceActor(row.tenant_id), {
    transactionId: row.id,
    operation: 'void',
    via: row,
    amountMinor: row.amount_minor,
    currency: row.currency,
  });
}

/**
 * Returns true if an attempt is the automatic void after such a decline or a late approval. No request can void a declined or failed
 * payment.
 */
export function isAutoVoid(attempt: Pick<AttemptRow, 'operation'>, row: Pick<TransactionRow, 'status'>): boolean {
  return attempt.operation === 'void' && (row.status === 'declined' || row.status === 'failed');
}

const REASONS: Readonly<Partial<Record<TransactionRow['status'], string>>> = {
  declined: 'The payment was declined by a rule of the merchant.',
  failed: 'The gateway approved the payment after it had been recorded as failed.',
};

/** Sends the void. Returns false if it was not approved; recovery then repeats it with the same reference. */
export async function sendAutoVoid(deps: Dependencies, attempt: AttemptRow, row: TransactionRow): Promise<boolean> {
  const outcome = await callGatewayFor(deps, row, attempt);
  const at = isoTime(deps.clockOf(row.tenant_id).now());
  if (outcome.kind === 'approved' || (outcome.kind === 'not-sent' && outcome.code === 'ALREADY_VOIDED')) {
    await deps.database.unitOfWork.transaction(row.tenant_id, async (work) => {
      await finishAttempt(work, attempt, 'approved', REASONS[row.status] ?? null, at);
      work.afterCommit(() => deps.changed(row.tenant_id, 'transactions', row.merchant_id));
    });
    return true;
  }
  const isTooLate = outcome.kind === 'not-sent' && outcome.code === 'RESOURCE_CONFLICT';
  const alert = isTooLate ? 'void-too-late' : 'alert' in outcome ? (outcome.alert ?? null) : null;
  const delay = RETRY_DELAYS_MS[attempt.inquiries] ?? LAST_RETRY_DELAY_MS;
  deps.report('The void of a declined or failed payment did not succeed at its gateway. It will be retried.', {
    transactionId: row.id,
    outcome: outcome.kind,
    alert,
    againInMs: delay,
  });
  const retry = {
    state: 'unconfirmed',
    inquiries: attempt.inquiries + 1,
    last_inquiry_at: isoTime(Date.now()),
    alert,
    ...released(later(realNow(), delay)),
  } as const;
  await deps.database.unitOfWork.transaction(row.tenant_id, (work) =>
    work.update(ATTEMPTS, { id: attempt.id, fence: attempt.fence, state: attempt.state }, retry),
  );
  return false;
}
