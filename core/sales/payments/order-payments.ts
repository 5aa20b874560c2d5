import type { Read, Work } from '#core/database';
import { type Actor, isId, money, ServiceError, storedCurrency } from '#core/kernel';
import type { ShiftPlace } from '#core/processing/domain-events';
import type { AuditActor } from '#core/records/audit';
import type { OrderPart } from '#core/records/ledger';
import { actorOfAttempt } from './audit-and-ledger.ts';
import type { Dependencies } from './dependencies.ts';
import type { ItemizedInput } from './parts/itemized-parts.ts';
import { reservesAmount } from './queue-entries/entry.ts';
import { REFUND_QUEUE } from './queue-entries/schema.ts';
import { ATTEMPTS, type AttemptRow, REFUNDS, type RefundRow, TRANSACTIONS, type TransactionRow } from './schema.ts';

/** Returns true if a text is the ID of an order of Paydesk, and not an order number of the shop. */
export const isOrderId = (orderId: string | null | undefined): orderId is string => typeof orderId === 'string' && isId('ord', orderId);

/** Returns the order that a payment pays; null for one without an order. Invoices, subscriptions and queued payments pay none. */
function orderOf({ type, order_id, invoice_id, subscription_id, queued_payment_id }: TransactionRow): string | null {
  const isOther = type === 'credit' || invoice_id !== null || subscription_id !== null || queued_payment_id !== null;
  return !isOther && isOrderId(order_id) ? order_id : null;
}

/** Returns the share of a payment, or of one of its refunds, in the order, in minor units. */
const shareOf = ({ amount_minor, tip_minor, surcharge_minor }: TransactionRow | RefundRow) => amount_minor - tip_minor - surcharge_minor;

/** Returns a concluded payment with the discount of the approved part, which may be less than the claimed share. */
export function withApprovedDiscount(claimed: TransactionRow, concluded: TransactionRow): TransactionRow {
  const isPart = paysOrder(claimed) && shareOf(concluded) < shareOf(claimed);
  return isPart
    ? { ...concluded, discount_minor: Math.floor((claimed.discount_minor * shareOf(concluded)) / shareOf(claimed)) }
    : concluded;
}

export const paysOrder = (row: TransactionRow): boolean => orderOf(row) !== null;

const OF_ORDER = ['taxAmount', 'discountAmount', 'discountId', 'lineItems'] as const;

/** Checks the fields of a payment that names an order: tax, discount and lines are those of the order. @throws ServiceError VALIDATION_ERROR. */
export function checkOrderFields(input: ItemizedInput & { readonly type?: string }): void {
  const field = OF_ORDER.find((name) => input[name] !== undefined);
  if (field !== undefined)
    throw new ServiceError(
      'VALIDATION_ERROR',
      `A payment of an order has its share of the order's tax and discount. Leave \`${field}\` out.`,
      { field },
    );
  if (input.type === 'auth')
    throw new ServiceError('VALIDATION_ERROR', 'An order is paid by sales. Leave `orderId` out, or send the type `sale`.', {
      field: 'type',
    });
}

/** @throws ServiceError VALIDATION_ERROR if a payment without an order names lines of one. */
export function refuseOrderLines({ orderLines }: { readonly orderLines?: readonly number[] }): void {
  if (orderLines !== undefined)
    throw new ServiceError('VALIDATION_ERROR', '`orderLines` are lines of the order in `orderId`. Send the ID of an order too.', {
      field: 'orderLines',
    });
}

export const isBankPayment = ({ method, account_type }: TransactionRow) => method === 'ach' || account_type !== null;

/** Reserves the share of a payment in its order, in the commit of its intent. Returns the row with its share in tax and discount. */
export async function reserveShare(
  deps: Dependencies,
  work: Work,
  actor: Pick<Actor, 'credentialId' | 'name'>,
  row: TransactionRow,
  lines: readonly number[] = [],
): Promise<TransactionRow> {
  const orderId = orderOf(row);
  if (orderId === null) return row;
  const share = money(shareOf(row), storedCurrency(row.currency));
  if (share.minor <= 0)
    throw new ServiceError('INVALID_AMOUNT', 'Without tip and surcharge nothing of `amount` remains for the order.', { field: 'amount' });
  let next = row;
  await deps.events.publish(work, 'order-payment.started', {
    tenantId: row.tenant_id,
    orderId,
    merchantId: row.merchant_id,
    paymentId: row.id,
    kind: isBankPayment(row) ? 'ach' : 'card',
    amount: share,
    lines,
    rerunOf: row.rerun_of,
    actor,
    assign({ taxMinor, discountMinor, discountApprovedBy }) {
      next = { ...row, tax_minor: taxMinor, discount_minor: discountMinor, discount_approved_by: discountApprovedBy };
    },
  });
  return next;
}

const placeOf = (shiftId: string | null): ShiftPlace => (shiftId === null ? null : { shiftId });

/** Pays or releases the share of a payment, in the commit of its outcome. Returns the part of the payment in the number of sales. */
export async function decideShare(deps: Dependencies, work: Work, attempt: AttemptRow, row: TransactionRow): Promise<OrderPart | null> {
  const orderId = orderOf(row);
  if (orderId === null) return null;
  let orderPart: OrderPart | null = null;
  const { tenant_id: tenantId, id: paymentId, tax_minor: taxMinor, discount_minor: discountMinor } = row;
  const approved = row.status === 'approved' ? { shareMinor: shareOf(row), taxMinor, discountMinor } : null;
  await deps.events.publish(work, 'order-payment.decided', {
    tenantId,
    orderId,
    paymentId,
    approved,
    assign: (given) => {
      orderPart = given;
    },
    place: placeOf(attempt.shift_id),
    actor: actorOfAttempt(attempt),
  });
  return orderPart;
}

