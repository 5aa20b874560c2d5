import type { AuditActor, Record as RecordEntry } from '#core/audit';
import type { Topic } from '#core/changes';
import type { Customers } from '#core/customers';
import type { Batch, Database, Work } from '#core/database';
import type { Facts, Gateways } from '#core/gateways';
import { type Actor, type Clock, isoTime, type KeptAnswer, newId, newProcessorRef, type ServiceError } from '#core/kernel';
import type { Post } from '#core/ledger';
import type { Merchant, Route, RoutingRule } from '#core/merchants';
import type { Notify } from '#core/notifications';
import { ANSWERED, type OnceKeys, onceColumns, onceOnly } from '#core/once';
import { dueAt, released } from '#core/scheduling';
import type { Vault } from '#core/vault';
import type { Emit } from '#core/webhooks';
import { ATTEMPTS, type AttemptOperation, type AttemptRow, CONCLUDE_ATTEMPT } from './schema.ts';
import type { Serial } from './serial.ts';
import type { Refund, Transaction } from './transaction.ts';

/** What an operation ended in, as the surface that took the request renders it. */
export type Ending = { readonly transaction: Transaction } | { readonly refund: Refund } | { readonly error: ServiceError };

/** A transaction of an invoice that was voided, and by whom. */
export interface VoidedPayment {
  readonly tenantId: string;
  readonly transactionId: string;
  readonly by: AuditActor;
  /** The tenant's time. */
  readonly atMs: number;
}

/** A transaction of a plan that the bank gave back. */
export interface ReturnedPayment {
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly transactionId: string;
  readonly returnCode: string;
  readonly reason: string;
  /** The tenant's time. */
  readonly atMs: number;
}

