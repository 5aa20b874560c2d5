import type { PageOf, Writer } from '#core/database';
import type { PastBooks } from '#core/gateways';
import type { Actor, Money } from '#core/kernel';
import type { FraudSettings, RoutingRule } from '#core/merchants';
import type { Scheduler } from '#core/platform/scheduling';
import { TRANSACTION_FACTS } from './aggregates/facts.ts';
import { Serial } from './attempts/serial.ts';
import { lastAnswers, standing } from './attempts/standing.ts';
import { cancelCapture, capture, voidTransaction } from './capture/change.ts';
import { EXPIRIES } from './capture/expiries.ts';
import { expiryJob } from './capture/expiry.ts';
import { CARD_USES } from './fraud/schema.ts';
import { sweepUses } from './fraud/uses.ts';
import { transactionLines } from './list/export.ts';
import type { RefundFilter, TransactionFilter } from './list/list.ts';
import { get, getRefund, page, refundPage } from './list/read.ts';
import { totals } from './list/totals.ts';
import type { Needs } from './needs.ts';
import { type RefundInput, refund } from './refund/refund.ts';
import { createDeclineQueue } from './refund-queue/index.ts';
import { REFUND_QUEUE } from './refund-queue/schema.ts';
import { readTransaction } from './repository.ts';
import { CHARGEBACKS, type ChargebackInput, raiseChargeback } from './returns/chargeback.ts';
import { RETURN_WATCHES } from './returns/return-watches.ts';
import { RETURNS_JOB, returnsJob } from './returns/returns.ts';
import { DOUBT_JOB } from './sale/conclude.ts';
import { keepEveryLeftOver, keepLeftOvers } from './sale/keep-on-file.ts';
import { rerun } from './sale/rerun.ts';
import { credit, type SellInput, sell } from './sale/sell.ts';
import { STORED_CREDENTIALS } from './sale/stored-credentials.ts';
import { ATTEMPTS, REFUNDS, TRANSACTION_COUNTS, TRANSACTIONS } from './schema.ts';
import { type Settled, settleLine, type Unsettled, unsettled, unsettledSpan } from './settle-block.ts';
import { type MadeUpSale, tryFraudSettings, tryRouting } from './simulation/benches.ts';
import { type PastStep, writePast } from './simulation/past.ts';
import { toTransaction } from './transaction.ts';
import { createDoubts } from './unconfirmed/doubts.ts';
import { doubtJob, hurryInquiries, takeOver } from './unconfirmed/recovery.ts';

export { BANK_ACCOUNT, type FactColumn, type FactKind, type FactSum, type Measure, sumFacts } from './aggregates/facts.ts';
export type { GatewayAnswer } from './attempts/standing.ts';
export { hasPayments, openAttempts } from './attempts/standing.ts';
export type { TransactionLine } from './list/export.ts';
export type { TransactionFilter } from './list/list.ts';
export { lastPayments } from './list/read.ts';
export type { TransactionTotals } from './list/totals.ts';
export type { Ending } from './needs.ts';

export { READABLE_ATTEMPTS, READABLE_REFUNDS, READABLE_TRANSACTIONS } from './read-model.ts';
export type { QueueEntry } from './refund-queue/entry.ts';

export type { QueueFilter } from './refund-queue/read.ts';

