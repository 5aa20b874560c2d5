import { lit } from '#core/database';
import { bind } from '#core/kernel';
import type { Scheduler } from '#core/platform/scheduling';
import { countObstacles } from '#core/processing/domain-events';
import { paymentActions } from './actions.ts';
import { DAILY_AGGREGATES } from './aggregates/daily-aggregates.ts';
import { lockForRefund } from './approval-facts.ts';
import { paymentHealth, recentGatewayResults, unconfirmedByTenant } from './attempts/health.ts';
import { adjustAuthorization, adjustTip, cancelCapture, capture, checkScope, voidTransaction } from './capture/change.ts';
import { expiringAuthorizations, expiryJob } from './capture/expiry.ts';
import type { Dependencies } from './dependencies.ts';
import { CARD_USES } from './fraud/schema.ts';
import { deleteExpiredUses } from './fraud/uses.ts';
import { closeHostedPage, createHostedPage, findOnHostedPage, hostedGatewayFor } from './hosted-pages/pages.ts';
import { recordHostedPayment } from './hosted-pages/record-payment.ts';
import { transactionLines } from './list/export.ts';
import { paymentFacts } from './list/payment-facts.ts';
import { get, getRefund, page, range, refundPage } from './list/read.ts';
import { netSums, totals } from './list/totals.ts';
import { RESOLVE_JOB } from './outcomes/conclude.ts';
import { EXPIRIES } from './outcomes/expiries.ts';
import { storePendingMethods, storePendingMethodsOfAllTenants } from './outcomes/keep-on-file.ts';
import { STORED_CREDENTIALS } from './outcomes/stored-credentials.ts';
import {
  deleteOldTokenContexts,
  forgetContexts,
  keepTokenContext,
  PAYMENT_CONTEXTS,
  TOKEN_CONTEXTS,
  tracedPayments,
} from './payer-context.ts';
import { REFUND_QUEUE } from './queue-entries/schema.ts';
import { refund } from './refund/refund.ts';
import { refundToStoreCredit } from './refund/store-credit.ts';
import { createDeclineQueue } from './refund-queue/index.ts';
import { originalAmountOf, readTransaction } from './repository.ts';
import { findReported, lockDisputed, readDisputed, transferDisputed } from './returns/disputed-amount.ts';
import { RETURN_WATCHES } from './returns/return-watches.ts';
import { RETURNS_JOB, returnBankPayment, returnsJob } from './returns/returns.ts';
import { checkAgreedChannel, countRefusedCharges } from './sale/agreed-channel.ts';
import { createPayment, createUnlinkedCredit } from './sale/create-payment.ts';
import { createCreditOnTerminal } from './sale/credit-on-terminal.ts';
import { rerun } from './sale/rerun.ts';
import { ATTEMPTS, REFUNDS, TRANSACTION_COUNTS, TRANSACTIONS } from './schema.ts';
import { Serial } from './serial.ts';
import { writeSampleHistory } from './simulation/sample-history.ts';
import { simulateFraudSettings, simulateRouting } from './simulation/simulation.ts';
import { countCardRanges } from './surcharge/card-ranges.ts';
import { importCardRanges } from './surcharge/import-ranges.ts';
import { CARD_RANGES } from './surcharge/schema.ts';
import { quoteSurcharge } from './surcharge/surcharge.ts';
import { cancelAtTerminal, terminalChanged } from './terminal/cancel.ts';
import { toTransaction } from './transaction.ts';
import { bringInquiriesForward, resolveJob, resumeLeftovers } from './unconfirmed/recovery.ts';
import { createUnconfirmedPayments } from './unconfirmed/unconfirmed-payments.ts';
import { settleLine, unsettledLines, unsettledSpan } from './unsettled-lines.ts';

