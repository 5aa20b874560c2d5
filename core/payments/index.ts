import type { PageRequest, Writer } from '#core/database';
import type { SampleBooks } from '#core/gateways';
import type { Actor, Money } from '#core/kernel';
import type { FraudSettings, RoutingRule } from '#core/merchants';
import type { Scheduler } from '#core/platform/scheduling';
import { DAILY_AGGREGATES } from './aggregates/daily-aggregates.ts';
import { lastAnswers, paymentHealth } from './attempts/health.ts';
import { Serial } from './attempts/serial.ts';
import { cancelCapture, capture, voidTransaction } from './capture/change.ts';
import { EXPIRIES } from './capture/expiries.ts';
import { expiryJob } from './capture/expiry.ts';
import type { Dependencies } from './dependencies.ts';
import { CARD_USES } from './fraud/schema.ts';
import { sweepUses } from './fraud/uses.ts';
import { transactionLines } from './list/export.ts';
import type { RefundFilter, TransactionFilter } from './list/list.ts';
import { get, getRefund, page, refundPage } from './list/read.ts';
import { totals } from './list/totals.ts';
import { type RefundInput, refund } from './refund/refund.ts';
import { createDeclineQueue } from './refund-queue/index.ts';
import { REFUND_QUEUE } from './refund-queue/schema.ts';
import { readTransaction } from './repository.ts';
import { CHARGEBACKS, type ChargebackInput, raiseChargeback } from './returns/chargeback.ts';
import { RETURN_WATCHES } from './returns/return-watches.ts';
import { RETURNS_JOB, returnsJob } from './returns/returns.ts';
import { RESOLVE_JOB } from './sale/conclude.ts';
import { createPayment, createUnlinkedCredit, type PaymentInput } from './sale/create-payment.ts';
import { keepEveryLeftOver, keepLeftOvers } from './sale/keep-on-file.ts';
import { rerun } from './sale/rerun.ts';
import { STORED_CREDENTIALS } from './sale/stored-credentials.ts';
import { ATTEMPTS, REFUNDS, TRANSACTION_COUNTS, TRANSACTIONS } from './schema.ts';
import { type Settled, settleLine, type Unsettled, unsettled, unsettledSpan } from './settle-block.ts';
import { type SampleStep, writeSampleHistory } from './simulation/sample-history.ts';
import { type SimulatedSale, simulateFraudSettings, simulateRouting } from './simulation/simulation.ts';
import { toTransaction } from './transaction.ts';
import { hurryInquiries, resolveJob, resumeLeftovers } from './unconfirmed/recovery.ts';
import { createUnconfirmedPayments } from './unconfirmed/unconfirmed-payments.ts';

export {
  type AggregateColumn,
  type AggregateKind,
  type AggregateSum,
  BANK_ACCOUNT,
  type Measure,
  sumDailyAggregates,
} from './aggregates/daily-aggregates.ts';
export type { GatewayAnswer } from './attempts/health.ts';
export { hasPayments, openAttempts } from './attempts/health.ts';
export type { PaymentResult } from './dependencies.ts';
export type { TransactionLine } from './list/export.ts';
export type { TransactionFilter } from './list/list.ts';
export { lastPayments } from './list/read.ts';
export type { TransactionTotals } from './list/totals.ts';

export { READABLE_ATTEMPTS, READABLE_REFUNDS, READABLE_TRANSACTIONS } from './read-model.ts';
export type { QueueEntry } from './refund-queue/entry.ts';

export type { QueueFilter } from './refund-queue/read.ts';