/**
 * Announces to the order of a payment that a refund or a void is about to be sent, in the commit of its intent; or that an attempt had no effect, or that the
 * payment was charged back or a chargeback reversed. @throws ServiceError NOT_REFUNDABLE if the order sold a gift card that was spent.
 */
export async function announceReturn(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  row: TransactionRow,
  of: { readonly refund: RefundRow } | { readonly creditMinor: number } | 'void' | 'no-effect' | 'dispute',
  shiftId: string | null,
): Promise<void> {
  const orderId = orderOf(row);
  if (orderId === null) return;
  await deps.events.publish(work, 'order-payment.returning', {
    tenantId: row.tenant_id,
    orderId,
    paymentId: row.id,
    returningMinor: returningMinorOf(of),
    isCredit: typeof of !== 'string' && 'creditMinor' in of,
    place: placeOf(shiftId),
    actor,
  });
}

function returningMinorOf(of: Parameters<typeof announceReturn>[4]): number | null {
  if (of === 'void') return null;
  if (typeof of === 'string') return 0;
  return 'refund' in of ? shareOf(of.refund) : of.creditMinor;
}

/** Announces to the order of the credited payment that a credit to its card or account had no effect. */
export async function announceEndOfCredit(
  deps: Dependencies,
  work: Work,
  attempt: AttemptRow,
  { type, credit_of }: TransactionRow,
): Promise<void> {
  const named = type === 'credit' && credit_of !== null ? await work.one(TRANSACTIONS, { id: credit_of }) : null;
  if (named !== null) await announceReturn(deps, work, actorOfAttempt(attempt), named, 'no-effect', attempt.shift_id);
}

/**
 * Returns the share of an approved refund to the order of its payment, in the same commit; without a refund, the whole share of a reversed payment. Returns
 * the part of a reversed payment in the number of sales.
 */
export async function returnShare(
  deps: Dependencies,
  work: Work,
  actor: AuditActor,
  row: TransactionRow,
  refund: RefundRow | null,
  shiftId: string | null,
): Promise<OrderPart | null> {
  const orderId = orderOf(row);
  if (orderId === null) return null;
  let orderPart: OrderPart | null = null;
  await deps.events.publish(work, 'order-payment.returned', {
    tenantId: row.tenant_id,
    orderId,
    paymentId: row.id,
    refundedMinor: refund === null ? null : shareOf(refund),
    assign: (given) => {
      orderPart = given;
    },
    place: placeOf(shiftId),
    actor,
  });
  return orderPart;
}

/** Money of a payment that the merchant may lose, in minor units. */
export interface LeavingMoney {
  /** Share of the pending refunds in the order, and credits to the card or account of the payment. */
  readonly refundingMinor: number;
  /** Share of the pending refunds in the order. */
  readonly pendingRefundsMinor: number;
  /** Refunds and credits, also pending ones, by the merchant: without payments that the bank returned. */
  readonly givenBackMinor: number;
  /** True if the payment was voided. */
  readonly isVoided: boolean;
  /** Amount that disputes have charged back. */
  readonly disputedMinor: number;
  /** True while the outcome of a void is not known. */
  readonly isVoiding: boolean;
}

/** Returns the money that is leaving, by the ID of the transaction. */
export async function leavingMoney(read: Read, ids: readonly string[]): Promise<ReadonlyMap<string, LeavingMoney>> {
  const leaving = new Map<string, LeavingMoney>();
  for (const id of ids) {
    const row = await read.one(TRANSACTIONS, { id });
    if (row === null) continue;
    const pending = row.pending_attempt === null ? null : await read.one(ATTEMPTS, { id: row.pending_attempt });
    const credits = await read.find(TRANSACTIONS, { credit_of: id });
    const creditedMinor = credits.reduce((sum, { status, amount_minor }) => sum + (isPaidOut(status) ? amount_minor : 0), 0);
    const refunds = await refundsOf(read, id);
    const pendingRefundsMinor = row.reserved_minor === 0 ? 0 : refunds.pendingMinor;
    leaving.set(id, {
      refundingMinor: creditedMinor + pendingRefundsMinor,
      pendingRefundsMinor,
      givenBackMinor: creditedMinor + refunds.pendingMinor + refunds.approvedMinor,
      isVoided: row.status === 'voided',
      disputedMinor: row.disputed_minor,
      isVoiding: pending !== null && pending.operation === 'void' && pending.refund_id === null,
    });
  }
  return leaving;
}

const isPaidOut = (status: TransactionRow['status']) => status === 'approved' || status === 'pending';

/** Returns the shares of the refunds of a payment. A declined refund is pending while its entry in the queue reserves its amount. */
async function refundsOf(read: Read, transactionId: string): Promise<{ readonly pendingMinor: number; readonly approvedMinor: number }> {
  const entries = await read.find(REFUND_QUEUE, { transaction_id: transactionId });
  const queued = new Set(entries.filter(({ status }) => reservesAmount(status)).map(({ refund_id }) => refund_id));
  const outside = new Set(
    entries.filter(({ status, refund_date }) => status === 'resolved' && refund_date !== null).map((entry) => entry.refund_id),
  );
  const refunds = await read.find(REFUNDS, { transaction_id: transactionId });
  const sum = (of: (refund: RefundRow) => boolean) => refunds.filter(of).reduce((total, refund) => total + shareOf(refund), 0);
  return {
    pendingMinor: sum(({ id, status }) => status === 'pending' || (status === 'declined' && queued.has(id))),
    approvedMinor: sum(({ id, status, sent_as }) => (status === 'approved' && sent_as !== 'return') || outside.has(id)),
  };
}