/** What the payments capability is built on; made once by createCore. */
export interface Needs {
  readonly database: Database;
  readonly once: OnceKeys;
  readonly vault: Vault;
  readonly gateways: Gateways;
  readonly clockOf: (tenantId: string) => Clock;
  /** The merchant that a call is for; MERCHANT_NOT_FOUND, or MERCHANT_NOT_AUTHORIZED outside the caller's scope. */
  readonly merchantFor: (by: Pick<Actor, 'tenantId' | 'merchantId'>, merchantId?: string) => Promise<Merchant>;
  /** Who pays, and with what on file. */
  readonly payer: Customers['payer'];
  /** Puts what a sale was paid with on its customer's file. */
  readonly keepPaid: Customers['keepPaid'];
  /** Where a payment of a merchant goes, by its rules or by others that are tried. */
  readonly route: (merchant: Merchant, tenantId: string, facts: Facts, rules?: readonly RoutingRule[]) => Promise<Route>;
  /** When a capture that is made now is told to a gateway that takes none back; null where it has no batches. */
  readonly holdOf: (tenantId: string, gatewayId: string, nowMs: number) => Promise<number | null>;
  /** When the batch closes into which a gateway puts what it takes now; null where it has none. */
  readonly batchClosesAfter: (tenantId: string, gatewayId: string, nowMs: number) => Promise<number | null>;
  /** Holds a merchant's row until the end of the work, so that two payments see each other. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  /** Writes an audit entry in the unit of work of the change. */
  readonly audit: RecordEntry;
  /** The bytes that a route answers with for an ending: the same on the straight path and in recovery. */
  readonly renderAnswer: (route: string, ending: Ending) => KeptAnswer;
  readonly serial: Serial;
  /** Writes an event in the unit of work of the change that it tells of. */
  readonly emit: Emit;
  /** Enters a movement of money in the unit of work of what moved it. */
  readonly post: Post;
  /** Tells open screens that something is no longer as they show it. */
  readonly changed: (tenantId: string, topic: Topic) => void;
  /** Has the scheduler look at a job: something of it became due. */
  readonly wake: (job: string) => void;
  /** Writes a message to a customer in the unit of work of what it tells of. */
  readonly notify: Notify;
  /** Tells that a payment in doubt has ended, to whoever waits for it. */
  readonly doubtEnded: (tenantId: string, transactionId: string) => Promise<void>;
  /** Takes a voided payment off the invoice that it paid, in the unit of work of the void. */
  readonly paymentVoided: (work: Work, voided: VoidedPayment) => Promise<void>;
  /** Takes a returned payment off the plan that it paid, in the unit of work of the return. */
  readonly paymentReturned: (work: Work, returned: ReturnedPayment) => Promise<void>;
  /** Tells the log of something that needs a person; never card data. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

/** An attempt without a result this long after its answer was due has lost whoever sent it. */
const SENDING_MARGIN_MS = 4_000;

/** A gateway as transactions and attempts name it. */
export type Via = Pick<AttemptRow, 'gateway' | 'gateway_id'>;

export interface AttemptFor {
  readonly transactionId: string;
  readonly refundId?: string;
  readonly operation: AttemptOperation;
  /** The gateway that is asked. */
  readonly via: Via;
  readonly amountMinor: number;
  readonly currency: string;
}

/** When a question that is put now will have been answered or given up, in real time. */
export function sendingUntil(on: Pick<Needs, 'gateways'>, tenantId: string): number {
  return Date.now() + on.gateways.answersWithinMs(tenantId) + SENDING_MARGIN_MS;
}

/** A fresh attempt, to be written before its question is sent. */
export function newAttempt(on: Needs, by: Actor, of: AttemptFor, processorRef = newProcessorRef()): AttemptRow {
  const now = on.clockOf(by.tenantId).now();
  return {
    tenant_id: by.tenantId,
    id: newId('att', now),
    transaction_id: of.transactionId,
    refund_id: of.refundId ?? null,
    operation: of.operation,
    gateway: of.via.gateway,
    gateway_id: of.via.gateway_id,
    processor_ref: processorRef,
    amount_minor: of.amountMinor,
    currency: of.currency,
    state: 'sending',
    result: null,
    reason: null,
    actor: by.name,
    actor_id: by.credentialId,
    request_id: by.requestId,
    ip: by.ip,
    ...onceColumns(by),
    inquiries: 0,
    asked_at: null,
    missed: null,
    alert: null,
    ...dueAt(sendingUntil(on, by.tenantId)),
    created_at: isoTime(now),
    concluded_at: null,
  };
}

/** Marks an attempt as done in the caller's batch; LostRace when somebody else concluded it. */
export function settleAttempt(batch: Batch, attempt: AttemptRow, result: string, reason: string | null, at: string): void {
  batch.settle(CONCLUDE_ATTEMPT, {
    tenant_id: attempt.tenant_id,
    id: attempt.id,
    state: 'done',
    result,
    reason,
    due_ms: null,
    alert: null,
    concluded_at: at,
  });
}

/**
 * The same inside a work; false when somebody else concluded it. What a gateway approves after it was recorded as failed is marked for a person.
 */
export async function finishAttempt(work: Work, attempt: AttemptRow, result: string, reason: string | null, at: string): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (row?.state === 'done' && row.result === 'failed' && result === 'approved')
    await work.update(ATTEMPTS, { id: row.id }, { alert: 'late-approval' });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'done', result, reason, due_ms: null, alert: null, concluded_at: at });
  return true;
}

/** Keeps an attempt back until a time, answered as it is; false when somebody else concluded it. */
export async function holdAttempt(work: Work, attempt: AttemptRow, untilMs: number): Promise<boolean> {
  const row = await work.lockOne(ATTEMPTS, { id: attempt.id });
  if (!row || row.state === 'done') return false;
  await work.update(ATTEMPTS, { id: attempt.id }, { state: 'held', ...released(untilMs), ...ANSWERED });
  return true;
}

/** Runs the unit of work of an intent with the request's Idempotency-Key claimed in it. A key that another request holds is RESOURCE_CONFLICT. */
export async function writeIntent<Result>(on: Needs, by: Actor, write: (work: Work) => Promise<Result>): Promise<Result> {
  return onceOnly(() =>
    on.database.unitOfWork.run(by.tenantId, async (work) => {
      await on.once.open(work, by);
      return write(work);
    }),
  );
}
