import type { Read } from '#core/database';
import { type Money, money, ServiceError } from '#core/kernel';
import type { PaymentDiscount } from '#core/sales/discounts';
import {
  checkLineItems,
  discountOfLines,
  discountOfSale,
  type LineItem,
  lineItemsFrom,
  type NewLineItem,
  taxOfLines,
} from '#core/sales/items';
import { type Parts, type PartsInput, parseParts } from './parts.ts';

/** Parts of an amount and lines, as a request states them. */
export interface ItemizedInput extends PartsInput {
  /** Lines of an itemized sale. With tip and surcharge they must add up to the amount; their taxes are its tax. */
  readonly lineItems?: readonly NewLineItem[];
  /** Taken off before the amount; with lines it is the sum of their discounts. */
  readonly discountAmount?: string | number;
  /** Discount that was granted before, which this payment uses. */
  readonly discountId?: string;
}

/** Largest discount without lines, as a multiple of the amount that is left: 99 percent of the price. */
const DISCOUNT_MAX_TIMES = 99;

interface ItemizedParts {
  readonly lines: readonly LineItem[];
  readonly parts: Parts;
  readonly discountMinor: number;
  readonly discount: PaymentDiscount;
}

/**
 * Returns the lines of a sale, the parts of its amount, its discount in minor units, and its discount as the approval rule compares it; a tax that is
 * not stated is that of the lines. @throws ServiceError INVALID_AMOUNT if the parts exceed the amount or the lines do not add up; the errors of
 * `lineItemsFrom`.
 */
export async function itemizedParts(read: Read, merchantId: string, input: ItemizedInput, amount: Money): Promise<ItemizedParts> {
  const { currency } = amount;
  const lines = await lineItemsFrom(read, merchantId, input.lineItems ?? [], currency);
  const parts = parseParts(lines.length === 0 ? input : { ...input, taxAmount: taxOfLines(lines, currency, input.taxAmount) }, amount);
  const discountMinor = discountOfSale(lines, currency, input.discountAmount);
  checkLineItems(lines, amount, parts);
  if (lines.length === 0 && discountMinor > amount.minor * DISCOUNT_MAX_TIMES)
    throw new ServiceError(
      'INVALID_AMOUNT',
      '`discountAmount` is more than 99 percent of the price, which is `amount` with the discount.',
      {
        field: 'discountAmount',
      },
    );
  const { discountId } = input;
  return {
    lines,
    parts,
    discountMinor,
    discount: { ...comparedDiscount(lines, amount, parts, discountMinor), ...(discountId !== undefined && { discountId }) },
  };
}

function comparedDiscount(lines: readonly LineItem[], amount: Money, { tip, surcharge }: Parts, discountMinor: number): PaymentDiscount {
  const { currency } = amount;
  const ofLines =
    lines.length === 0 ? { priceMinor: amount.minor + discountMinor - tip - surcharge, discountMinor } : discountOfLines(lines);
  return { price: money(ofLines.priceMinor, currency), discountAmount: money(ofLines.discountMinor, currency) };
}
