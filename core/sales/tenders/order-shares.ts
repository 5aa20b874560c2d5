import type { Read, Work } from '#core/database';
import { type Actor, type Money, money } from '#core/kernel';
import type { ShiftPlace } from '#core/processing/domain-events';
import type { AuditActor } from '#core/records/audit';
import type { OrderPart } from '#core/records/ledger';
import { isOrderId } from '#core/sales/payments';
import type { Dependencies } from './dependencies.ts';
import type { CheckedTender } from './record.ts';
import { TENDER_REFUNDS, type TenderRow } from './schema.ts';

/** Returns the order that a tender pays; null for one without an order. Invoices pay none. */
const orderOf = ({ order_id, invoice_id }: Pick<TenderRow, 'order_id' | 'invoice_id'>) =>
  invoice_id === null && isOrderId(order_id) ? order_id : null;

/** Payment of an order by a tender. */
interface Taking {
  readonly paymentId: string;
  readonly merchantId: string;
  readonly amount: Money;
  /** Lines of the order that it pays, by their position. */
  readonly lines: readonly number[];
}

/**
 * Takes the share of a tender in its order, in its unit of work. Returns the tender with its share in tax and discount, the earlier payments of the order in
 * cash, and its part in the number of sales.
 */
export async function takeShare(
  deps: Pick<Dependencies, 'events' | 'giftCards' | 'claimSpending'>,
  work: Work,
  actor: Actor,
  tender: CheckedTender,
  { paymentId, merchantId, amount, lines }: Taking,
): Promise<{ readonly tender: CheckedTender; readonly earlierCash: readonly string[]; readonly orderPart: OrderPart | null }> {
  const orderId = orderOf(tender);
  if (orderId === null) return { tender, earlierCash: [], orderPart: null };
  const { tenantId } = actor;
  let next = tender;
  let earlier: readonly string[] = [];
  let orderPart: OrderPart | null = null;
  await deps.events.publish(work, 'order-payment.started', {
    tenantId,
    orderId,
    merchantId,
    paymentId,
    kind: tender.kind,
    amount,
    lines,
    rerunOf: null,
    actor,
    assign({ taxMinor, discountMinor, discountApprovedBy, earlierCash }) {
      earlier = earlierCash;
      next = { ...tender, tax_minor: taxMinor, discount_minor: discountMinor, discount_approved_by: discountApprovedBy };
    },
  });
  await claimSoldCards(deps, work, actor, orderId, tender.kind, amount);
  const approved = { shareMinor: amount.minor, taxMinor: next.tax_minor ?? 0, discountMinor: next.discount_minor };
  await deps.events.publish(work, 'order-payment.decided', {
    tenantId,
    orderId,
    paymentId,
    approved,
    assign: (given) => {
      orderPart = given;
    },
    place: { drawer: tender.drawer },
    actor,
  });
  return { tender: next, earlierCash: earlier, orderPart };
}

/** Counts money that pays for gift cards against the limits of a key: nothing proves that a program received it, and the key knows their codes. */
async function claimSoldCards(
  { giftCards, claimSpending }: Pick<Dependencies, 'giftCards' | 'claimSpending'>,
  work: Work,
  actor: Actor,
  orderId: string,
  kind: CheckedTender['kind'],
  { minor, currency }: Money,
): Promise<void> {
  if (!actor.hasSpendingLimits || kind === 'gift_card') return;
  const sold = await giftCards.soldByOrder(work, orderId);
  if (sold > 0) await claimSpending(work, actor, money(Math.min(sold, minor), currency), money(sold, currency));
}

/** Returns the amount of a refund to the order of its tender, in the same unit of work; without a refund, the whole share of a returned check. */
export async function returnShare(
  deps: Pick<Dependencies, 'events'>,
  work: Work,
  actor: AuditActor,
  row: TenderRow,
  refund: Money | null,
  place: ShiftPlace,
): Promise<void> {
  const orderId = orderOf(row);
  if (orderId === null) return;
  const { tenant_id: tenantId, id: paymentId } = row;
  if (refund !== null)
    await deps.events.publish(work, 'order-payment.returning', {
      tenantId,
      orderId,
      paymentId,
      returningMinor: refund.minor,
      place,
      actor,
    });
  await deps.events.publish(work, 'order-payment.returned', {
    tenantId,
    orderId,
    paymentId,
    refundedMinor: refund?.minor ?? null,
    place,
    actor,
  });
}

/** Returns the refunds of tenders by their ID, in minor units, without checks that the bank returned. */
export async function refundedTenders(read: Read, tenderIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for (const id of tenderIds)
    for (const { amount_minor } of await read.find(TENDER_REFUNDS, { tender_id: id, is_return: 0 }))
      sums.set(id, (sums.get(id) ?? 0) + amount_minor);
  return sums;
}
