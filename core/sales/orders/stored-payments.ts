import { lit, queriesOn, type Read, TENANT, type Work } from '#core/database';
import { type Currency, storedCurrency } from '#core/kernel';
import type { OrderPart } from '#core/records/ledger';
import { READABLE_TRANSACTIONS, refundable } from '#core/sales/payments';
import { READABLE_TENDERS } from '#core/sales/tenders';
import type { OrderPayment } from './records.ts';
import { ORDER_PAYMENTS, ORDERS } from './schema.ts';

const queries = queriesOn(READABLE_TRANSACTIONS, READABLE_TENDERS);

/** A payment as its own capability stores it, in minor units. */
export interface StoredPayment {
  readonly id: string;
  readonly merchantId: string;
  readonly currency: Currency;
  /** Order that it pays. The field of a transaction can have another text. */
  readonly orderId: string | null;
  readonly amount: number;
  readonly tip: number;
  readonly surcharge: number;
  readonly refunded: number;
  /** Amount that can still be refunded. */
  readonly refundable: number;
  readonly card: OrderPayment['card'];
  readonly authCode: string | null;
  /** Receipt number of a tender. */
  readonly number: number | null;
}

/** Returns transactions and tenders by their ID. */
export async function storedPayments(read: Read, ids: readonly string[]): Promise<StoredPayment[]> {
  if (ids.length === 0) return [];
  const transactions = await read.rows(
    queries
      .selectFrom('transactions')
      .select(['id', 'merchant_id', 'status', 'currency', 'amount_minor', 'captured_minor', 'tip_minor', 'surcharge_minor'])
      .select(['refunded_minor', 'reserved_minor', 'disputed_minor', 'card_brand', 'last4', 'auth_code', 'order_id'])
      .where('tenant_id', '=', TENANT)
      .where('id', 'in', ids),
  );
  const tenders = await read.rows(
    queries
      .selectFrom('tenders')
      .select(['id', 'merchant_id', 'currency', 'number', 'amount_minor', 'refunded_minor', 'order_id'])
      .where('tenant_id', '=', TENANT)
      .where('id', 'in', ids),
  );
  return [
    ...transactions.map((row) => ({
      id: row.id,
      merchantId: row.merchant_id,
      currency: storedCurrency(row.currency),
      orderId: row.order_id,
      amount: row.captured_minor > 0 ? row.captured_minor : row.amount_minor,
      tip: row.tip_minor,
      surcharge: row.surcharge_minor,
      refunded: row.refunded_minor,
      refundable: row.status === 'approved' ? refundable(row).minor : 0,
      card: row.card_brand === null ? null : { brand: row.card_brand, last4: row.last4 ?? '' },
      authCode: row.auth_code,
      number: null,
    })),
    ...tenders.map((row) => ({
      id: row.id,
      merchantId: row.merchant_id,
      currency: storedCurrency(row.currency),
      orderId: row.order_id,
      amount: row.amount_minor,
      tip: 0,
      surcharge: 0,
      refunded: row.refunded_minor,
      refundable: row.amount_minor - row.refunded_minor,
      card: null,
      authCode: null,
      number: row.number,
    })),
  ];
}

/**
 * Returns the part of a payment, or of its void, in the number of sales: another payment of the order whose money was taken and not voided keeps the sale. The
 * order is locked first, because a parallel payment of it asks the same.
 */
export async function orderPartOf(
  work: Work,
  { orderId, paymentId }: { readonly orderId: string; readonly paymentId: string },
): Promise<OrderPart | null> {
  const order = await work.lockOne(ORDERS, { id: orderId });
  const alone = order !== null && order.discount_minor > 0 ? 'discounted' : null;
  const shares = await work.find(ORDER_PAYMENTS, { order_id: orderId, state: 'paid' });
  const others = shares.filter(({ id }) => id !== paymentId);
  // Tenders are refunded, and never voided.
  if (others.some(({ kind }) => kind !== 'card' && kind !== 'ach')) return 'further';
  const ids = others.map(({ id }) => id);
  if (ids.length === 0) return alone;
  const captured = queries
    .selectFrom('transactions')
    .select('id')
    .where('tenant_id', '=', TENANT)
    .where('id', 'in', ids)
    .where('captured_minor', '>', lit(0))
    .limit(1);
  return (await work.row(captured)) === null ? alone : 'further';
}
