import { type Actor, isoTime, type Money, newId, parseMoney, ServiceError, step, storedCurrency } from '#core/kernel';
import { askAbout } from '../attempts/ask.ts';
import { newAttempt, writeIntent } from '../attempts/attempts.ts';
import { checkScope, refuseWhileBusy } from '../capture/change.ts';
import type { Needs } from '../needs.ts';
import { lockTransaction, readRefund } from '../repository.ts';
import { ATTEMPTS, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { TRANSACTION_STEPS } from '../steps.ts';
import { type Refund, toRefund } from '../transaction.ts';
import { amountOf, refundable, stateOf, wayOf } from './eligibility.ts';
import { endRefund, waitForBatch } from './refund-ways.ts';

export interface RefundInput {
  readonly transactionId: string;
  /** Without it, all that is neither refunded nor held by a refund under way. */
  readonly amount?: string | number;
  readonly reason?: string;
  readonly metadata?: Record<string, unknown>;
  /** Whether the customer gets a message when it is approved. */
  readonly notifyCustomer?: boolean;
}

/**
 * Gives money of a captured transaction back, whole or in part (specification 3.1, 4.4, 4.5). The amount is reserved with the intent, so refunds at
 * once never exceed what was captured. A decline is a normal result with status `declined`. Throws NOT_REFUNDABLE with `details.reason`,
 * ALREADY_REFUNDED, INVALID_AMOUNT (422 with what is available), NOT_FOUND, GATEWAY_ERROR, GATEWAY_TIMEOUT.
 */
export async function refund(on: Needs, by: Actor, input: RefundInput): Promise<Refund> {
  const { transactionId } = input;
  const before = await known(on, by, transactionId);
  if (input.amount !== undefined) parseMoney(input.amount, storedCurrency(before.currency));
  return on.serial.run(transactionId, async () => {
    const { row, attempt, way } = await writeIntent(on, by, async (work) => {
      const found = await lockTransaction(work, transactionId);
      step(TRANSACTION_STEPS, stateOf(found), 'refund', { transactionId });
      const amount = amountOf(found, input.amount);
      refuseWhileBusy(found);
      const now = on.clockOf(by.tenantId).now();
      const refundId = newId('ref', now);
      const way = wayOf(found, amount.minor);
      const opened = newAttempt(on, by, {
        transactionId,
        refundId,
        operation: way === 'void' ? 'void' : 'refund',
        via: found,
        amountMinor: amount.minor,
        currency: found.currency,
      });
      const written = refundRow(found, refundId, amount, input, opened.processor_ref, isoTime(now));
      work.insert(REFUNDS, { ...written, sent_as: way === 'void' ? 'void' : null });
      work.insert(ATTEMPTS, opened);
      await work.update(
        TRANSACTIONS,
        { id: transactionId },
        {
          reserved_minor: found.reserved_minor + amount.minor,
          updated_at: isoTime(now),
          ...(way === 'void' ? { busy_attempt: opened.id } : {}),
        },
      );
      return { row: found, attempt: opened, way };
    });
    const ending =
      way === 'wait' ? await waitForBatch(on, attempt, null) : await endRefund(on, row, attempt, await askAbout(on, row, attempt));
    if ('refund' in ending) return ending.refund;
    return toRefund(await readRefund(on.database.read(by.tenantId), attempt.refund_id ?? ''));
  });
}

/** On refund operations an unknown transaction is NOT_FOUND (specification 7.4). */
async function known(on: Needs, by: Actor, transactionId: string): Promise<TransactionRow> {
  try {
    return await checkScope(on, by, transactionId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'TRANSACTION_NOT_FOUND') throw error;
    throw new ServiceError('NOT_FOUND', error.message, { details: { transactionId } });
  }
}

/** A refund as it is written before anything is sent. */
export function refundRow(
  row: TransactionRow,
  id: string,
  amount: Money,
  input: Omit<RefundInput, 'transactionId'>,
  processorRef: string,
  at: string,
): RefundRow {
  return {
    tenant_id: row.tenant_id,
    id,
    transaction_id: row.id,
    merchant_id: row.merchant_id,
    status: 'pending',
    amount_minor: amount.minor,
    remaining_minor: refundable(row).minor - amount.minor,
    currency: row.currency,
    type: amount.minor === row.captured_minor ? 'full' : 'partial',
    reason: input.reason ?? null,
    metadata: input.metadata ? JSON.stringify(input.metadata) : null,
    refunded_at: null,
    settled_at: null,
    settlement_date: null,
    settlement_id: null,
    decline_code: null,
    decline_reason: null,
    retry_scheduled_at: null,
    notify_customer: input.notifyCustomer ? 1 : 0,
    card_brand: row.card_brand,
    last4: row.last4,
    card_expiry: row.card_expiry,
    account_type: row.account_type,
    processor_ref: processorRef,
    sent_as: null,
    created_at: at,
  };
}
