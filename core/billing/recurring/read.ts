import { conditionsOn, lit, newestPage, orderOf, type Page, type PageRequest, queriesOn, type Read, TENANT } from '#core/database';
import { type Actor, addDays, dateIn, money, ServiceError, storedCurrency } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import type { Payer, PaymentMethod } from '#core/sales/customers';
import { type Agreement, agreementOfMethod } from '#core/sales/payments';
import { afterResume, moveToPeriod, nextPaymentDate } from './billing-cycle.ts';
import { dateOfPeriod, datesOf, monthDayOf, type PaymentPlan } from './calendar.ts';
import type { Dependencies } from './dependencies.ts';
import type { Subscription, SubscriptionPayment, Summary, Upcoming } from './records.ts';
import { PERIODS, SUBSCRIPTIONS, type SubscriptionRow, type SubscriptionStatus } from './schema.ts';
import { toPayment, toSubscription } from './subscription.ts';

const subscription = conditionsOn(SUBSCRIPTIONS);

const OPEN = ['active', 'past_due', 'paused'] as const;

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus;
  /** Without canceled and expired subscriptions. */
  readonly isOpen?: boolean;
  readonly customerId?: string;
  readonly planId?: string;
  readonly merchantId?: string;
  /** Beginnings of the customer's names, email address or phone number. */
  readonly q?: string;
}

/** Returns an existing subscription that the caller may access. @throws ServiceError SUBSCRIPTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function findSubscription(
  deps: Dependencies,
  actor: Actor,
  id: string,
): Promise<{ row: SubscriptionRow; merchant: Merchant }> {
  const row = await deps.database.read(actor.tenantId).one(SUBSCRIPTIONS, { id });
  if (!row || row.deleted_at !== null) throw subscriptionNotFound(id);
  return { row, merchant: await deps.merchantFor(actor, row.merchant_id) };
}

export function subscriptionNotFound(id: string): ServiceError {
  return new ServiceError('SUBSCRIPTION_NOT_FOUND', `There is no subscription ${id.slice(0, 60)}.`, { details: { subscriptionId: id } });
}

/** Returns the customer of a subscription and the present payment method. */
export function payerOf(deps: Dependencies, row: SubscriptionRow, read?: Read): Promise<Payer> {
  return deps.customers.payerOf(row.tenant_id, { customerId: row.customer_id, methodId: row.payment_method_id }, read);
}

/** Returns the agreement of a subscription; one without it has that of its payment method. */
export function agreementOf(row: SubscriptionRow, method: PaymentMethod | null, { timezone }: Merchant): Agreement {
  if (row.agreement !== null) return JSON.parse(row.agreement) as Agreement;
  return method === null ? { channel: null, date: null, reference: null, text: null } : agreementOfMethod(method, timezone);
}

/** Returns a subscription in the form of the API; inside a unit of work with its uncommitted changes. */
export async function loadSubscription(deps: Dependencies, row: SubscriptionRow, zone: string, read?: Read): Promise<Subscription> {
  return toSubscription(row, zone, await payerOf(deps, row, read));
}

export async function get(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  const { row, merchant } = await findSubscription(deps, actor, id);
  return loadSubscription(deps, row, merchant.timezone);
}

/** Same as `get`, also for a subscription that was removed from the lists: its payments and their evidence stay. */
export async function recordOf(deps: Dependencies, actor: Actor, id: string): Promise<Subscription> {
  const row = await deps.database.read(actor.tenantId).one(SUBSCRIPTIONS, { id });
  if (!row) throw subscriptionNotFound(id);
  const { timezone } = await deps.merchantFor(actor, row.merchant_id);
  return loadSubscription(deps, row, timezone);
}

/** Columns of the fields by which the list can be sorted. Ended and paused subscriptions have no next payment. */
const SORTS = { createdAt: 'id', nextPaymentDate: 'next_payment_on' };
const NULLABLE = [SORTS.nextPaymentDate];

/** Returns a page of subscriptions, by default newest first. */
export async function page(
  deps: Dependencies,
  actor: Actor,
  filter: SubscriptionFilter,
  pageRequest: PageRequest,
): Promise<Page<Subscription>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const customers = await deps.customers.foundBy(actor.tenantId, filter.q ?? '');
  const where = {
    status: filter.status ?? (filter.isOpen ? OPEN : undefined),
    customer_id: filter.customerId,
    plan_id: filter.planId,
    merchant_id: merchantId,
    deleted_at: null,
  };
  const searched = customers === null ? [] : [subscription('customer_id', 'in', customers)];
  const order = orderOf(SORTS, pageRequest.sort, NULLABLE);
  const found = await newestPage(deps.database.read(actor.tenantId), SUBSCRIPTIONS, 'sub', where, pageRequest, searched, undefined, order);
  const rows = found.items;
  const payers = await deps.customers.payersOf(
    actor.tenantId,
    rows.map((row) => ({ customerId: row.customer_id, methodId: row.payment_method_id })),
  );
  const zones = await Promise.all(rows.map(async (row) => (await deps.merchantFor(actor, row.merchant_id)).timezone));
  const items = rows.map((row, index) => toSubscription(row, zones[index] as string, payers[index] as Payer));
  return { ...found, items };
}

