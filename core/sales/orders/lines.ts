import { amountAboveLimit, money, ServiceError, storedCurrency } from '#core/kernel';
import type { ChangeEvents } from '#core/processing/domain-events';
import { type LineItem, lineItemsOf } from '#core/sales/items';
import { keptOf, proportion, type ShareParts } from './balance.ts';
import type { OrderPaymentRow, OrderRow } from './schema.ts';

/** Amount of a line that a payment takes, in minor units. The line is its position in the order. */
export interface LineClaim {
  readonly line: number;
  readonly minor: number;
}

type Share = Pick<OrderPaymentRow, 'id' | 'state' | 'share_minor' | 'returned_minor' | 'lines'>;

export const storedClaims = (claims: readonly LineClaim[]): string | null => (claims.length === 0 ? null : JSON.stringify(claims));

const claimsOf = ({ lines }: Share): readonly LineClaim[] => (lines === null ? [] : (JSON.parse(lines) as LineClaim[]));

/** Returns the amounts of lines that a payment covers now. A part of its share, as a card approved or a refund left it, covers its first lines. */
export function coveredBy(share: Share): LineClaim[] {
  let left = keptOf(share);
  return claimsOf(share).flatMap(({ line, minor }) => {
    const covered = Math.min(left, minor);
    left -= covered;
    return covered > 0 ? [{ line, minor: covered }] : [];
  });
}

/** A line with the payments that cover it, and the rest that none covers, in minor units. */
export interface CoveredLine {
  readonly line: LineItem;
  readonly restMinor: number;
  readonly paidBy: readonly string[];
}

/** Returns the lines of an order with what its payments cover of each. */
export function coveredLines({ line_items, currency }: Pick<OrderRow, 'line_items' | 'currency'>, shares: readonly Share[]): CoveredLine[] {
  const covers = shares.flatMap((share) => coveredBy(share).map((claim) => ({ ...claim, id: share.id })));
  return lineItemsOf(line_items, storedCurrency(currency)).map((line, index) => {
    const own = covers.filter((cover) => cover.line === index);
    return { line, restMinor: own.reduce((rest, { minor }) => rest - minor, line.amount.minor), paidBy: own.map(({ id }) => id) };
  });
}

/**
 * Returns the amounts of lines that a new payment takes: the rests of the named ones, in their order, up to its amount. A repeated payment takes the lines of
 * the declined one. @throws ServiceError VALIDATION_ERROR for a line that does not exist; RESOURCE_CONFLICT for one that other payments cover; INVALID_AMOUNT
 * for more than the rests.
 */
export function claimLines(
  order: OrderRow,
  shares: readonly Share[],
  { lines, rerunOf, amount }: Pick<ChangeEvents['order-payment.started'], 'lines' | 'rerunOf' | 'amount'>,
): LineClaim[] {
  const repeated = shares.find(({ id }) => id === rerunOf);
  const named = repeated === undefined ? [...new Set(lines)] : claimsOf(repeated).map(({ line }) => line);
  if (named.length === 0) return [];
  const covered = coveredLines(order, shares);
  const orderId = order.id;
  const unknown = named.find((line) => covered[line] === undefined);
  if (unknown !== undefined)
    throw new ServiceError('VALIDATION_ERROR', `This order has no line ${unknown}. Its first line is 0.`, {
      field: 'orderLines',
      details: { orderId, line: unknown },
    });
  const restOf = (line: number) => covered[line]?.restMinor ?? 0;
  const taken = named.filter((line) => restOf(line) === 0 && covered[line]?.paidBy.length);
  if (taken.length > 0)
    throw new ServiceError('RESOURCE_CONFLICT', 'Another payment already pays one of these lines. Choose from the lines that are left.', {
      details: { reason: 'line_paid', orderId, lines: taken },
    });
  const payable = named.reduce((sum, line) => sum + restOf(line), 0);
  if (amount.minor > payable)
    throw amountAboveLimit('The payment exceeds what remains of the lines that it pays.', {
      payableAmount: money(payable, amount.currency),
      requestedAmount: amount,
    });
  let left = amount.minor;
  return named.flatMap((line) => {
    const minor = Math.min(left, restOf(line));
    left -= minor;
    return minor > 0 ? [{ line, minor }] : [];
  });
}

/** Returns tax and discount of the lines that a new payment takes, in proportion to their amounts; null if it takes no lines. */
export function partsOfLines(order: OrderRow, shares: readonly Share[], claims: readonly LineClaim[]): ShareParts | null {
  if (claims.length === 0) return null;
  const covered = coveredLines(order, shares);
  const sum = (partOf: (line: LineItem) => number) =>
    claims.reduce((total, { line: index, minor }) => {
      const { line, restMinor } = covered[index] as CoveredLine;
      // What a line has left after its payments, so that these add up to its part.
      const leftAfter = (rest: number) => proportion(partOf(line), rest, line.amount.minor);
      return total + leftAfter(restMinor) - leftAfter(restMinor - minor);
    }, 0);
  return { taxMinor: sum(({ taxAmount }) => taxAmount.minor), discountMinor: sum(({ discountAmount }) => discountAmount.minor) };
}
