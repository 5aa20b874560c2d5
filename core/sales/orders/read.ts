import {
  type Condition,
  conditionsOn,
  listOf,
  newestPage,
  type Page,
  type PageRequest,
  queriesOn,
  type Read,
  searchCondition,
  TENANT,
} from '#core/database';
import { type Actions, type Actor, actionsOf, type Currency, type Money, money, storedCurrency } from '#core/kernel';
import { cashRoundings, tenderNumber } from '#core/sales/tenders';
import { isOrderId } from '#shared/order-id';
import { remainingOf } from './balance.ts';
import { checkCancel, checkHolder, checkIsOpen, checkPark, checkResume, findOrder } from './change.ts';
import type { Dependencies } from './dependencies.ts';
import { coveredBy, coveredLines } from './lines.ts';
import { isPayable, numberOf, toOrder } from './order.ts';
import type { Order, OrderDetail, OrderPayment } from './records.ts';
import { ORDER_PAYMENTS, ORDERS, type OrderPaymentRow, type OrderRow, type OrderStatus } from './schema.ts';
import { type StoredPayment, storedPayments } from './stored-payments.ts';

const order = conditionsOn(ORDERS);
const NUMBER = /^(?:o-)?0*(\d{1,9})$/i;

/** Filters of the list; absent ones do not narrow. */
export interface OrderFilter {
  readonly status?: OrderStatus;
  readonly merchantId?: string;
  readonly customerId?: string;
  /** Number, ID, name or reference, or the name of the customer. */
  readonly q?: string;
}

/** Returns the orders that the caller may see, newest first. @throws ServiceError MERCHANT_NOT_AUTHORIZED. */
export async function page(deps: Dependencies, actor: Actor, filter: OrderFilter, request: PageRequest): Promise<Page<Order>> {
  const merchantId = filter.merchantId ?? actor.merchantId ?? undefined;
  if (merchantId !== undefined) await deps.merchantFor(actor, merchantId);
  const where = { merchant_id: merchantId, status: filter.status, customer_id: filter.customerId };
  const conditions = await searchOf(deps, actor, filter.q ?? '');
  const rows = await newestPage(deps.database.read(actor.tenantId), ORDERS, 'ord', where, request, conditions);
  return { ...rows, items: rows.items.map(toOrder) };
}

async function searchOf({ customers, database }: Dependencies, actor: Pick<Actor, 'tenantId'>, text: string): Promise<Condition[]> {
  const wanted = text.trim();
  if (wanted === '') return [];
  const number = NUMBER.exec(wanted)?.[1];
  const named = /\p{L}{2}/u.test(wanted) ? await customers.foundBy(actor.tenantId, wanted) : null;
  const exact = [
    order('id', '=', wanted),
    order('name', '=', wanted),
    order('reference', '=', wanted),
    ...(number === undefined ? [] : [order('number', '=', Number(number))]),
  ];
  return [await searchCondition(database.read(actor.tenantId), ORDERS, exact, named && order('customer_id', 'in', named))];
}

/** Returns an order with its payments. */
export async function detailOf(deps: Pick<Dependencies, 'database' | 'giftCards'>, row: OrderRow): Promise<OrderDetail> {
  const read = deps.database.read(row.tenant_id);
  const shares = await read.find(
    ORDER_PAYMENTS,
    { order_id: row.id },
    {
      orderBy: [
        ['created_at', 'asc'],
        ['id', 'asc'],
      ],
    },
  );
  const payments = await paymentsOf(read, row, shares);
  const currency = storedCurrency(row.currency);
  const sum = (of: (payment: OrderPayment) => Money) =>
    money(
      payments.filter(isCounted).reduce((total, payment) => total + of(payment).minor, 0),
      currency,
    );
  return {
    ...toOrder(row),
    tipAmount: sum(({ tipAmount }) => tipAmount),
    surchargeAmount: sum(({ surchargeAmount }) => surchargeAmount),
    lineItems: coveredLines(row, shares).map(({ line, restMinor, paidBy }) => ({
      ...line,
      remainingAmount: money(isPayable(row) ? restMinor : 0, currency),
      paidBy,
    })),
    payments,
    giftCards: await deps.giftCards.ofOrder(row.tenant_id, row.id),
  };
}

