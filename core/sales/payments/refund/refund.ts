import {
  type Actor,
  type Currency,
  formatDecimal,
  isoTime,
  type Money,
  newId,
  parseMoney,
  ServiceError,
  storedCurrency,
} from '#core/kernel';
import { refundSubject } from '../approval-facts.ts';
import { newAttempt, writeIntent } from '../attempts/attempts.ts';
import { callGatewayFor } from '../attempts/call-gateway.ts';
import { checkScope } from '../capture/change.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkRefund, refundable, refundMethodOf } from '../eligibility.ts';
import { announceReturn } from '../order-payments.ts';
import { type Parts, type PartsInput, parseParts, partColumns, statesParts } from '../parts/parts.ts';
import { amountOfNamedParts, partsOfRefund } from '../parts/refunded-parts.ts';
import type { Refund } from '../records.ts';
import { lockTransaction, readRefund } from '../repository.ts';
import { ATTEMPTS, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { toRefund } from '../transaction.ts';
import { finishRefund, scheduleAfterBatch } from './finish-refund.ts';

/** Parts that a refund names are returned as named, and parts that it does not name then stay. Without names, all parts are returned in proportion. */
export interface RefundInput extends PartsInput {
  readonly transactionId: string;
  /** Default: the sum of the named parts, or else everything that is neither refunded nor reserved by a pending refund. */
  readonly amount?: string | number;
  readonly reason?: string;
  readonly metadata?: Record<string, unknown>;
  /** True if the customer gets a message after the approval. */
  readonly notifyCustomer?: boolean;
}

/**
 * Refunds all or a part of a captured transaction. The amount is reserved with the intent, so that parallel
 * refunds never exceed the captured amount. A decline is a normal result with status `declined`. @throws ServiceError NOT_REFUNDABLE with
 * `details.reason`, ALREADY_REFUNDED, INVALID_AMOUNT (422 with the available amount), NOT_FOUND, GATEWAY_ERROR, GATEWAY_TIMEOUT.
 */
export async function refund(deps: Dependencies, actor: Actor, input: RefundInput): Promise<Refund> {
  const { transactionId } = input;
  const before = await readRefundable(deps, actor, transactionId);
  const requested = requestedAmount(input, storedCurrency(before.currency));
  return deps.serial.run(transactionId, async () => {
    const shiftId = await deps.shiftOf(actor, before.merchant_id, before.currency);
    const {
      row,
      attempt,
      way: method,
    } = await writeIntent(deps, actor, async (work) => {
      const found = await lockTransaction(work, transactionId);
      const amount = checkRefund(found, requested);
      const parts = await partsOfRefund(work, found, amount, input);
      const subject = await refundSubject(work, found, amount, input.reason ?? null);
      await deps.checkApproval(work, actor, subject);
      await deps.claimSpending(work, actor, amount, subject.total);
      const now = deps.clockOf(actor.tenantId).now();
      const refundId = newId('ref', now);
      const method = refundMethodOf(found, amount.minor);
      const opened = newAttempt(deps, actor, {
        transactionId,
        refundId,
        operation: method === 'void' ? 'void' : 'refund',
        via: found,
        amountMinor: amount.minor,
        parts,
        currency: found.currency,
        shiftId,
      });
      const newRefund = {
        ...refundRow(found, refundId, { amount, parts }, input, opened.processor_ref, isoTime(now)),
        approved_by: actor.approval?.approvedBy ?? null,
      };
      await announceReturn(deps, work, actor, found, { refund: newRefund }, shiftId);
      work.insert(REFUNDS, { ...newRefund, sent_as: method === 'void' ? 'void' : null });
      work.insert(ATTEMPTS, opened);
      await work.update(
        TRANSACTIONS,
        { id: transactionId },
        {
          reserved_minor: found.reserved_minor + amount.minor,
          updated_at: isoTime(now),
          ...(method === 'void' ? { pending_attempt: opened.id } : {}),
        },
      );
      return { row: found, attempt: opened, way: method };
    });
    const result =
      method === 'wait'
        ? await scheduleAfterBatch(deps, attempt, null)
        : await finishRefund(deps, row, attempt, await callGatewayFor(deps, row, attempt));
    if ('refund' in result) return result.refund;
    return toRefund(await readRefund(deps.database.read(actor.tenantId), attempt.refund_id ?? ''));
  });
}

/** Returns the amount that a request asks for, in major units; undefined for everything that is left. @throws ServiceError INVALID_AMOUNT. */
function requestedAmount(input: RefundInput, currency: Currency): string | number | undefined {
  if (input.amount !== undefined) {
    parseParts(input, parseMoney(input.amount, currency));
    return input.amount;
  }
  if (!statesParts(input)) return undefined;
  const named = formatDecimal(amountOfNamedParts(input, currency));
  parseMoney(named, currency);
  return named;
}

/** Returns the transaction to refund. For refunds, an unknown transaction is NOT_FOUND. */
async function readRefundable(deps: Dependencies, actor: Actor, transactionId: string): Promise<TransactionRow> {
  try {
    return await checkScope(deps, actor, transactionId);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'TRANSACTION_NOT_FOUND') throw error;
    throw new ServiceError('NOT_FOUND', error.message, { details: { transactionId } });
  }
}

/** Returns a refund as it is written before the request is sent. */
export function refundRow(
  row: TransactionRow,
  id: string,
  { amount, parts }: { readonly amount: Money; readonly parts: Parts },
  input: Pick<RefundInput, 'reason' | 'metadata' | 'notifyCustomer'>,
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
    ...partColumns(parts),
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
    approved_by: null,
    sent_as: null,
    gift_card_id: null,
    created_at: at,
  };
}