/** Returns true if a customer has a subscription that has not ended. */
export async function hasOpenSubscription(read: Read, customerId: string): Promise<boolean> {
  const row = await read.row(
    queriesOn(SUBSCRIPTIONS)
      .selectFrom('subscriptions')
      .select('id')
      .where('tenant_id', '=', TENANT)
      .where('customer_id', '=', customerId)
      .where('deleted_at', 'is', null)
      .where('status', 'in', OPEN.map(lit))
      .limit(1),
  );
  return row !== null;
}

/** Returns a page of the payment attempts of a subscription, newest first. */
export async function payments(
  deps: Dependencies,
  actor: Actor,
  id: string,
  { status }: { readonly status?: SubscriptionPayment['status'] },
  pageRequest: PageRequest,
): Promise<Page<SubscriptionPayment>> {
  await findSubscription(deps, actor, id);
  const found = await newestPage(deps.database.read(actor.tenantId), PERIODS, 'sbp', { subscription_id: id, status }, pageRequest);
  return { ...found, items: found.items.map(toPayment) };
}

export async function upcoming(deps: Dependencies, actor: Actor, id: string, count: number): Promise<Upcoming> {
  const { row: found, merchant } = await findSubscription(deps, actor, id);
  const context = { now: deps.clockOf(actor.tenantId).now(), zone: merchant.timezone, dunning: merchant.dunning };
  const row = found.status === 'paused' ? afterResume(found, context) : found;
  if (row.status !== 'active' && row.status !== 'past_due') return { dates: [], afterSkip: null };
  const [first, ...rest] = datesOf(planOf(row), row.next_index, count);
  if (first === undefined) return { dates: [], afterSkip: null };
  // A period whose payment failed is charged at the next retry.
  const dates = [nextPaymentDate(row, merchant.timezone) ?? first, ...rest];
  return { dates, afterSkip: row.status === 'active' ? moveToPeriod(row, row.next_index + 1).next_date : null };
}

function planOf(row: SubscriptionRow): PaymentPlan {
  const paymentsLeft = row.total_payments === null ? null : row.total_payments - row.payments_made;
  const monthDay = monthDayOf(row.anchor_date, row.start_date);
  return { anchor: row.anchor_date, frequency: row.frequency, monthDay, endDate: row.end_date, left: paymentsLeft };
}

const EXPECTED_DAYS = 30;

export async function summary(deps: Dependencies, actor: Actor, requestedMerchantId?: string): Promise<Summary> {
  const merchant = await deps.merchantFor(actor, requestedMerchantId);
  const merchantId = requestedMerchantId ?? actor.merchantId;
  const read = deps.database.read(actor.tenantId).heavy;
  const today = dateIn(merchant.timezone, deps.clockOf(actor.tenantId).now());
  const until = addDays(today, EXPECTED_DAYS);
  let subscriptions = queriesOn(SUBSCRIPTIONS).selectFrom('subscriptions').where('tenant_id', '=', TENANT).where('deleted_at', 'is', null);
  if (merchantId !== null) subscriptions = subscriptions.where('merchant_id', '=', merchantId);
  const planColumns = [
    'currency',
    'frequency',
    'start_date',
    'anchor_date',
    'next_index',
    'end_date',
    'total_payments',
    'payments_made',
  ] as const;
  const [counted, upcomingPlans] = await Promise.all([
    read.rows(subscriptions.select(({ fn }) => ['status', fn.countAll<number>().as('n')]).groupBy('status')),
    read.rows(
      subscriptions
        .select(planColumns)
        .select(({ fn }) => fn.sum<number>('amount_minor').as('amount_minor'))
        .where('status', '=', lit('active'))
        .where('next_date', '<=', until)
        .groupBy(planColumns),
    ),
  ]);
  const sums = new Map<string, number>();
  for (const row of upcomingPlans)
    sums.set(row.currency, (sums.get(row.currency) ?? 0) + Number(row.amount_minor) * periodsUntil(row, until));
  const counts = { active: 0, past_due: 0, paused: 0, cancelled: 0, expired: 0 };
  for (const { status, n } of counted) counts[status] = Number(n);
  // The sum is limited, so that subscriptions with absurd amounts do not break the summary.
  const expected = [...sums].map(([code, minor]) => {
    const currency = storedCurrency(code);
    return { currency, amount: money(Math.min(minor, Number.MAX_SAFE_INTEGER), currency) };
  });
  return { counts, expected, days: EXPECTED_DAYS };
}

/** Columns that are equal for subscriptions whose payments fall on the same days. */
type PlanColumns = Pick<
  SubscriptionRow,
  'frequency' | 'start_date' | 'anchor_date' | 'next_index' | 'end_date' | 'total_payments' | 'payments_made'
>;

/** Returns the number of periods due up to a date. */
function periodsUntil(plan: PlanColumns, until: string): number {
  const { start_date, anchor_date, frequency, next_index, end_date, total_payments, payments_made } = plan;
  const monthDay = monthDayOf(anchor_date, start_date);
  const last = end_date !== null && end_date < until ? end_date : until;
  const paymentsLeft = total_payments === null ? Number.POSITIVE_INFINITY : total_payments - payments_made;
  let times = 0;
  while (times < paymentsLeft && dateOfPeriod(anchor_date, frequency, next_index + times, monthDay) <= last) times += 1;
  return times;
}
