import type { Payer } from '#core/customers';
import { conditionsOn, lit, newestOf, type Page, type PageOf, queriesOn, TENANT } from '#core/database';
import { type Actor, addDays, type Currency, dateIn, type Money, money, ServiceError } from '#core/kernel';
import type { Merchant } from '#core/merchants';
import { type Course, dateOfPeriod, datesOf } from './calendar.ts';
import { goTo, nextPaymentDate, resumed } from './course.ts';
import type { Needs } from './needs.ts';
import { PERIODS, SUBSCRIPTIONS, type SubscriptionRow, type SubscriptionStatus } from './schema.ts';
import { type Subscription, type SubscriptionPayment, toPayment, toSubscription } from './subscription.ts';

const subscription = conditionsOn(SUBSCRIPTIONS);

export interface SubscriptionFilter {
  readonly status?: SubscriptionStatus;
  readonly customerId?: string;
  readonly planId?: string;
  readonly merchantId?: string;
  /** Beginnings of words of the customer. */
  readonly q?: string;
}

/** A subscription that is there and within the caller's reach; SUBSCRIPTION_NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function present(on: Needs, by: Actor, id: string): Promise<{ row: SubscriptionRow; merchant: Merchant }> {
  const row = await on.database.read(by.tenantId).one(SUBSCRIPTIONS, { id });
  if (!row || row.deleted_at !== null) throw missing(id);
  return { row, merchant: await on.merchantFor(by, row.merchant_id) };
}

export function missing(id: string): ServiceError {
  return new ServiceError('SUBSCRIPTION_NOT_FOUND', `There is no subscription ${id.slice(0, 60)}.`, { details: { subscriptionId: id } });
}

/** Who pays for a subscription, and with what at this moment. */
export async function payerOf(on: Needs, row: SubscriptionRow): Promise<Payer> {
  const [payer] = await on.customers.payersOf(row.tenant_id, [{ customerId: row.customer_id, methodId: row.payment_method_id }]);
  return payer as Payer;
}

/** A subscription as it is shown. */
export async function shown(on: Needs, row: SubscriptionRow, zone: string): Promise<Subscription> {
  return toSubscription(row, zone, await payerOf(on, row));
}

export async function get(on: Needs, by: Actor, id: string): Promise<Subscription> {
  const { row, merchant } = await present(on, by, id);
  return shown(on, row, merchant.timezone);
}

/** One page of subscriptions, newest first. */
export async function page(on: Needs, by: Actor, filter: SubscriptionFilter, at: PageOf): Promise<Page<Subscription>> {
  const merchantId = filter.merchantId ?? by.merchantId ?? undefined;
  if (merchantId !== undefined) await on.merchantFor(by, merchantId);
  const customers = on.customers.foundBy(filter.q ?? '');
  const where = { status: filter.status, customer_id: filter.customerId, plan_id: filter.planId, merchant_id: merchantId };
  const present = [subscription('deleted_at', 'is', null), ...(customers === null ? [] : [subscription('customer_id', 'in', customers)])];
  const found = await newestOf(on.database.read(by.tenantId), SUBSCRIPTIONS, 'sub', where, at, present);
  const rows = found.items;
  const payers = await on.customers.payersOf(
    by.tenantId,
    rows.map((row) => ({ customerId: row.customer_id, methodId: row.payment_method_id })),
  );
  const zones = await Promise.all(rows.map(async (row) => (await on.merchantFor(by, row.merchant_id)).timezone));
  const items = rows.map((row, index) => toSubscription(row, zones[index] as string, payers[index] as Payer));
  return { ...found, items };
}

/** One page of the tries to charge a subscription, newest first. */
export async function payments(
  on: Needs,
  by: Actor,
  id: string,
  { status }: { readonly status?: SubscriptionPayment['status'] },
  at: PageOf,
): Promise<Page<SubscriptionPayment>> {
  await present(on, by, id);
  const found = await newestOf(on.database.read(by.tenantId), PERIODS, 'sbp', { subscription_id: id, status }, at);
  return { ...found, items: found.items.map(toPayment) };
}

