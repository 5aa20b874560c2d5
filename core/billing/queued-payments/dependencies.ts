import type { CheckApproval } from '#core/access/approvals';
import type { Invoicing } from '#core/billing/invoicing';
import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Money, TenantTime } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import { type IdempotentDependencies, keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { AuditActor, RecordAudit } from '#core/records/audit';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Discounts } from '#core/sales/discounts';
import type { Payments } from '#core/sales/payments';
import { auditFields, eventData, toQueuedPayment } from './queued-payment.ts';
import type { QueuedPayment } from './records.ts';
import { QUEUED_PAYMENTS, type QueuedPaymentRow } from './schema.ts';

/** Result of a request whose response is stored under its idempotency key. */
export interface QueuedPaymentResult {
  readonly queuedPayment: QueuedPayment;
}

/** Dependencies of the capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<QueuedPaymentResult> {
  readonly customers: Pick<Customers, 'payer' | 'payersOf' | 'lock'>;
  readonly payments: Pick<Payments, 'createPayment' | 'find'>;
  readonly createLink: Invoicing['createLink'];
  /** Sends the receipt of a payment, if `claim` returns true in the same unit of work. */
  readonly mailReceipt: (
    tenantId: string,
    receipt: { readonly transactionId: string; readonly email: string },
    claim: (work: Work) => Promise<boolean>,
  ) => Promise<void>;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Locks a merchant's row until the end of the unit of work. */
  readonly lockMerchant: (work: Work, merchantId: string) => Promise<void>;
  /** Returns true if the merchant's payments reach a gateway. */
  readonly takesCards: (tenantId: string, merchantId: string) => Promise<boolean>;
  /** Uses up the granted discount of a payment when it is queued, and opens it again when the payment is canceled. */
  readonly discounts: Pick<Discounts, 'claim' | 'release'>;
  readonly checkApproval: CheckApproval;
  readonly claimSpending: (work: Work, actor: Actor, amount: Money) => Promise<void>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}

export const QUEUED_PAYMENT_JOB = 'queued-payments.send';
export const LEASE_MS = 30_000;
/** Time for which a payment waits before a person must decide about it. */
export const EXPIRY_MS = 24 * 3_600_000;

type QueuedPaymentEvent = 'created' | 'paid' | 'declined' | 'expired' | 'cancelled' | 'replaced';

/**
 * Stores the response of the request that released a locked row and waits for its outcome, in the unit of work in which the request ends. Returns
 * the row.
 */
export async function completeRelease(deps: Dependencies, work: Work, row: QueuedPaymentRow): Promise<QueuedPaymentRow> {
  const name = keyNameOf(row);
  if (name === null) return row;
  await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { queuedPayment: toQueuedPayment(row) }));
  await work.update(QUEUED_PAYMENTS, { id: row.id }, NO_IDEMPOTENCY_KEY);
  return { ...row, ...NO_IDEMPOTENCY_KEY };
}

/**
 * Writes changes of a locked row with their audit entry and event, and notifies open screens. Unless the row stays claimed, this ends the request that
 * released it. Returns the changed row.
 */
export async function writeChange(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  row: QueuedPaymentRow,
  set: Partial<QueuedPaymentRow>,
  { action, event, now }: { readonly action: string; readonly event?: QueuedPaymentEvent; readonly now: TenantTime },
): Promise<QueuedPaymentRow> {
  const next = { ...row, ...set };
  await work.update(QUEUED_PAYMENTS, { id: row.id }, set);
  if (event) publish(deps, work, next, event, now);
  deps.audit(work, {
    actor,
    action: `queued_payment.${action}`,
    resource: `queued-payments/${row.id}`,
    merchantId: row.merchant_id,
    before: auditFields(row),
    after: auditFields(next),
  });
  notifyScreens(deps, work, row);
  return next.lease_ms === 0 ? completeRelease(deps, work, next) : next;
}

export function publish(deps: Dependencies, work: Work, row: QueuedPaymentRow, event: QueuedPaymentEvent, now: TenantTime): void {
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    type: `queued_payment.${event}`,
    data: eventData(row),
  });
}

export function notifyScreens(
  deps: Dependencies,
  work: Work,
  { tenant_id: tenantId, merchant_id: merchantId }: Pick<QueuedPaymentRow, 'tenant_id' | 'merchant_id'>,
): void {
  work.afterCommit(() => {
    deps.changed(tenantId, 'queued-payments', merchantId);
    deps.scheduler.wake(QUEUED_PAYMENT_JOB, tenantId);
  });
}
