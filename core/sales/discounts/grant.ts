import {
  type Actor,
  currencyOfPayment,
  formatDecimal,
  isoTime,
  later,
  money,
  newId,
  parseMoney,
  ServiceError,
  storedCurrency,
} from '#core/kernel';
import { runIdempotent } from '#core/platform/idempotency';
import { checkOpen } from '#core/processing/merchants';
import type { Dependencies } from './dependencies.ts';
import type { Discount } from './records.ts';
import { DISCOUNTS, type DiscountRow } from './schema.ts';

/** Time in which a granted discount can be used. */
const VALID_MS = 15 * 60_000;

export interface NewDiscount {
  readonly merchantId?: string;
  readonly currency?: string;
  /** Price before the discount. */
  readonly price: string | number;
  readonly discountAmount: string | number;
  readonly reason?: string;
}

/**
 * Grants a discount before its payment, because the data of a keyed card are never stored until an approval. @throws ApprovalRequired;
 * ServiceError INVALID_AMOUNT, also for a discount above the price.
 */
export async function grantDiscount(deps: Dependencies, actor: Actor, input: NewDiscount): Promise<Discount> {
  const merchant = checkOpen(await deps.merchantFor(actor, input.merchantId));
  const { merchantId } = merchant;
  const currency = currencyOfPayment(input.currency, merchant);
  const price = parseMoney(input.price, currency, 'price');
  const amount = parseMoney(input.discountAmount, currency, 'discountAmount');
  if (amount.minor > price.minor)
    throw new ServiceError('INVALID_AMOUNT', '`discountAmount` exceeds `price`.', { field: 'discountAmount' });
  const reason = input.reason?.trim() || null;
  const now = deps.clockOf(actor.tenantId).now();
  const row: DiscountRow = {
    tenant_id: actor.tenantId,
    id: newId('dct', now),
    merchant_id: merchantId,
    status: 'open',
    currency,
    price_minor: price.minor,
    discount_minor: amount.minor,
    reason,
    requested_by: actor.name,
    requester_id: actor.credentialId,
    approved_by: actor.approval?.approvedBy ?? null,
    payment_id: null,
    expires_at: isoTime(later(now, VALID_MS)),
    used_at: null,
    created_at: isoTime(now),
  };
  const facts = { price: formatDecimal(price), discountAmount: formatDecimal(amount), currency, reason };
  const { discount } = await runIdempotent(deps, actor, async (work) => {
    await deps.checkApproval(work, actor, { kind: 'discount', merchantId, resource: 'discounts', amount, price, details: facts });
    work.insert(DISCOUNTS, row);
    deps.audit(work, { actor, action: 'discount.granted', resource: `discounts/${row.id}`, merchantId, after: facts });
    return { discount: toDiscount(row) };
  });
  return discount;
}

function toDiscount(row: DiscountRow): Discount {
  const currency = storedCurrency(row.currency);
  return {
    discountId: row.id,
    merchantId: row.merchant_id,
    price: money(row.price_minor, currency),
    discountAmount: money(row.discount_minor, currency),
    currency,
    reason: row.reason,
    status: row.status,
    requestedBy: row.requested_by,
    approvedBy: row.approved_by,
    expiresAt: row.expires_at,
  };
}