export {
  type AggregateColumn,
  type AggregateKind,
  type AggregateSum,
  BANK_ACCOUNT,
  countGiftCard,
  countTender,
  type Measure,
  sumDailyAggregates,
} from './aggregates/daily-aggregates.ts';
export { EVERY_DAY } from './aggregates/list-counters.ts';
export type { GatewayResult } from './attempts/health.ts';
export { hasPayments, openAttempts } from './attempts/health.ts';
export type { CountOutcome, PaymentResult } from './dependencies.ts';
export { refundable } from './eligibility.ts';
export { checkMerchantLimit } from './fraud/amount-limits.ts';
export type { HostedGateway } from './hosted-pages/pages.ts';
export { amountConditions, searchedAmount } from './list/amount-limit.ts';
export type { TransactionLine } from './list/export.ts';
export type { TransactionFilter } from './list/list.ts';
export { lastPayments } from './list/read.ts';
export { checkOrderFields, isOrderId, type LeavingMoney, leavingMoney, refuseOrderLines } from './order-payments.ts';
export { type ItemizedInput, itemizedParts } from './parts/itemized-parts.ts';
export { NO_PARTS, splitParts, taxFrom } from './parts/parts.ts';
export { checkTip } from './parts/tip-limit.ts';
export type { PayerContext, TracedPayment } from './payer-context.ts';
export { READABLE_ATTEMPTS, READABLE_REFUND_QUEUE, READABLE_REFUNDS, READABLE_TRANSACTIONS } from './read-model.ts';
export {
  Agreement,
  type Billing,
  CancelledRefund,
  CardOnRecord,
  InquiryResult,
  PaymentFacts,
  QueueEntry,
  QueueEntryWithAttempts,
  QueueStats,
  Refund,
  RefundWithEntry,
  ResolvedRefund,
  RetriedRefund,
  RetryCounts,
  Transaction,
  TransactionDetail,
  UnconfirmedCounts,
  UnconfirmedPayment,
} from './records.ts';
export type { QueueFilter } from './refund-queue/read.ts';
export type { DisputedPayment } from './returns/disputed-amount.ts';
export type { BankReturn } from './returns/returns.ts';
export type { AgreedCharges } from './sale/agreed-channel.ts';
export {
  type AgreementInput,
  agreementOfMethod,
  type BankAuthorizationInput,
  newAgreement,
} from './sale/bank-authorization.ts';
export { channelOf, isPerson } from './sale/channel.ts';
export type { PaymentInput, PaymentMethodInput } from './sale/create-payment.ts';
export type { RefundStatus } from './schema.ts';
export { cardsOfDay } from './shift-payments/day.ts';
export { type CardMovement, cardMovements } from './shift-payments/movements.ts';
export { claimForReport, reportedRequests, unreportedRequests, unreportedShifts } from './shift-payments/requests.ts';
export { type CardTotals, type ShiftCards, shiftCards } from './shift-payments/totals.ts';
export { FraudSimulation, RoutingSimulation } from './simulation/records.ts';
export type { SamplePayment, SampleStep } from './simulation/sample-history.ts';
export { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from './steps.ts';
export { CardRanges, SurchargeQuote } from './surcharge/records.ts';
export { highestSurchargePercent } from './surcharge/surcharge.ts';
export { runningPayments } from './terminal/claim.ts';
export type { TerminalMethodInput } from './terminal-facts/input.ts';
export { AUTHORIZATION_LIFETIME_MS } from './transaction.ts';
export { OUTCOMES } from './unconfirmed/unconfirmed-payments.ts';
export type { UnsettledLine } from './unsettled-lines.ts';

export const TABLES = [
  TRANSACTIONS,
  REFUNDS,
  ATTEMPTS,
  TRANSACTION_COUNTS,
  DAILY_AGGREGATES,
  REFUND_QUEUE,
  EXPIRIES,
  CARD_USES,
  STORED_CREDENTIALS,
  RETURN_WATCHES,
  PAYMENT_CONTEXTS,
  TOKEN_CONTEXTS,
  CARD_RANGES,
];

type PaymentsOptions = Omit<Dependencies, 'serial' | 'wake' | 'runOne' | 'isStopping'> & { readonly scheduler: Scheduler };

/** Payments and refunds: everything that moves money. */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments({ scheduler, ...options }: PaymentsOptions) {
  let isStopping = false;
  const { wake, runOne } = scheduler;
  const deps: Dependencies = { ...options, serial: new Serial(), wake, runOne, isStopping: () => isStopping };
  scheduler.register(resolveJob(deps));
  scheduler.register(expiryJob(deps));
  scheduler.register(returnsJob(deps));
  return {
    /** Counts what prevents a merchant from being closed, in the unit of work of the closing. */
    merchantClosing: [
      countObstacles(TRANSACTIONS, 'open_authorizations', (payment) =>
        payment.and([payment('type', '=', lit('auth')), payment('status', '=', lit('approved')), payment('captured_minor', '=', 0)]),
      ),
      countObstacles(TRANSACTIONS, 'unconfirmed_payments', (payment) =>
        payment.or([payment('status', '=', lit('pending')), payment('pending_attempt', 'is not', null)]),
      ),
      countObstacles(REFUNDS, 'pending_refunds', (refund) => refund('status', '=', lit('pending'))),
      countObstacles(REFUND_QUEUE, 'failed_refunds', (entry) =>
        entry('status', 'in', [lit('pending'), lit('processing'), lit('retry'), lit('failed')]),
      ),
    ],
    ...bind(deps, { createPayment, checkAgreedChannel, countRefusedCharges }),
    ...bind(deps, { quoteSurcharge, createUnlinkedCredit, createCreditOnTerminal, rerun, capture, adjustAuthorization, adjustTip }),
    ...bind(deps, { refundToStoreCredit, facts: paymentFacts, netSums, totals, transactionLines, health: paymentHealth }),
    ...bind(deps, { recentGatewayResults, keepTokenContext, unsettled: unsettledLines, writeSampleHistory }),
    /** Card ranges, which tell credit cards from debit and prepaid cards. */
    cardRanges: bind(deps, { import: importCardRanges, count: countCardRanges }),
    /** Payment pages of processors, on which payers pay without Paydesk. */
    hostedPages: {
      ...bind(deps, { gatewayFor: hostedGatewayFor, create: createHostedPage, find: findOnHostedPage, close: closeHostedPage }),
      ...bind(deps, { record: recordHostedPayment }),
    },
    ...bind(deps, { cancelAtTerminal, terminalChanged }),
    /** Returns true while the server stops. */
    isStopping: deps.isStopping,
    /** Ends the waiting of requests for payments on card readers, because the server stops. */
    stopWaiting: () => {
      isStopping = true;
    },
    ...bind(deps, { expiringAuthorizations, cancelCapture, voidTransaction, refund }),
    lockForRefund,
    ...bind(deps, { get, actions: paymentActions, page, range }),
    ...bind(deps, { getRefund, refundPage, originalAmountOf, unconfirmedByTenant }),
    refundQueue: createDeclineQueue(deps, scheduler),
    unconfirmed: createUnconfirmedPayments(deps),
    /** Payments in the view of disputes. */
    disputed: {
      ...bind(deps, { checkScope, find: findReported, read: readDisputed, lock: lockDisputed }),
      ...bind(deps, { transfer: transferDisputed, traces: tracedPayments }),
    },
    /** Removes the device details of a deleted customer's payments. */
    customerDeleted: forgetContexts,
    /** Resumes work left by the previous process; called before the scheduler starts. */
    async resume(): Promise<void> {
      await resumeLeftovers(deps);
      await storePendingMethodsOfAllTenants(deps);
    },
    ...bind(deps, { simulateRouting, simulateFraudSettings }),
    /** Step of the hourly clean-up for a tenant. */
    async cleanUp(tenantId: string): Promise<void> {
      await deleteExpiredUses(deps.database, deps.clockOf, tenantId);
      await deleteOldTokenContexts(deps, tenantId);
      await storePendingMethods(deps, tenantId);
    },
    /** Returns a payment for the capability that billed it. */
    find: async (tenantId: string, transactionId: string) =>
      toTransaction(await readTransaction(deps.database.read(tenantId), transactionId)),
    /** Returns the ID of the gateway of a payment; null if it reached none. */
    gatewayIdOf: async (tenantId: string, transactionId: string) =>
      (await readTransaction(deps.database.read(tenantId), transactionId)).gateway_id,
    ...bind(deps, { unsettledSpan, settleLine, returnBankPayment }),
    /** Reads the returned bank payments of gateways whose check is due. */
    readReturns: (tenantId: string) => scheduler.runDue(RETURNS_JOB, tenantId),
    /** Inquires about unconfirmed payments of a tenant immediately, as if `ms` more had passed. */
    async resolveUnconfirmed(tenantId: string, ms: number): Promise<void> {
      await bringInquiriesForward(deps, tenantId, ms);
      await scheduler.runDue(RESOLVE_JOB, tenantId);
    },
  };
}