export type { PaymentInput, PaymentMethodInput } from './sale/create-payment.ts';
export type { RefundStatus } from './schema.ts';
export type { Unsettled } from './settle-block.ts';
export type { SamplePayment, SampleStep } from './simulation/sample-history.ts';
export { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from './steps.ts';
export type { Billing, HistoryEntry, Refund, Transaction, TransactionDetail } from './transaction.ts';
export type { Decision, UnconfirmedPayment } from './unconfirmed/unconfirmed-payments.ts';

export const TABLES = [
  TRANSACTIONS,
  REFUNDS,
  ATTEMPTS,
  TRANSACTION_COUNTS,
  DAILY_AGGREGATES,
  REFUND_QUEUE,
  EXPIRIES,
  CHARGEBACKS,
  CARD_USES,
  STORED_CREDENTIALS,
  RETURN_WATCHES,
];

type PaymentsNeeds = Omit<Dependencies, 'serial' | 'wake'> & { readonly scheduler: Scheduler };

/** Transactions and refunds: everything that moves money (specification 3.1, 3.2, 4.1, 4.2, 4.4 to 4.6; decisions 4, 6). */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments({ scheduler, ...needs }: PaymentsNeeds) {
  const deps: Dependencies = { ...needs, serial: new Serial(), wake: (job) => scheduler.wake(job) };
  scheduler.register(resolveJob(deps));
  scheduler.register(expiryJob(deps));
  scheduler.register(returnsJob(deps));
  return {
    sell: (actor: Actor, input: PaymentInput) => createPayment(deps, actor, input),
    credit: (actor: Actor, input: { transactionId: string; amount: string | number }) => createUnlinkedCredit(deps, actor, input),
    rerun: (actor: Actor, input: { transactionId: string }) => rerun(deps, actor, input),
    capture: (actor: Actor, input: { transactionId: string; amount?: string | number }) => capture(deps, actor, input),
    cancelCapture: (actor: Actor, input: { transactionId: string }) => cancelCapture(deps, actor, input),
    voidTransaction: (actor: Actor, input: { transactionId: string; reason?: string }) => voidTransaction(deps, actor, input),
    refund: (actor: Actor, input: RefundInput) => refund(deps, actor, input),
    get: (actor: Actor, transactionId: string) => get(deps, actor, transactionId),
    page: (actor: Actor, filter: TransactionFilter, at: PageRequest) => page(deps, actor, filter, at),
    /** Returns the totals of the transactions of a filter. */
    totals: (actor: Actor, filter: TransactionFilter & { currency?: string }) => totals(deps, actor, filter),
    /** Every transaction of a filter, newest first, in pages. */
    transactionLines: (actor: Actor, filter: TransactionFilter) => transactionLines(deps, actor, filter),
    getRefund: (actor: Actor, refundId: string) => getRefund(deps, actor, refundId),
    refundPage: (actor: Actor, filter: RefundFilter, at: PageRequest) => refundPage(deps, actor, filter, at),
    /** Returns the payments and refunds that require a person. */
    standing: (actor: Actor) => paymentHealth(deps, actor),
    /** Returns the latest answers of a tenant's gateways. */
    lastAnswers: (tenantId: string) => lastAnswers(deps, tenantId),
    queue: createDeclineQueue(deps, scheduler),
    doubts: createUnconfirmedPayments(deps, scheduler),
    raiseChargeback: (actor: Actor, input: ChargebackInput) => raiseChargeback(deps, actor, input),
    /** Resumes work left by the previous process; called before the scheduler starts. */
    async takeOver(): Promise<void> {
      await resumeLeftovers(deps);
      await keepEveryLeftOver(deps);
    },
    tryRouting: (actor: Actor, merchantId: string, input: { rules?: readonly RoutingRule[]; sale?: SimulatedSale }) =>
      simulateRouting(deps, actor, merchantId, input),
    tryFraudSettings: (actor: Actor, merchantId: string, changes: Partial<FraudSettings>) =>
      simulateFraudSettings(deps, actor, merchantId, changes),
    /** Step of the hourly clean-up for a tenant. */
    async sweep(tenantId: string): Promise<void> {
      await sweepUses(deps.database, deps.clockOf, tenantId);
      await keepLeftOvers(deps, tenantId);
    },
    /** Returns a payment for the capability that billed it. */
    find: async (tenantId: string, transactionId: string) =>
      toTransaction(await readTransaction(deps.database.read(tenantId), transactionId)),
    /** The gateway that a payment is at; null where it reached none. */
    gatewayOf: async (tenantId: string, transactionId: string) =>
      (await readTransaction(deps.database.read(tenantId), transactionId)).gateway_id,
    /** Returns the unsettled captures and refunds of a merchant, oldest first. */
    unsettled: (tenantId: string, merchantId: string, of: { kind: Unsettled['kind']; before: string; limit: number }) =>
      unsettled(deps, tenantId, merchantId, of),
    unsettledSpan: (tenantId: string, merchantId: string) => unsettledSpan(deps, tenantId, merchantId),
    settleLine: (batch: Writer, merchantId: string, line: Unsettled, into: Settled, fee: Money, atMs: number) =>
      settleLine(deps, batch, merchantId, line, into, fee, atMs),
    /** Writes steps of a history that is being made, in one batch. */
    writePast: (tenantId: string, steps: readonly SampleStep[], books: SampleBooks, moveTo: (ms: number) => void, untilMs: number) =>
      writeSampleHistory(deps, tenantId, steps, books, moveTo, untilMs),
    /** Reads the returned bank payments of gateways that are due for it. */
    readReturns: (tenantId: string) => scheduler.drain(RETURNS_JOB, tenantId),
    /** Settles what can be settled of a tenant's doubt now, as if `ms` more had passed. */
    async settleDoubt(tenantId: string, ms: number): Promise<void> {
      await hurryInquiries(deps, tenantId, ms);
      await scheduler.drain(RESOLVE_JOB, tenantId);
    },
  };
}
