import { splitParts } from '#core/sales/payments';
import type { OrderPaymentRow, OrderRow } from './schema.ts';

/** Sums of the shares of an order, in minor units. */
export interface Balance {
  readonly reserved_minor: number;
  readonly paid_minor: number;
  readonly refunded_minor: number;
}

type Share = Pick<OrderPaymentRow, 'state' | 'share_minor' | 'tax_minor' | 'discount_minor' | 'returned_minor' | 'refunded_minor'>;

/** Returns the part of a share that its order still has. */
export const keptOf = ({ state, share_minor, returned_minor }: Pick<Share, 'state' | 'share_minor' | 'returned_minor'>) =>
  state === 'released' ? 0 : share_minor - returned_minor;

/** Returns what remains of a part of a share after its returns, which take proportional amounts, rounded down. */
const keptPart = ({ share_minor, returned_minor }: Share, part: number) => part - proportion(part, returned_minor, share_minor);

/** Returns the balances of an order with these shares. */
export function balanceOf(shares: readonly Share[]): Balance {
  const sum = (state: Share['state']) => shares.reduce((total, share) => total + (share.state === state ? keptOf(share) : 0), 0);
  return {
    reserved_minor: sum('reserved'),
    paid_minor: sum('paid'),
    refunded_minor: shares.reduce((total, { refunded_minor }) => total + refunded_minor, 0),
  };
}

/** Returns the amount of an order that no payment covers or reserves, in minor units. */
export const remainingOf = ({ amount_minor, reserved_minor, paid_minor }: Balance & Pick<OrderRow, 'amount_minor'>): number =>
  amount_minor - reserved_minor - paid_minor;

/**
 * Returns the money of approved payments of an order that was not returned, in minor units. A share that was refunded after the order was paid stays paid,
 * because the customer returned goods for it.
 */
export const heldOf = ({ paid_minor, refunded_minor }: Balance): number => paid_minor - refunded_minor;

/** Tax and discount of a payment, in minor units. */
export interface ShareParts {
  readonly taxMinor: number;
  readonly discountMinor: number;
}

/**
 * Returns tax and discount of a payment that takes an amount of an order, in minor units. They are those of the lines that it pays, else proportional, and
 * the payment that takes everything that remains gets the rest, so the payments of an order add up to its tax and its discount.
 */
export function partsOfShare(
  order: Pick<OrderRow, 'amount_minor' | 'tax_minor' | 'discount_minor'>,
  shares: readonly Share[],
  amountMinor: number,
  ofLines: ShareParts | null = null,
): ShareParts {
  const left = { amount: order.amount_minor, tax: order.tax_minor, discount: order.discount_minor };
  for (const share of shares) {
    const kept = keptOf(share);
    if (kept === 0) continue;
    left.amount -= kept;
    left.tax -= keptPart(share, share.tax_minor);
    left.discount -= keptPart(share, share.discount_minor);
  }
  if (amountMinor >= left.amount) return { taxMinor: left.tax, discountMinor: left.discount };
  // Payments of other parts may have taken some of the tax of these lines, and the tax that is left must fit into the rest.
  if (ofLines !== null)
    return {
      taxMinor: Math.min(left.tax, amountMinor, Math.max(ofLines.taxMinor, left.tax - (left.amount - amountMinor))),
      discountMinor: Math.min(left.discount, ofLines.discountMinor),
    };
  return {
    taxMinor: splitParts(amountMinor, left.amount, { tip: 0, surcharge: 0, tax: left.tax }).tax,
    discountMinor: proportion(left.discount, amountMinor, left.amount),
  };
}

/** Returns a proportional part of an amount, rounded down. All arguments are in minor units. */
export const proportion = (whole: number, part: number, total: number): number =>
  part >= total ? whole : Number((BigInt(whole) * BigInt(part)) / BigInt(total));
