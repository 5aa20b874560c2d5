import { queriesOn, TENANT, type Work } from '#core/database';
import { type Actor, type Currency, dateIn, isoTime, type Money, money, serviceActor, type TenantTime, timeAfter } from '#core/kernel';
import type { TransferKind } from '#core/records/ledger';
import { countMovement } from '../aggregates/daily-aggregates.ts';
import { checkScope } from '../capture/change.ts';
import type { Dependencies } from '../dependencies.ts';
import { refuseWhileChanging } from '../eligibility.ts';
import { announceReturn } from '../order-payments.ts';
import { lockTransaction } from '../repository.ts';
import { ATTEMPTS, TRANSACTIONS, type TransactionRow } from '../schema.ts';
import { cancelWaitingRefunds } from './returns.ts';

const queries = queriesOn(TRANSACTIONS);

/** A payment, as a dispute reads it under the payment's lock. */
export interface DisputedPayment {
  readonly transactionId: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** Null for a bank account. */
  readonly cardBrand: string | null;
  /** Captured amount that is not charged back; 0 for a credit or a payment without a capture. */
  readonly disputable: Money;
  /** Part of `disputable` that was not refunded, and that no waiting refund reserves. */
  readonly unrefunded: Money;
  /** Time of the tenant, after the last change of the payment. */
  readonly now: TenantTime;
  readonly timeZone: string;
}

/** A payment as a processor refers to it. */
export interface ReportedPayment {
  readonly gatewayId: string;
  readonly reference: string;
  /** Paydesk's reference; empty if the processor reports none. */
  readonly processorRef: string;
}

/** A movement of money by a dispute. The amount is above 0. */
export interface DisputeTransfer {
  /** ID of the movement, which is also that of its ledger transfer. */
  readonly id: string;
  readonly disputeId: string;
  readonly kind: Extract<TransferKind, 'chargeback' | 'chargeback_reversed' | 'dispute_fee'>;
  readonly amount: Money;
}

/** Returns the ID of the payment that a processor reports about, by our reference or its own; null if there is none. */
export async function findReported(
  { database }: Dependencies,
  tenantId: string,
  { gatewayId, reference, processorRef }: ReportedPayment,
): Promise<string | null> {
  const read = database.read(tenantId);
  const sent = processorRef === '' ? [] : await read.find(ATTEMPTS, { processor_ref: processorRef }, { limit: 1 });
  const [attempt] = sent.filter(({ operation }) => operation === 'sale' || operation === 'auth');
  if (attempt) return attempt.transaction_id;
  // The condition is that of the index.
  const [settled] = await read.rows(
    queries
      .selectFrom('transactions')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('gateway_reference', '=', reference)
      .where('gateway_id', '=', gatewayId)
      .where('settlement_date', 'is not', null)
      .limit(1),
  );
  return settled?.id ?? null;
}

/** Locks a payment for a change of its dispute. The caller has checked the scope. @throws ServiceError TRANSACTION_NOT_FOUND, RESOURCE_CONFLICT. */
export async function lockDisputed(deps: Dependencies, work: Work, transactionId: string): Promise<DisputedPayment> {
  return disputedPayment(deps, await lockTransaction(work, transactionId));
}

/** Returns a payment in the view of its dispute, as it is now. @throws ServiceError TRANSACTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED, RESOURCE_CONFLICT. */
export async function readDisputed(deps: Dependencies, actor: Actor, transactionId: string): Promise<DisputedPayment> {
  return disputedPayment(deps, await checkScope(deps, actor, transactionId));
}

async function disputedPayment(deps: Dependencies, row: TransactionRow): Promise<DisputedPayment> {
  refuseWhileChanging(row);
  const { tenant_id: tenantId, id: transactionId } = row;
  const { timezone: timeZone } = await deps.merchantFor({ tenantId, merchantId: null }, row.merchant_id);
  const currency = row.currency as Currency;
  const isCharged = row.status === 'approved' && row.type !== 'credit' && row.returned_at === null;
  const disputable = isCharged ? row.captured_minor - row.disputed_minor : 0;
  return {
    transactionId,
    merchantId: row.merchant_id,
    currency,
    cardBrand: row.card_brand,
    disputable: money(disputable, currency),
    unrefunded: money(Math.max(0, disputable - row.refunded_minor - row.reserved_minor), currency),
    now: timeAfter(deps.clockOf(tenantId).now(), row.updated_at),
    timeZone,
  };
}

/**
 * Moves money of a disputed payment: posts it to the ledger, counts it for the reports, and changes the amount of the payment that can be
 * refunded. A chargeback cancels waiting refunds, because the same money must not be returned twice, and takes back the gift cards of its order. The caller holds the payment's lock.
 */
export async function transferDisputed(
  deps: Dependencies,
  work: Work,
  tenantId: string,
  { transactionId, timeZone, now }: DisputedPayment,
  { id, disputeId, kind, amount }: DisputeTransfer,
): Promise<void> {
  const locked = await lockTransaction(work, transactionId);
  const at = isoTime(now);
  const day = dateIn(timeZone, now);
  const change = { chargeback: amount.minor, chargeback_reversed: -amount.minor, dispute_fee: 0 }[kind];
  const disputed_minor = locked.disputed_minor + change;
  const isRefundedTwice = locked.refunded_minor + locked.reserved_minor + disputed_minor > locked.captured_minor;
  const row =
    kind === 'chargeback' && locked.reserved_minor > 0 && isRefundedTwice
      ? await cancelWaitingRefunds(deps, work, locked, now, 'The payment was charged back.')
      : locked;
  await work.update(TRANSACTIONS, { id: transactionId }, { disputed_minor, reserved_minor: row.reserved_minor, updated_at: at });
  if (change !== 0) await announceReturn(deps, work, serviceActor(tenantId), row, 'dispute', null);
  countMovement(work, row, kind, { amount: amount.minor }, day);
  deps.post(work, { tenantId, merchantId: row.merchant_id, id, kind, amount, subjectId: disputeId, day, at });
  work.afterCommit(() => deps.changed(tenantId, 'transactions', row.merchant_id));
}
