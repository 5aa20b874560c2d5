import type { Invoicing } from '#core/billing/invoicing';
import type { Work } from '#core/database';
import type { Actor, Caller, Clock, Money } from '#core/kernel';
import type { PublishChange } from '#core/platform/change-feed';
import type { IdempotentDependencies } from '#core/platform/idempotency';
import type { Scheduler } from '#core/platform/scheduling';
import type { Merchant } from '#core/processing/merchants';
import type { RecordAudit } from '#core/records/audit';
import type { Notify } from '#core/records/notifications';
import type { Emit } from '#core/records/webhooks';
import type { Customers } from '#core/sales/customers';
import type { Payments } from '#core/sales/payments';
import type { Plan } from './progress.ts';
import type { InstallmentPlan } from './records.ts';
import { INSTALLMENT_PLANS, INSTALLMENTS, type PlanRow } from './schema.ts';

/** Result of a request whose response is stored under its idempotency key. */
export interface InstallmentPlanResult {
  readonly installmentPlan: InstallmentPlan;
}

/** Dependencies of the installments capability, constructed by `createCore`. */
export interface Dependencies extends IdempotentDependencies<InstallmentPlanResult> {
  readonly customers: Pick<Customers, 'foundBy' | 'payer' | 'payersOf' | 'lock' | 'updateAddressIn'>;
  readonly invoicing: Pick<Invoicing, 'create' | 'balanceOf' | 'lockBalance' | 'extendDueDate' | 'payAddress' | 'chargeOnSchedule'>;
  readonly payments: Pick<Payments, 'checkAgreedChannel'>;
  readonly scheduler: Scheduler;
  readonly clockOf: (tenantId: string) => Clock;
  readonly merchantFor: (actor: Caller, merchantId?: string) => Promise<Merchant>;
  /** Counts an operation against the spending limits of the caller's API key, in its unit of work. @throws ServiceError PERMISSION_DENIED. */
  readonly claimSpending: (work: Work, actor: Actor, amount: Money) => Promise<void>;
  readonly audit: RecordAudit;
  readonly emit: Emit;
  readonly notify: Notify;
  readonly changed: PublishChange;
  /** Writes a log entry about something that requires a person. */
  readonly report: (message: string, context: Record<string, unknown>) => void;
}

export const INSTALLMENT_JOB = 'installments.charge';
export const LEASE_MS = 20_000;

/** Locks a plan and returns it with its installments; null if it does not exist. */
export async function lockPlan(work: Work, id: string): Promise<Plan | null> {
  const row = await work.lockOne(INSTALLMENT_PLANS, { id });
  if (row === null) return null;
  return { row, installments: await work.find(INSTALLMENTS, { plan_id: id }, { orderBy: [['number', 'asc']] }) };
}

export function notifyScreens(
  deps: Dependencies,
  work: Work,
  { tenant_id: tenantId, merchant_id: merchantId }: Pick<PlanRow, 'tenant_id' | 'merchant_id'>,
): void {
  work.afterCommit(() => {
    deps.changed(tenantId, 'recurring', merchantId);
    deps.changed(tenantId, 'invoices', merchantId);
    deps.scheduler.wake(INSTALLMENT_JOB, tenantId);
  });
}
