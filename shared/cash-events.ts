import { amount, common, commonOrNull, count, event, object, SAMPLE_AMOUNT, text, time } from './event-schemas.ts';

/** Parts of the card and bank payments of a shift. */
const parts = common('tipAmount', 'surchargeAmount', 'taxAmount');
const PARTS = { tipAmount: 0, surchargeAmount: 0, taxAmount: 0 };

const tender = {
  tenderId: text('ID of the tender'),
  number: text('Number'),
  ...common('kind'),
  ...commonOrNull('name'),
  ...common('amount'),
  roundingAmount: amount('Rounding of cash'),
  ...common('taxAmount', 'discountAmount'),
  ...commonOrNull('discountApprovedBy'),
  ...common('currency'),
  ...commonOrNull('invoiceId', 'shiftId'),
};
const TENDER = {
  tenderId: 'tnd_00000000000000000000000000',
  number: 'T-000001',
  kind: 'cash',
  name: null,
  amount: SAMPLE_AMOUNT,
  roundingAmount: 0,
  taxAmount: 3.7,
  discountAmount: 0,
  discountApprovedBy: null,
  currency: 'USD',
  invoiceId: null,
  shiftId: 'shf_00000000000000000000000000',
};

const shift = {
  ...common('shiftId'),
  drawer: text('Name of the cash drawer'),
  openedBy: text('Person or program that opened the shift'),
  ...common('currency'),
  floatAmount: amount('Cash in the drawer at the opening'),
};
const SHIFT = {
  shiftId: 'shf_00000000000000000000000000',
  drawer: 'Drawer 1',
  openedBy: 'cashier@example.com',
  currency: 'USD',
  floatAmount: 200,
};

/** Figures of a Z report: `salesCount` counts an order once, and `paymentsCount` each of its payments. `cardTotalAmount` is the total of card and bank payments; the parts are those of these payments. */
const shiftTotals = {
  salesCount: count('Number of sales; an order is one sale, with its first payment'),
  paymentsCount: count('Number of payments; an order can have several'),
  cashSalesAmount: amount('Sales in cash'),
  cashRefundsAmount: amount('Refunds in cash'),
  cashRoundingAmount: amount('Rounding of cash'),
  checkSalesAmount: amount('Sales by check'),
  checkRefundsAmount: amount('Refunds of checks'),
  otherSalesAmount: amount('Sales by other tenders'),
  otherRefundsAmount: amount('Refunds of other tenders'),
  giftCardSalesAmount: amount('Sales paid with gift cards'),
  giftCardRefundsAmount: amount('Refunds to gift cards'),
  giftCardsSoldAmount: amount('Gift cards sold'),
  giftCardsTakenBackAmount: amount('Gift cards taken back'),
  payInsAmount: amount('Cash put into the drawer without a sale'),
  payOutsAmount: amount('Cash taken from the drawer without a refund'),
  cardTotalAmount: amount('Card and bank payments'),
  ...parts,
  netSalesAmount: amount('Net sales'),
  discountsAmount: amount('Discounts'),
};
const SHIFT_TOTALS = {
  salesCount: 3,
  paymentsCount: 4,
  cashSalesAmount: SAMPLE_AMOUNT,
  cashRefundsAmount: 0,
  cashRoundingAmount: 0,
  checkSalesAmount: 0,
  checkRefundsAmount: 0,
  otherSalesAmount: 0,
  otherRefundsAmount: 0,
  giftCardSalesAmount: 0,
  giftCardRefundsAmount: 0,
  giftCardsSoldAmount: 0,
  giftCardsTakenBackAmount: 0,
  payInsAmount: 0,
  payOutsAmount: 0,
  cardTotalAmount: 120,
  ...PARTS,
  netSalesAmount: 169.99,
  discountsAmount: 5,
};

/** Events about tenders and shifts. */
export const CASH_EVENTS = {
  'tender.created': event('Register', object(tender), () => TENDER),
  'tender.refunded': event(
    'Register',
    object({
      ...tender,
      refundId: text('ID of the refund'),
      refundedAmount: amount('Refunded amount'),
      refundRoundingAmount: amount('Rounding of the refund in cash'),
      refundedTaxAmount: amount('Sales tax within the refunded amount'),
      ...commonOrNull('reason', 'approvedBy'),
    }),
    () => ({
      ...TENDER,
      refundId: 'trf_00000000000000000000000000',
      refundedAmount: SAMPLE_AMOUNT,
      refundRoundingAmount: 0,
      refundedTaxAmount: 3.7,
      reason: 'test',
      approvedBy: null,
    }),
  ),
  'tender.returned': event(
    'Register',
    object({
      ...tender,
      returnedAmount: amount('Returned amount'),
      ...commonOrNull('reason'),
      returnedAt: time('Time at which the bank returned the payment'),
      ...commonOrNull('approvedBy'),
    }),
    (at) => ({
      ...TENDER,
      kind: 'check',
      returnedAmount: SAMPLE_AMOUNT,
      reason: 'insufficient funds',
      returnedAt: at,
      approvedBy: null,
    }),
  ),
  'shift.opened': event('Register', object({ ...shift, openedAt: time('Time of the opening') }), (at) => ({ ...SHIFT, openedAt: at })),
  'shift.closed': event(
    'Register',
    object({
      ...shift,
      zNumber: count('Number of the Z report, per merchant and without gaps'),
      expectedAmount: amount('Expected cash'),
      countedAmount: amount('Counted cash'),
      varianceAmount: amount('Difference between counted and expected cash'),
      ...shiftTotals,
      closedBy: text('Person who closed the shift'),
      closedAt: time('Time of the close'),
    }),
    (at) => ({
      ...SHIFT,
      zNumber: 1,
      expectedAmount: 249.99,
      countedAmount: 249.99,
      varianceAmount: 0,
      ...SHIFT_TOTALS,
      closedBy: 'cashier@example.com',
      closedAt: at,
    }),
  ),
};
