import { Type } from 'typebox';
import { amount, count, currencyCode, group, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import type { CardTotals } from '#core/sales/payments';

const MOVEMENT_KINDS = [
  'float',
  'pay_in',
  'pay_out',
  'over',
  'short',
  'removed',
  'rounded_up',
  'rounded_down',
  'no_sale',
  'cash_sale',
  'cash_refund',
  'check_sale',
  'check_refund',
  'other_sale',
  'other_refund',
  'gift_card_sale',
  'gift_card_refund',
  'gift_card_sold',
  'gift_card_taken_back',
  'card_sale',
  'card_adjustment',
  'card_void',
  'card_refund',
  'card_credit',
] as const;
const BLIND = 'null for an open shift without the permission `shifts:manage`, because the count is blind';

const shiftId = text('ID of the shift', 'shf_00000000000000000000000000');
const merchantId = id('mer', 'ID of the merchant');
const drawer = text('Name of the cash drawer', 'Drawer 1');
const floatAmount = amount('Counted cash at the opening', 200);
const expectedAmount = nullable(amount(`Cash that should be in the drawer; ${BLIND}`, 249.99));
const varianceAmount = nullable(amount('Counted less expected cash', 0));
const openedBy = text('Person or program that opened the shift', 'cashier@example.com');
const openedAt = time('Time of the opening');
const closedBy = nullable(text('Person or program that counted the cash; null while the shift is open', null));

/** A shift at a cash drawer. */
export const Shift = record('Shift', {
  shiftId,
  merchantId,
  drawer,
  status: literals(['open', 'closed'], 'Status'),
  currency: currencyCode(),
  floatAmount,
  expectedAmount,
  countedAmount: nullable(amount('Counted cash at the close', 249.99)),
  varianceAmount,
  note: nullable(text('Explanation of the variance', null)),
  noteBy: nullable(text('Person who wrote the note', null)),
  zNumber: nullable(count('Number of the Z report, per merchant and without gaps; null while the shift is open', 1)),
  openedBy,
  openedAt,
  closedBy,
  closedAt: nullable(time('Time of the close; null while the shift is open', null)),
});
export type Shift = RecordOf<typeof Shift>;

/** A movement of a shift, with the cash amounts that the caller may see. */
const ShiftMovement = Type.Object({
  movementId: id('shm', 'ID of the movement; for a tender or its refund, their ID'),
  kind: literals(MOVEMENT_KINDS, 'Kind'),
  amount: amount('Amount, above 0; `card_adjustment` is negative if it lowered the amount', 49.99),
  reason: nullable(text('Reason', null)),
  actor: text('User, API key or job that did it', 'cashier@example.com'),
  at: time('Time of the event'),
  transactionId: nullable(id('txn', 'Card or bank payment that moved the money; null for all others')),
  brand: nullable(text('Card brand, or `ach` for a bank account', 'visa')),
  last4: nullable(text('Last four digits of the card or account', '1111')),
});
export type ShiftMovement = RecordOf<typeof ShiftMovement>;

export const CurrentShift = Type.Object({ shift: nullable(Shift, 'Shift; null if none is open', null) });

export const ShiftDetail = record('ShiftDetail', {
  ...Shift.properties,
  movements: list(
    ShiftMovement,
    'Money that moved, and openings of the drawer without a sale (`no_sale`, amount 0), oldest first; cash sales and refunds are missing while the count is blind. Card and bank payments are those that the X or Z report counts: `card_sale` is a sale or capture, `card_adjustment` a later change such as a tip, `card_void` a void or canceled capture',
  ),
});
export type ShiftDetail = RecordOf<typeof ShiftDetail>;

const ReportLine = { count: count('Number of items', 3), amount: amount('Amount', 49.99) };
/** Number and sum of movements of one kind. */
export type ReportLine = RecordOf<ReturnType<typeof line>>;
const line = (description: string) => group(description, ReportLine);

const Cards = group(
  'Card and bank payments of requests with `Paydesk-Drawer` in the shift. If the outcome of a payment arrives after the close, it is in the next report of the drawer',
  {
    sales: line('Sales and captures, with their tips'),
    adjustments: line('Changes of captured amounts, such as tips that were set later; the amount can be negative'),
    voids: line('Voids and canceled captures'),
    refunds: line('Refunds'),
    credits: line('Unlinked credits'),
    totalAmount: amount('Sales and adjustments less voids, refunds and credits', 149.97),
    tipAmount: amount('Tips in the total', 8),
    surchargeAmount: amount('Surcharges in the total', 0),
    taxAmount: amount('Taxes in the total', 4.25),
    brands: list(
      Type.Object({
        brand: text('Card brand, or `ach` for bank accounts', 'visa'),
        count: count('Number of sales', 3),
        amount: amount('Share of the total', 149.97),
      }),
      'The total by card brand',
    ),
    tips: list(
      Type.Object({
        person: text('Person or API key that made the payment; empty if it was not recorded', 'cashier@example.com'),
        count: count('Number of payments with a tip', 1),
        amount: amount('Tips less their refunds', 8),
      }),
      'Tips by person',
    ),
  },
);

/** Report of a shift: X at any time, Z at the close. Amounts of an X report that reveal the expected cash are null for callers who may not see it. */
export const ShownReport = record('ShiftReport', {
  kind: literals(['x', 'z'], 'Kind'),
  zNumber: nullable(count('Number of the Z report; null for an X report', 1)),
  shiftId,
  merchantId,
  drawer,
  currency: currencyCode(),
  openedBy,
  openedAt,
  closedBy,
  createdAt: time('Time of the report'),
  floatAmount,
  payIns: line('Cash put into the drawer'),
  payOuts: line('Cash taken out of the drawer'),
  cashSales: nullable(line('Cash sales'), `Cash sales; ${BLIND}`),
  cashRefunds: nullable(line('Cash refunds'), `Cash refunds; ${BLIND}`),
  cashRounding: nullable(amount(`Cash received by rounding, less cash given up by it; ${BLIND}`, -0.02)),
  checkSales: line('Received checks'),
  checkRefunds: line('Refunded checks'),
  otherSales: line('Other tenders'),
  otherRefunds: line('Refunded other tenders'),
  giftCardSales: line('Payments by gift cards and store credit'),
  giftCardRefunds: line('Refunds to gift cards and store credit'),
  giftCardsSold: line('Sold gift cards'),
  giftCardsTakenBack: line('Gift cards taken back'),
  cards: Cards,
  salesCount: nullable(
    count(
      `Sales of all payments, less voided ones; an order is one sale, in the report of its first payment, and a void ends it if no other payment remains. Null in Z reports from before sales were counted; ${BLIND}`,
      12,
    ),
  ),
  paymentsCount: nullable(
    count(
      `Payments of all kinds, less voided ones; an order can have several. Null in Z reports from before sales were counted; ${BLIND}`,
      15,
    ),
  ),
  netSalesAmount: nullable(amount(`Sales less refunds of tenders, cards and bank accounts; ${BLIND}`, 149.97)),
  discounts: line(
    'Sales with a discount, less voided ones, and the sum of the discounts of all payments; an order counts once, as in `salesCount`',
  ),
  drawerOpenings: count('Openings of the drawer without a sale', 0),
  expectedAmount,
  countedAmount: nullable(amount('Counted cash', 249.99)),
  varianceAmount,
  denominations: list(
    Type.Object({ denomination: text('Value of one note or coin', '20.00'), quantity: count('Number of notes or coins', 5) }),
    'Counted notes and coins, largest first',
  ),
});
/** A report as it is stored at the close. */
export type ShiftReport = Omit<RecordOf<typeof ShownReport>, 'cards'> & { readonly cards: CardTotals };

/** Returns a report in the form of the API. */
export const shownReport = ({ cards, ...report }: ShiftReport): RecordOf<typeof ShownReport> => {
  const { total, tip, surcharge, tax, people, ...lines } = cards;
  return { ...report, cards: { ...lines, totalAmount: total, tipAmount: tip, surchargeAmount: surcharge, taxAmount: tax, tips: people } };
};