/** Returns true if the tip and the surcharge of a payment count: it was approved, and neither voided nor returned by the bank. */
const isCounted = ({ state, shareAmount, returnedAmount, refundedAmount }: OrderPayment): boolean =>
  state === 'paid' && (returnedAmount.minor < shareAmount.minor || refundedAmount.minor > 0);

async function paymentsOf(read: Read, { currency }: OrderRow, shares: readonly OrderPaymentRow[]): Promise<OrderPayment[]> {
  const stored = new Map(
    (
      await storedPayments(
        read,
        shares.map((share) => share.id),
      )
    ).map((payment) => [payment.id, payment]),
  );
  const roundings = await cashRoundings(
    read,
    shares.filter(({ kind }) => kind === 'cash').map((share) => share.id),
  );
  return shares.map((share) => ({
    ...shownPayment(share, stored.get(share.id), storedCurrency(currency)),
    roundingAmount: money(roundings.get(share.id) ?? 0, storedCurrency(currency)),
  }));
}

function shownPayment(share: OrderPaymentRow, stored: StoredPayment | undefined, currency: Currency): Omit<OrderPayment, 'roundingAmount'> {
  const amount = (minor: number) => money(minor, currency);
  return {
    paymentId: share.id,
    kind: share.kind,
    state: share.state,
    amount: amount(stored?.amount ?? share.share_minor),
    shareAmount: amount(share.share_minor),
    tipAmount: amount(stored?.tip ?? 0),
    surchargeAmount: amount(stored?.surcharge ?? 0),
    taxAmount: amount(share.tax_minor),
    discountAmount: amount(share.discount_minor),
    returnedAmount: amount(share.returned_minor),
    refundedAmount: amount(stored?.refunded ?? 0),
    card: stored?.card ?? null,
    authCode: stored?.authCode ?? null,
    number: stored?.number ? tenderNumber(stored.number) : null,
    lines: coveredBy(share).map(({ line, minor }) => ({ line, amount: amount(minor) })),
    createdAt: share.created_at,
  };
}

/** Returns the numbers of orders by ID. Order numbers of a shop, which are no ID, are absent. */
export async function numbersOf(
  deps: Dependencies,
  tenantId: string,
  orderIds: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(orderIds)].filter((id) => id !== null && isOrderId(id));
  if (ids.length === 0) return new Map();
  const rows = await deps.database
    .read(tenantId)
    .rows(queriesOn(ORDERS).selectFrom('orders').select(['id', 'number']).where('tenant_id', '=', TENANT).where('id', 'in', listOf(ids)));
  return new Map(rows.map(({ id, number }) => [id, numberOf(number)]));
}

/** Returns an order with its payments. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export const getOrder = async (deps: Dependencies, actor: Actor, orderId: string): Promise<OrderDetail> =>
  detailOf(deps, await findOrder(deps, actor, orderId));

export type OrderAction = 'pay' | 'park' | 'resume' | 'cancel';

/** Returns an order with its payments and with what can be done with it now. @throws ServiceError NOT_FOUND, MERCHANT_NOT_AUTHORIZED. */
export async function getWithActions(
  deps: Dependencies,
  actor: Actor,
  orderId: string,
): Promise<OrderDetail & { readonly actions: Actions<OrderAction> }> {
  const row = await findOrder(deps, actor, orderId);
  const check = (of: (row: OrderRow, actor: Actor) => void) => () => {
    of(row, actor);
    return {};
  };
  const actions = await actionsOf({
    pay: () => {
      checkIsOpen(row);
      checkHolder(row, actor);
      return { maxAmount: money(remainingOf(row), storedCurrency(row.currency)) };
    },
    park: check(checkPark),
    resume: check((of) => checkResume(of)),
    cancel: check(checkCancel),
  });
  return { ...(await detailOf(deps, row)), actions };
}