/** What is to come of a subscription if nothing is done to it; of a paused one, what resuming it now would bring. */
export interface Upcoming {
  readonly dates: readonly string[];
  /** The date that would come first if the next one were skipped. */
  readonly afterSkip: string | null;
}

export async function upcoming(on: Needs, by: Actor, id: string, count: number): Promise<Upcoming> {
  const { row: found, merchant } = await present(on, by, id);
  const of = { now: on.clockOf(by.tenantId).now(), zone: merchant.timezone, dunning: merchant.dunning };
  const row = found.status === 'paused' ? resumed(found, of) : found;
  if (row.status !== 'active' && row.status !== 'past_due') return { dates: [], afterSkip: null };
  const [first, ...rest] = datesOf(courseOf(row), row.next_index, count);
  if (first === undefined) return { dates: [], afterSkip: null };
  // A period whose payment failed is charged when it is tried again.
  const dates = [nextPaymentDate(row, merchant.timezone) ?? first, ...rest];
  return { dates, afterSkip: row.status === 'active' ? goTo(row, row.next_index + 1).next_date : null };
}

function courseOf(row: SubscriptionRow): Course {
  const left = row.total_payments === null ? null : row.total_payments - row.payments_made;
  return { anchor: row.anchor_date, frequency: row.frequency, endDate: row.end_date, left };
}

const EXPECTED_DAYS = 30;

/** How many subscriptions there are of each status, and what the active ones will pay within 30 days by currency. */
export interface Summary {
  readonly counts: Readonly<Record<SubscriptionStatus, number>>;
  readonly expected: readonly Money[];
  readonly days: number;
}

export async function summary(on: Needs, by: Actor, asked?: string): Promise<Summary> {
  const merchant = await on.merchantFor(by, asked);
  const merchantId = asked ?? by.merchantId;
  const read = on.database.read(by.tenantId);
  const today = dateIn(merchant.timezone, on.clockOf(by.tenantId).now());
  const until = addDays(today, EXPECTED_DAYS);
  let subscriptions = queriesOn(SUBSCRIPTIONS).selectFrom('subscriptions').where('tenant_id', '=', TENANT).where('deleted_at', 'is', null);
  if (merchantId !== null) subscriptions = subscriptions.where('merchant_id', '=', merchantId);
  const plan = ['currency', 'frequency', 'anchor_date', 'next_index', 'end_date', 'total_payments', 'payments_made'] as const;
  const [counted, coming] = await Promise.all([
    read.rows(subscriptions.select(({ fn }) => ['status', fn.countAll<number>().as('n')]).groupBy('status')),
    read.rows(
      subscriptions
        .select(plan)
        .select(({ fn }) => fn.sum<number>('amount_minor').as('amount_minor'))
        .where('status', '=', lit('active'))
        .where('next_date', '<=', until)
        .groupBy(plan),
    ),
  ]);
  const sums = new Map<string, number>();
  for (const row of coming) sums.set(row.currency, (sums.get(row.currency) ?? 0) + Number(row.amount_minor) * timesUntil(row, until));
  const counts = { active: 0, past_due: 0, paused: 0, cancelled: 0, expired: 0 };
  for (const { status, n } of counted) counts[status] = Number(n);
  // Plans of absurd amounts must not take the figures of the others away.
  const expected = [...sums].map(([currency, minor]) => money(Math.min(minor, Number.MAX_SAFE_INTEGER), currency as Currency));
  return { counts, expected, days: EXPECTED_DAYS };
}

/** Plans whose payments fall on the same days. */
type Coming = Pick<SubscriptionRow, 'frequency' | 'anchor_date' | 'next_index' | 'end_date' | 'total_payments' | 'payments_made'>;

/** How many periods of a plan fall due up to a date. */
function timesUntil({ anchor_date, frequency, next_index, end_date, total_payments, payments_made }: Coming, until: string): number {
  const last = end_date !== null && end_date < until ? end_date : until;
  const left = total_payments === null ? Number.POSITIVE_INFINITY : total_payments - payments_made;
  let times = 0;
  while (times < left && dateOfPeriod(anchor_date, frequency, next_index + times) <= last) times += 1;
  return times;
}
