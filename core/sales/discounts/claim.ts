import type { Work } from '#core/database';
import { type Actor, formatDecimal, isoTime, type Money, ServiceError, toNumber } from '#core/kernel';
import type { Dependencies } from './dependencies.ts';
import { DISCOUNTS, type DiscountRow } from './schema.ts';

/** The discount of a payment, as the rule compares it. */
export interface PaymentDiscount {
  /** Price before the discount: of itemized sales the sum of quantity times price, otherwise the amount with the discount, without tip and surcharge. */
  readonly price: Money;
  /** Everything that was taken off, with the differences between prices of items and lower prices of lines. */
  readonly discountAmount: Money;
  /** Granted discount that the request names. */
  readonly discountId?: string;
}

/** A payment that takes a discount. */
export interface DiscountClaim extends PaymentDiscount {
  readonly merchantId: string;
  /** ID of the transaction, tender or later payment. */
  readonly paymentId: string;
}

/** Columns of a payment that name its discount. */
export interface DiscountColumns {
  readonly discount_id: string | null;
  readonly discount_approved_by: string | null;
}

export const NO_DISCOUNT: DiscountColumns = { discount_id: null, discount_approved_by: null };

/**
 * Uses up the granted discount of a payment in the unit of work of its intent, so that one payment gets it. Without one, the discount must need no
 * approval. @throws ServiceError PERMISSION_DENIED with the reason `discount_approval`; RESOURCE_CONFLICT with the reason `discount_used` or
 * `discount_expired`.
 */
export async function claimDiscount(deps: Dependencies, work: Work, actor: Actor, claim: DiscountClaim): Promise<DiscountColumns> {
  if (claim.discountId === undefined) {
    await checkWithoutGrant(deps, work, actor, claim);
    return NO_DISCOUNT;
  }
  const row = await work.lockOne(DISCOUNTS, { id: claim.discountId });
  const isOwn = row?.requester_id === actor.credentialId && row.merchant_id === claim.merchantId;
  if (!isOwn) throw needsDiscount('`discountId` must name a discount that you requested for this merchant.', claim);
  if (row.status === 'used') throw discountUsed(row, claim);
  const now = isoTime(deps.clockOf(actor.tenantId).now());
  if (row.expires_at <= now)
    throw new ServiceError('RESOURCE_CONFLICT', 'The approval of this discount has expired. Request the discount again.', {
      field: 'discountId',
      details: { reason: 'discount_expired', discountId: row.id, ...requestOf(claim) },
    });
  const { price, discountAmount } = claim;
  if (row.currency !== price.currency || row.discount_minor < discountAmount.minor || row.price_minor > price.minor)
    throw needsDiscount(
      'The granted discount of `discountId` is below the discount of this payment, or its price or currency differs.',
      claim,
    );
  return use(work, row, claim.paymentId, now);
}

/**
 * Uses the discount of an earlier payment of the same sale, which was declined or failed, once more. @throws ServiceError RESOURCE_CONFLICT with the
 * reason `discount_used` if another payment got it.
 */
export async function reclaimDiscount(
  deps: Dependencies,
  work: Work,
  actor: Actor,
  { discount_id, discount_approved_by }: DiscountColumns,
  paymentId: string,
): Promise<void> {
  if (discount_id === null) return;
  const row = await work.lockOne(DISCOUNTS, { id: discount_id });
  // Swept after 30 days, when nothing else can have it.
  if (row === null) return;
  if (row.status === 'used') throw discountUsed(row);
  await use(work, { ...row, approved_by: discount_approved_by }, paymentId, isoTime(deps.clockOf(actor.tenantId).now()));
}

async function use(work: Work, { id, approved_by }: DiscountRow, payment_id: string, used_at: string): Promise<DiscountColumns> {
  await work.update(DISCOUNTS, { id }, { status: 'used', payment_id, used_at });
  return { discount_id: id, discount_approved_by: approved_by };
}

async function checkWithoutGrant(deps: Dependencies, work: Work, actor: Actor, claim: DiscountClaim): Promise<void> {
  const { discountAmount: amount, price, merchantId } = claim;
  if (amount.minor === 0) return;
  const reason = await deps.reasonForApproval(work, actor, {
    kind: 'discount',
    merchantId,
    resource: 'discounts',
    amount,
    price,
    details: {},
  });
  if (reason !== null) throw needsDiscount(reason, claim);
}

function needsDiscount(reason: string, claim: DiscountClaim): ServiceError {
  const { price, discountAmount } = claim;
  const request = `price ${formatDecimal(price)} and discountAmount ${formatDecimal(discountAmount)}`;
  const message = `${reason} Request the discount with POST /discounts (${request}), and send its \`discountId\` with the payment.`;
  return new ServiceError('PERMISSION_DENIED', message, {
    field: 'discountId',
    details: { reason: 'discount_approval', ...requestOf(claim) },
  });
}

/** Returns the fields of the discount to request. */
const requestOf = ({ price, discountAmount }: PaymentDiscount) => ({
  price: toNumber(price),
  discountAmount: toNumber(discountAmount),
  currency: price.currency,
});

const discountUsed = ({ id, payment_id }: DiscountRow, claim?: PaymentDiscount) =>
  new ServiceError('RESOURCE_CONFLICT', 'Another payment has used this discount. Request the discount again.', {
    field: 'discountId',
    details: { reason: 'discount_used', discountId: id, paymentId: payment_id, ...(claim && requestOf(claim)) },
  });
