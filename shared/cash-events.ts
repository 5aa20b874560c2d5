import { amount, count, event, object, orNull, SAMPLE_AMOUNT, text, time } from './event-schemas.ts';

/** Parts of the card and bank payments of a shift. */
const parts = { tipAmount: amount, surchargeAmount: amount, taxAmount: amount };
const PARTS = { tipAmount: 0, surchargeAmount: 0, taxAmount: 0 };

const tender = {
  tenderId: text,
  number: text,
  kind: text,
  name: orNull(text),
  amount,
  roundingAmount: amount,
  taxAmount: amount,
  discountAmount: amount,
  discountApprovedBy: orNull(text),
  currency: text,
  invoiceId: orNull(text),
  shiftId: orNull(text),
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

const shift = { shiftId: text, drawer: text, openedBy: text, currency: text, floatAmount: amount };
const SHIFT = {
  shiftId: 'shf_00000000000000000000000000',
  drawer: 'Drawer 1',
  openedBy: 'cashier@example.com',
  currency: 'USD',
  floatAmount: 200,
};

/** Figures of a Z report: `salesCount` counts an order once, and `paymentsCount` each of its payments. `cardTotalAmount` is the total of card and bank payments; the parts are those of these payments. */
const shiftTotals = {
  salesCount: count,
  paymentsCount: count,
  cashSalesAmount: amount,
  cashRefundsAmount: amount,
  cashRoundingAmount: amount,
  checkSalesAmount: amount,
  checkRefundsAmount: amount,
  otherSalesAmount: amount,
  otherRefundsAmount: amount,
  giftCardSalesAmount: amount,
  giftCardRefundsAmount: amount,
  giftCardsSoldAmount: amount,
  giftCardsTakenBackAmount: amount,
  payInsAmount: amount,
  payOutsAmount: amount,
  cardTotalAmount: amount,
  ...parts,
  netSalesAmount: amount,
  discountsAmount: amount,
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
      refundId: text,
      refundedAmount: amount,
      refundRoundingAmount: amount,
      refundedTaxAmount: amount,
      reason: orNull(text),
      approvedBy: orNull(text),
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
    object({ ...tender, returnedAmount: amount, reason: orNull(text), returnedAt: time, approvedBy: orNull(text) }),
    (at) => ({
      ...TENDER,
      kind: 'check',
      returnedAmount: SAMPLE_AMOUNT,
      reason: 'insufficient funds',
      returnedAt: at,
      approvedBy: null,
    }),
  ),
  'shift.opened': event('Register', object({ ...shift, openedAt: time }), (at) => ({ ...SHIFT, openedAt: at })),
  'shift.closed': event(
    'Register',
    object({
      ...shift,
      zNumber: count,
      expectedAmount: amount,
      countedAmount: amount,
      varianceAmount: amount,
      ...shiftTotals,
      closedBy: text,
      closedAt: time,
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
