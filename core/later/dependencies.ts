import type { CheckApproval } from '#core/approvals';
import type { AuditActor, RecordAudit } from '#core/audit';
import type { Customers } from '#core/customers';
import type { Database, Work } from '#core/database';
import type { Discounts } from '#core/discounts';
import type { Invoicing } from '#core/invoicing';
import type { Actor, Clock, Money, StoredResponse, TenantTime } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import type { Payments } from '#core/payments';
import type { PublishChange } from '#core/platform/change-feed';
import { type IdempotencyKeys, keyNameOf, NO_IDEMPOTENCY_KEY } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { Emit } from '#core/webhooks';
import { auditFields, eventData, type LaterPayment, toLaterPayment } from './later-payment.ts';
import { LATER_PAYMENTS, type LaterRow } from './schema.ts';

export type Caller = Pick<Actor, 'tenantId' | 'merchantId'>;

/** Result of a request whose response is stored under its idempotency key. */
export interface LaterResult {
  readonly laterPayment: LaterPayment;
}

/** Dependencies of the later capability, constructed by `createCore`. */
export interface Dependencies {
  readonly database: Database;
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
  readonly idempotencyKeys: IdempotencyKeys;
  readonly renderResponse: (route: string, result: LaterResult) => StoredResponse;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly changed: PublishChange;
}

export const LATER_JOB = 'later.send';
export const LEASE_MS = 30_000;
/** Time for which a payment waits before a person must decide about it. */
export const EXPIRY_MS = 24 * 3_600_000;

type LaterEvent = 'queued' | 'paid' | 'declined' | 'expired' | 'cancelled' | 'replaced';

/**
 * Stores the response of the request that released a locked row and waits for its outcome, in the unit of work in which the request ends. Returns
 * the row.
 */
export async function completeRelease(deps: Dependencies, work: Work, row: LaterRow): Promise<LaterRow> {
  const name = keyNameOf(row);
  if (name === null) return row;
  await deps.idempotencyKeys.completeInWork(work, name, deps.renderResponse(name.route, { laterPayment: toLaterPayment(row) }));
  await work.update(LATER_PAYMENTS, { id: row.id }, NO_IDEMPOTENCY_KEY);
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
  row: LaterRow,
  set: Partial<LaterRow>,
  { action, event, now }: { readonly action: string; readonly event?: LaterEvent; readonly now: TenantTime },
): Promise<LaterRow> {
  const next = { ...row, ...set };
  await work.update(LATER_PAYMENTS, { id: row.id }, set);
  if (event) publish(deps, work, next, event, now);
  deps.audit(work, {
    actor,
    action: `later_payment.${action}`,
    resource: `later/${row.id}`,
    merchantId: row.merchant_id,
    before: auditFields(row),
    after: auditFields(next),
  });
  notifyScreens(deps, work, row);
  return next.lease_ms === 0 ? completeRelease(deps, work, next) : next;
}

export function publish(deps: Dependencies, work: Work, row: LaterRow, event: LaterEvent, now: TenantTime): void {
  deps.emit(work, {
    tenantId: row.tenant_id,
    merchantId: row.merchant_id,
    resourceId: row.id,
    atMs: now,
    type: `later.${event}`,
    data: eventData(row),
  });
}

export function notifyScreens(
  deps: Dependencies,
  work: Work,
  { tenant_id: tenantId, merchant_id: merchantId }: Pick<LaterRow, 'tenant_id' | 'merchant_id'>,
): void {
  work.afterCommit(() => {
    deps.changed(tenantId, 'later', merchantId);
    deps.scheduler.wake(LATER_JOB, tenantId);
  });
}
