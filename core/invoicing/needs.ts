import type { Record as RecordEntry } from '#core/audit';
import type { Customers } from '#core/customers';
import type { Database, Work } from '#core/database';
import type { Actor, Clock, KeptAnswer, ServiceError } from '#core/kernel';
import type { Merchants } from '#core/merchants';
import type { Notify } from '#core/notifications';
import type { Payments, Transaction } from '#core/payments';
import type { Topic } from '#core/platform/change-feed';
import { type OnceKeys, onceOnly } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { Emit } from '#core/webhooks';
import type { Invoice } from './invoice.ts';

/** What a payment on an invoice came to: the invoice after it, and the payment's transaction where one was made. */
export interface PaidInvoice {
  readonly invoice: Invoice;
  readonly transaction: Transaction | null;
}

/** What a request for an invoice ended in, whose answer an Idempotency-Key keeps. */
export type Ending = { readonly invoice: Invoice } | { readonly paidInvoice: PaidInvoice } | { readonly error: ServiceError };

/** What the invoicing capability is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly customers: Customers;
  readonly merchants: Pick<Merchants, 'merchantFor' | 'pageUrl' | 'isLocalOnly'>;
  readonly payments: Payments;
  readonly scheduler: Scheduler;
  readonly once: OnceKeys;
  readonly clockOf: (tenantId: string) => Clock;
  readonly environmentOf: (tenantId: string) => 'sandbox' | 'live';
  /** The addresses under which this server is reached, beside those of merchants. */
  readonly ownUrls: () => readonly string[];
  readonly audit: RecordEntry;
  readonly emit: Emit;
  readonly notify: Notify;
  /** Writes the receipt of a payment as a message, where `claim` says in the same unit of work that nobody else has. */
  readonly mailReceipt: (
    tenantId: string,
    of: { readonly transactionId: string; readonly email: string },
    claim: (work: Work) => Promise<boolean>,
  ) => Promise<void>;
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Tells the log of something that needs a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
  /** The bytes that a route answers with; an Idempotency-Key keeps them. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
}

/** Runs a unit of work that is a request's whole effect, with its Idempotency-Key opened and answered in it. */
export function onceIn<Result>(
  on: Needs,
  by: Actor,
  carryOut: (work: Work) => Promise<Result>,
  endingOf: (result: Result) => Ending,
): Promise<Result> {
  return onceOnly(() =>
    on.database.unitOfWork.run(by.tenantId, async (work) => {
      on.once.open(work, by);
      const result = await carryOut(work);
      if (by.once) await on.once.finishIn(work, by.once, on.renderAnswer(by.once.route, endingOf(result)));
      return result;
    }),
  );
}

/** Tells open screens after the commit. */
export function tellScreens(on: Needs, work: Work, tenantId: string): void {
  work.afterCommit(() => on.changed(tenantId, 'invoices'));
}

export const OVERDUE_JOB = 'invoicing.overdue';
export const SETTLE_JOB = 'invoicing.settle-payments';
