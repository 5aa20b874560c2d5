import type { Work } from '#core/database';
import { assert, type Currency, isoTime, money, ServiceError } from '#core/kernel';
import { type Ending, finishAttempt, type Needs, onceOf } from './needs.ts';
import { type Final, reasonOf, refusal, resultOf } from './outcome.ts';
import { lockRefund, lockTransaction, toRefund, toTransaction } from './repository.ts';
import { type AttemptRow, REFUNDS, type RefundRow, TRANSACTION_COUNTS, TRANSACTIONS, type TransactionRow } from './schema.ts';

/** Ends a capture, its cancellation, a void or a refund: the record changes with the attempt in one unit of work. */
export async function concludeChange(on: Needs, attempt: AttemptRow, outcome: Final): Promise<Ending> {
  const at = isoTime(on.clockOf(attempt.tenant_id).now());
  const failed = outcome.kind === 'not-sent' ? refusal(outcome, attempt) : null;
  const error = failed ?? refusedChange(attempt, outcome);
  const once = onceOf(attempt);
  const ending = await on.database.unitOfWork.run(attempt.tenant_id, async (work): Promise<Ending> => {
    const row = await lockTransaction(work, attempt.transaction_id);
    const mine = await finishAttempt(work, attempt, resultOf(outcome), reasonOf(outcome), at);
    const present =
      attempt.operation === 'refund'
        ? { refund: toRefund(await changeRefund(work, attempt, row, outcome, at, mine)) }
        : { transaction: toTransaction(mine ? await changeTransaction(work, attempt, row, outcome, at) : row) };
    if (once && failed) await on.once.release(work, once);
    else if (once) await on.once.finishIn(work, once, on.renderAnswer(once.route, error ? { error } : present));
    return present;
  });
  if (error) throw error;
  return ending;
}

/** A declined refund is a refund with that status; any other declined change left everything as it was. */
function refusedChange(attempt: AttemptRow, outcome: Final): ServiceError | null {
  if (outcome.kind !== 'declined' || attempt.operation === 'refund') return null;
  return new ServiceError('TRANSACTION_DECLINED', `The gateway refused: ${outcome.declineReason}`, {
    details: { transactionId: attempt.transaction_id, declineCode: outcome.declineCode },
  });
}

async function changeTransaction(
  work: Work,
  attempt: AttemptRow,
  row: TransactionRow,
  outcome: Final,
  at: string,
): Promise<TransactionRow> {
  const set: Partial<TransactionRow> = { busy_attempt: null, updated_at: at };
  if (outcome.kind === 'approved') {
    switch (attempt.operation) {
      case 'capture':
        Object.assign(set, { captured_minor: attempt.amount_minor, captured_at: at });
        break;
      case 'cancel_capture':
        Object.assign(set, { captured_minor: 0, captured_at: null });
        break;
      default: {
        assert(attempt.operation === 'void', 'a change of a transaction is a capture, its cancellation or a void');
        Object.assign(set, { status: 'voided', voided_at: at, captured_minor: 0 });
        const { tenant_id, merchant_id, day, type, method } = row;
        work.count(TRANSACTION_COUNTS, { tenant_id, merchant_id, day, status: row.status, type, method }, -1);
        work.count(TRANSACTION_COUNTS, { tenant_id, merchant_id, day, status: 'voided', type, method }, 1);
      }
    }
  } else if (attempt.operation === 'void') {
    set.void_reason = null;
  }
  await work.update(TRANSACTIONS, { id: row.id }, set);
  return { ...row, ...set };
}

async function changeRefund(
  work: Work,
  attempt: AttemptRow,
  row: TransactionRow,
  outcome: Final,
  at: string,
  mine: boolean,
): Promise<RefundRow> {
  assert(attempt.refund_id !== null, 'a refund attempt names its refund');
  const refund = await lockRefund(work, attempt.refund_id);
  if (!mine) return refund;
  const approved = outcome.kind === 'approved';
  const refunded = row.refunded_minor + (approved ? refund.amount_minor : 0);
  const reserved = row.reserved_minor - refund.amount_minor;
  await work.update(TRANSACTIONS, { id: row.id }, { refunded_minor: refunded, reserved_minor: reserved, updated_at: at });
  const set: Partial<RefundRow> = {
    status: approved ? 'approved' : outcome.kind === 'declined' ? 'declined' : 'failed',
    refunded_at: approved ? at : null,
    remaining_minor: money(row.captured_minor - refunded - reserved, row.currency as Currency).minor,
    decline_code: outcome.kind === 'declined' ? outcome.declineCode : null,
    decline_reason: outcome.kind === 'declined' ? outcome.declineReason : null,
  };
  await work.update(REFUNDS, { id: refund.id }, set);
  return { ...refund, ...set };
}
