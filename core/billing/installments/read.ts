import { conditionsOn, listOf, lit, newestPage, type Page, type PageRequest, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, type Caller, dateIn, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import { toInstallmentPlan } from './installment-plan.ts';
import type { InstallmentPlan, ScheduledInstallment } from './records.ts';
import { type ScheduleInput, scheduleOf } from './schedule.ts';
import {
  type AttemptRow,
  INSTALLMENT_PAYMENTS,
  INSTALLMENT_PLANS,
  INSTALLMENTS,
  type InstallmentRow,
  type PlanRow,
  type PlanStatus,
} from './schema.ts';

const queries = queriesOn(INSTALLMENT_PLANS, INSTALLMENTS, INSTALLMENT_PAYMENTS);

const plan = conditionsOn(INSTALLMENT_PLANS);
const OPEN = [lit('active'), lit('past_due'), lit('paused')];

export interface PlanFilter {
  readonly status?: PlanStatus;
  /** Without completed and canceled plans. */
  readonly isOpen?: boolean;
  readonly customerId?: string;
  readonly invoiceId?: string;
  readonly merchantId?: string;
  /** Beginnings of the customer's names, email address or phone number. */
  readonly q?: string;
}

export function planNotFound(id: string): ServiceError {
  return new ServiceError('NOT_FOUND', `There is no installment plan ${id.slice(0, 60)}.`, { details: { installmentPlanId: id } });
}

/** Returns an existing plan that the caller may access. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findPlan(deps: Dependencies, actor: Caller, id: string): Promise<{ row: PlanRow; merchant: Merchant }> {
  const row = await deps.database.read(actor.tenantId).one(INSTALLMENT_PLANS, { id });
  if (!row) throw planNotFound(id);
  return { row, merchant: await deps.merchantFor(actor, row.merchant_id) };
}

export async function get(deps: Dependencies, actor: Caller, id: string): Promise<InstallmentPlan> {
  const { row } = await findPlan(deps, actor, id);
  return loadPlan(deps, deps.database.read(actor.tenantId), row);
}

/** Returns a plan in the form of the API; inside a unit of work with its uncommitted changes. */
export async function loadPlan(deps: Dependencies, read: Read, row: PlanRow): Promise<InstallmentPlan> {
  const [plan] = await loadPlans(deps, read, row.tenant_id, [row]);
  return plan as InstallmentPlan;
}

async function loadPlans(deps: Dependencies, read: Read, tenantId: string, rows: readonly PlanRow[]): Promise<InstallmentPlan[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const installments = await read.rows<InstallmentRow>(
    queries.selectFrom('installments').selectAll().where('tenant_id', '=', TENANT).where('plan_id', 'in', ids).orderBy('number'),
  );
  const attempts = await read.rows<AttemptRow>(
    queries.selectFrom('installment_payments').selectAll().where('tenant_id', '=', TENANT).where('plan_id', 'in', ids).orderBy('id'),
  );
  const payers = await deps.customers.payersOf(
    tenantId,
    rows.map((row) => ({ customerId: row.customer_id, methodId: row.payment_method_id })),
    read,
  );
  return rows.flatMap((row, index) => {
    const payer = payers[index];
    if (payer === undefined) return [];
    const own = { row, installments: installments.filter((each) => each.plan_id === row.id) };
    return toInstallmentPlan(
      own,
      payer,
      attempts.filter((each) => each.plan_id === row.id),
    );
  });
}

/** An installment that a payment charged, with its plan. */
export interface ChargedInstallment {
  readonly installmentPlanId: string;
  readonly number: number;
  readonly installmentCount: number;
  readonly createdAt: string;
  readonly consentText: string;
  readonly consentAt: string;
  readonly canceledAt: string | null;
  readonly canceledBy: string | null;
}

/** Returns the installment that a payment charged; null for any other payment. */
export async function installmentOf(deps: Dependencies, tenantId: string, transactionId: string): Promise<ChargedInstallment | null> {
  const read = deps.database.read(tenantId);
  const attempt = await read.one(INSTALLMENT_PAYMENTS, { transaction_id: transactionId });
  const row = attempt && (await read.one(INSTALLMENT_PLANS, { id: attempt.plan_id }));
  if (!row) return null;
  return {
    installmentPlanId: row.id,
    number: attempt.number,
    installmentCount: row.installment_count,
    createdAt: row.created_at,
    consentText: row.consent_text,
    consentAt: row.consent_at,
    canceledAt: row.canceled_at,
    canceledBy: row.canceled_by,
  };
}

/** Returns a page of plans, newest first. */
export async function page(deps: Dependencies, actor: Caller, filter: PlanFilter, request: PageRequest): Promise<Page<InstallmentPlan>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const where = {
    status: filter.status,
    customer_id: filter.customerId,
    invoice_id: filter.invoiceId,
    merchant_id: merchantId,
  };
  const read = deps.database.read(actor.tenantId);
  const customers = await deps.customers.foundBy(actor.tenantId, filter.q ?? '');
  const conditions = [
    ...(filter.isOpen ? [plan('status', 'in', OPEN)] : []),
    ...(customers === null ? [] : [plan('customer_id', 'in', customers)]),
  ];
  const found = await newestPage(read, INSTALLMENT_PLANS, 'ipl', where, request, conditions);
  return { ...found, items: await loadPlans(deps, read, actor.tenantId, found.items) };
}

/** Returns the open plan of an invoice, for the page of its payer; null if there is none. */
export async function openPlanOf(deps: Dependencies, tenantId: string, invoiceId: string): Promise<InstallmentPlan | null> {
  const read = deps.database.read(tenantId);
  const row = await read.row<PlanRow>(
    queries
      .selectFrom('installment_plans')
      .selectAll()
      .where('tenant_id', '=', TENANT)
      .where('invoice_id', '=', invoiceId)
      .where('status', 'in', OPEN),
  );
  return row === null ? null : loadPlan(deps, read, row);
}

/** Returns those of at most 512 invoices that have an open plan. */
export async function invoicesInInstallments(read: Pick<Read, 'rows'>, invoiceIds: readonly string[]): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('installment_plans')
      .select('invoice_id')
      .where('tenant_id', '=', TENANT)
      .where('invoice_id', 'in', listOf([...invoiceIds]))
      .where('status', 'in', OPEN),
  );
  return rows.map(({ invoice_id }) => invoice_id);
}

/** Returns the IDs of the cards and bank accounts to which the open plans of a customer are charged. */
export async function methodsOfOpenPlans(read: Read, customerId: string): Promise<string[]> {
  const rows = await read.rows(
    queries
      .selectFrom('installment_plans')
      .select('payment_method_id')
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('status', 'in', OPEN),
  );
  return rows.flatMap(({ payment_method_id }) => payment_method_id ?? []);
}

/** Returns the installments into which the amount due of an invoice would be divided. */
export async function preview(
  deps: Dependencies,
  actor: Actor,
  { invoiceId, ...input }: ScheduleInput & { readonly invoiceId: string },
): Promise<ScheduledInstallment[]> {
  const { balance, merchant } = await deps.invoicing.balanceOf(actor, invoiceId);
  const today = dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());
  return scheduleOf(input, { minor: balance.dueMinor, currency: balance.currency }, today);
}
