import { type ApiFailure, api, newIdempotencyKey, takeData } from '#renderer/base/client';
import { onReset } from '#renderer/base/module-state';

/** A discount of the sale on the screen, in major units. */
interface RequestedDiscount {
  readonly merchantId: string;
  readonly currency: string;
  /** Price before the discount. */
  readonly price: number;
  readonly discountAmount: number;
}

/** ID of the discount that the next payment uses; undefined if none was granted. The grant belongs to one sale, so it survives no reload. */
let grantedId: string | undefined;

onReset(forgetDiscount);

/** Removes the granted discount of the sale, because its discount changed or the next sale begins. */
export function forgetDiscount(): void {
  grantedId = undefined;
}

/** Returns the field of a payment that names the granted discount. */
export const discountField = (): { readonly discountId?: string } => (grantedId === undefined ? {} : { discountId: grantedId });

/**
 * Requests a discount before its payment. If a rule requires a second person, the dialog asks for the approval first. @throws ApiFailure, also if
 * nobody approved it.
 */
export async function requestDiscount(discount: RequestedDiscount): Promise<void> {
  forgetDiscount();
  const header = { 'Idempotency-Key': newIdempotencyKey() };
  const { discountId } = await takeData(api.POST('/api/v1/discounts', { body: discount, params: { header } }));
  grantedId = discountId;
}

const REASONS: ReadonlySet<unknown> = new Set(['discount_approval', 'discount_used', 'discount_expired']);

/** Returns true if a payment was refused because it needs a granted discount, or because its granted one is used or has expired. */
export const isDiscountMissing = ({ details }: Pick<ApiFailure, 'details'>): boolean => REASONS.has(details.reason);

/**
 * Requests the discount that a refused payment lacks. Afterwards the payment can be sent again, under a new key. @throws ApiFailure if nobody approved
 * the discount.
 */
export async function requestMissingDiscount({ details }: Pick<ApiFailure, 'details'>, merchantId: string): Promise<void> {
  const { price, discountAmount, currency } = details;
  forgetDiscount();
  // A payment that has no discount any more needs none.
  if (Number(discountAmount) > 0)
    await requestDiscount({ merchantId, currency: String(currency), price: Number(price), discountAmount: Number(discountAmount) });
}
