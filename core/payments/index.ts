import type { Actor } from '#core/kernel';
import { cancelCapture, capture, voidTransaction } from './change.ts';
import type { PageOf, RefundFilter, TransactionFilter } from './list.ts';
import type { Needs } from './needs.ts';
import { everyTransaction, get, getRefund, page, refundPage } from './read.ts';
import { createRecovery } from './recovery.ts';
import { type RefundInput, refund } from './refund.ts';
import { ATTEMPTS, REFUNDS, TRANSACTION_COUNTS, TRANSACTIONS } from './schema.ts';
import { credit, rerun, type SellInput, sell } from './sell.ts';
import { Serial } from './serial.ts';

export type { PageOf, RefundFilter, TransactionFilter } from './list.ts';
export type { Ending, PaymentMerchant } from './needs.ts';
export type { RefundInput } from './refund.ts';
export type { PaymentMethodInput, SellInput } from './sell.ts';
export { TRANSACTION_STEPS, type TransactionOperation, type TransactionState } from './steps.ts';
export type {
  Billing,
  HistoryEntry,
  Page,
  Refund,
  RefundStatus,
  Transaction,
  TransactionMethod,
  TransactionSource,
  TransactionStatus,
  TransactionType,
} from './transaction.ts';

export const TABLES = [TRANSACTIONS, REFUNDS, ATTEMPTS, TRANSACTION_COUNTS];

export type PaymentsNeeds = Omit<Needs, 'serial' | 'wakeRecovery'>;

/** Transactions and refunds: everything that moves money (specification 3.1, 4.1, 4.2, 4.4, 4.5; decisions 4). */
export type Payments = ReturnType<typeof createPayments>;

export function createPayments(needs: PaymentsNeeds) {
  const on: Needs = { ...needs, serial: new Serial(), wakeRecovery: () => recovery.wake() };
  const recovery = createRecovery(on);
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
    everyTransaction: (by: Actor, filter: TransactionFilter) => everyTransaction(on, by, filter),
    getRefund: (by: Actor, refundId: string) => getRefund(on, by, refundId),
    refundPage: (by: Actor, filter: RefundFilter, at: PageOf) => refundPage(on, by, filter, at),
    /** Recovery of doubt: started once the server can answer, stopped before the database closes. */
    recovery,
  };
}
