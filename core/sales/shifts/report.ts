import { type Currency, money, subtract } from '#core/kernel';
import type { TenderTransferKind } from '#core/records/ledger';
import type { ShiftCards } from '#core/sales/payments';
import type { CheckedCount } from './count.ts';
import type { ReportLine, ShiftReport } from './records.ts';
import { CASH_EFFECT, isTenderSale, type ShiftMovementKind, type ShiftMovementRow, type ShiftRow, salesEffect } from './schema.ts';

/** Facts of a close that the movements do not contain. */
export interface Closing {
  readonly zNumber: number;
  readonly closedBy: string;
  readonly counted: CheckedCount;
}

type Movement = Pick<ShiftMovementRow, 'kind' | 'amount_minor' | 'discount_minor' | 'order_part'>;

/** Returns the cash that should be in a drawer after these movements, in minor units. */
export const expectedCash = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { kind, amount_minor }) => sum + CASH_EFFECT[kind] * amount_minor, 0);

/** Returns the tenders less their refunds and less sold gift cards, in minor units. */
const tenderTotal = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { kind, amount_minor }) => sum + salesEffect(kind) * amount_minor, 0);

/** Returns true for a tender that begins a sale: one without an order, or the first payment of its order. */
const beginsSale = ({ kind, order_part }: Movement): boolean => isTenderSale(kind) && order_part !== 'further';

const isDiscountedSale = (movement: Movement): boolean =>
  beginsSale(movement) && (movement.discount_minor > 0 || movement.order_part === 'discounted');

/** Returns the number of sales with a discount, and the sum of all discounts. */
function discountsOf(movements: readonly Movement[], { discounts }: ShiftCards, currency: Currency): ReportLine {
  const minor = movements.reduce((sum, { discount_minor }) => sum + discount_minor, discounts.amount.minor);
  return { count: movements.filter(isDiscountedSale).length + discounts.count, amount: money(minor, currency) };
}

interface ReportInput {
  readonly cards: ShiftCards;
  readonly closing?: Closing | null;
  readonly seesExpected: boolean;
}

/** Sums the movements of a shift before its count. */
export function reportOf(
  shift: ShiftRow,
  movements: readonly Movement[],
  at: string,
  { cards, closing = null, seesExpected }: ReportInput,
): ShiftReport {
  const currency = shift.currency as Currency;
  const amount = (minor: number) => money(minor, currency);
  const line = (kind: ShiftMovementKind): ReportLine => {
    const found = movements.filter((movement) => movement.kind === kind);
    return { count: found.length, amount: amount(found.reduce((sum, { amount_minor }) => sum + amount_minor, 0)) };
  };
  const hidden = (kind: TenderTransferKind) => (seesExpected ? line(kind) : null);
  const expected = expectedCash(movements);
  const { sales, voids } = cards.totals;
  return {
    kind: closing === null ? 'x' : 'z',
    zNumber: closing?.zNumber ?? null,
    shiftId: shift.id,
    merchantId: shift.merchant_id,
    drawer: shift.drawer,
    currency,
    openedBy: shift.opened_by,
    openedAt: shift.created_at,
    closedBy: closing?.closedBy ?? null,
    createdAt: at,
    floatAmount: amount(shift.float_minor),
    payIns: line('pay_in'),
    payOuts: line('pay_out'),
    cashSales: hidden('cash_sale'),
    cashRefunds: hidden('cash_refund'),
    cashRounding: seesExpected ? subtract(line('rounded_up').amount, line('rounded_down').amount) : null,
    checkSales: line('check_sale'),
    checkRefunds: line('check_refund'),
    otherSales: line('other_sale'),
    otherRefunds: line('other_refund'),
    giftCardSales: line('gift_card_sale'),
    giftCardRefunds: line('gift_card_refund'),
    giftCardsSold: line('gift_card_sold'),
    giftCardsTakenBack: line('gift_card_taken_back'),
    cards: cards.totals,
    salesCount: seesExpected ? movements.filter(beginsSale).length + cards.salesCount : null,
    paymentsCount: seesExpected ? movements.filter(({ kind }) => isTenderSale(kind)).length + sales.count - voids.count : null,
    netSalesAmount: seesExpected ? amount(cards.totals.total.minor + tenderTotal(movements)) : null,
    discounts: discountsOf(movements, cards, currency),
    drawerOpenings: line('no_sale').count,
    expectedAmount: seesExpected ? amount(expected) : null,
    countedAmount: closing === null ? null : closing.counted.total,
    varianceAmount: closing === null ? null : amount(closing.counted.total.minor - expected),
    denominations: closing?.counted.denominations ?? [],
  };
}