export type { PaymentMethodInput, SellInput } from './sale/sell.ts';
export type { RefundStatus } from './schema.ts';
export type { Unsettled } from './settle-block.ts';
export type { PastPayment, PastStep } from './simulation/past.ts';
export { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from './steps.ts';
export type { Billing, HistoryEntry, Refund, Transaction, TransactionDetail } from './transaction.ts';
export type { Decision, Doubt } from './unconfirmed/doubts.ts';

export const TABLES = [
  TRANSACTIONS,
  REFUNDS,
  ATTEMPTS,
  TRANSACTION_COUNTS,
  TRANSACTION_FACTS,
  REFUND_QUEUE,
  EXPIRIES,
  CHARGEBACKS,
  CARD_USES,
  STORED_CREDENTIALS,
  RETURN_WATCHES,
];

type PaymentsNeeds = Omit<Needs, 'serial' | 'wake'> & { readonly scheduler: Scheduler };

/** Transactions and refunds: everything that moves money (specification 3.1, 3.2, 4.1, 4.2, 4.4 to 4.6; decisions 4, 6). */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments({ scheduler, ...needs }: PaymentsNeeds) {
  const on: Needs = { ...needs, serial: new Serial(), wake: (job) => scheduler.wake(job) };
  scheduler.register(doubtJob(on));
  scheduler.register(expiryJob(on));
  scheduler.register(returnsJob(on));
  return {
    sell: (by: Actor, input: SellInput) => sell(on, by, input),
    credit: (by: Actor, input: { transactionId: string; amount: string | number }) => credit(on, by, input),
    rerun: (by: Actor, input: { transactionId: string }) => rerun(on, by, input),
    capture: (by: Actor, input: { transactionId: string; amount?: string | number }) => capture(on, by, input),
    cancelCapture: (by: Actor, input: { transactionId: string }) => cancelCapture(on, by, input),
    voidTransaction: (by: Actor, input: { transactionId: string; reason?: string }) => voidTransaction(on, by, input),
    refund: (by: Actor, input: RefundInput) => refund(on, by, input),
    get: (by: Actor, transactionId: string) => get(on, by, transactionId),
    page: (by: Actor, filter: TransactionFilter, at: PageOf) => page(on, by, filter, at),
    /** What the transactions of a filter come to. */
    totals: (by: Actor, filter: TransactionFilter & { currency?: string }) => totals(on, by, filter),
    /** Every transaction of a filter, newest first, in pages. */
    transactionLines: (by: Actor, filter: TransactionFilter) => transactionLines(on, by, filter),
    getRefund: (by: Actor, refundId: string) => getRefund(on, by, refundId),
    refundPage: (by: Actor, filter: RefundFilter, at: PageOf) => refundPage(on, by, filter, at),
    /** What of payments and refunds wants a person's eye. */
    standing: (by: Actor) => standing(on, by),
    /** What gateways answered to the newest questions of a tenant. */
    lastAnswers: (tenantId: string) => lastAnswers(on, tenantId),
    queue: createDeclineQueue(on, scheduler),
    doubts: createDoubts(on, scheduler),
    raiseChargeback: (by: Actor, input: ChargebackInput) => raiseChargeback(on, by, input),
    /** Takes over what the process before left open; called before the scheduler starts. */
    async takeOver(): Promise<void> {
      await takeOver(on);
      await keepEveryLeftOver(on);
    },
    tryRouting: (by: Actor, merchantId: string, input: { rules?: readonly RoutingRule[]; sale?: MadeUpSale }) =>
      tryRouting(on, by, merchantId, input),
    tryFraudSettings: (by: Actor, merchantId: string, changes: Partial<FraudSettings>) => tryFraudSettings(on, by, merchantId, changes),
    /** What the hourly clean-up does for a tenant. */
    async sweep(tenantId: string): Promise<void> {
      await sweepUses(on.database, on.clockOf, tenantId);
      await keepLeftOvers(on, tenantId);
    },
    /** A payment as it stands, for what was billed by it. */
    find: async (tenantId: string, transactionId: string) =>
      toTransaction(await readTransaction(on.database.read(tenantId), transactionId)),
    /** The gateway that a payment is at; null where it reached none. */
    gatewayOf: async (tenantId: string, transactionId: string) =>
      (await readTransaction(on.database.read(tenantId), transactionId)).gateway_id,
    /** What a merchant has not settled yet, the oldest first. */
    unsettled: (tenantId: string, merchantId: string, of: { kind: Unsettled['kind']; before: string; limit: number }) =>
      unsettled(on, tenantId, merchantId, of),
    unsettledSpan: (tenantId: string, merchantId: string) => unsettledSpan(on, tenantId, merchantId),
    settleLine: (batch: Writer, merchantId: string, line: Unsettled, into: Settled, fee: Money, atMs: number) =>
      settleLine(on, batch, merchantId, line, into, fee, atMs),
    /** Writes steps of a history that is being made, in one batch. */
    writePast: (tenantId: string, steps: readonly PastStep[], books: PastBooks, moveTo: (ms: number) => void, untilMs: number) =>
      writePast(on, tenantId, steps, books, moveTo, untilMs),
    /** Reads the returned bank payments of gateways that are due for it. */
    readReturns: (tenantId: string) => scheduler.drain(RETURNS_JOB, tenantId),
    /** Settles what can be settled of a tenant's doubt now, as if `ms` more had passed. */
    async settleDoubt(tenantId: string, ms: number): Promise<void> {
      await hurryInquiries(on, tenantId, ms);
      await scheduler.drain(DOUBT_JOB, tenantId);
    },
  };
}
