import { Type } from 'typebox';
import { type Money, toNumber } from '#core/kernel';
import { literals } from '#core/platform/fields';
import type { CardTotals } from '#core/sales/payments';
import type { ReportLine, Shift, ShiftDetail, ShiftReport } from '#core/sales/shifts';
import { AMOUNT_RANGE, AmountIn, Lines, Maybe, Text, Timestamp } from './fields.ts';
import { named } from './named.ts';

const MOVEMENTS = [
  'float',
  'pay_in',
  'pay_out',
  'over',
  'short',
  'removed',
  'no_sale',
  'cash_sale',
  'cash_refund',
  'check_sale',
  'check_refund',
  'other_sale',
  'other_refund',
  'card_sale',
  'card_adjustment',
  'card_void',
  'card_refund',
  'card_credit',
];
const DENOMINATIONS_MAX = 40;
const BLIND = 'null for an open shift without the permission `shifts:manage`, because the count is blind';

const CountIn = Type.Array(
  Type.Object({
    denomination: { ...AmountIn, description: `${AMOUNT_RANGE}; the value of one note or coin, in major units`, examples: [20] },
    quantity: Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'number of notes or coins', examples: [5] }),
  }),
  { maxItems: DENOMINATIONS_MAX, description: 'counted notes and coins, each denomination once' },
);
const SumIn = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  description: 'counted cash in major units, 0 or more; optional with `count`, and then its sum',
  examples: [200],
});

export const NewShiftBody = Type.Object({
  drawer: Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`')),
  amount: Type.Optional(SumIn),
  count: Type.Optional(CountIn),
  merchantId: Type.Optional(Text(60)),
});
export const CashMovementBody = Type.Object({
  amount: AmountIn,
  reason: Text(200, 'reason, which the report and the ledger keep'),
});
export const CloseShiftBody = Type.Object({
  amount: Type.Optional(SumIn),
  count: Type.Optional(CountIn),
  note: Type.Optional(Lines(500, 'explanation of a variance')),
});
export const ShiftNoteBody = Type.Object({ note: Lines(500, 'explanation of the variance') });

const Amount = (description = 'major units') => Type.Number({ description });

const ShiftFields = {
  shiftId: Type.String({ examples: ['shf_00000000000000000000000000'] }),
  merchantId: Type.String(),
  drawer: Type.String(),
  status: literals(['open', 'closed']),
  currency: Type.String(),
  floatAmount: Amount('counted cash at the opening, in major units'),
  expectedAmount: Maybe(Amount(`cash that should be in the drawer, in major units; ${BLIND}`)),
  countedAmount: Maybe(Amount('counted cash at the close, in major units')),
  varianceAmount: Maybe(Amount('counted less expected cash, in major units')),
  note: Maybe(Type.String({ description: 'explanation of the variance' })),
  noteBy: Maybe(Type.String({ description: 'person who wrote the note' })),
  zNumber: Maybe(Type.Integer({ description: 'number of the Z report, per merchant and without gaps' })),
  openedBy: Type.String(),
  openedAt: Timestamp,
  closedBy: Maybe(Type.String()),
  closedAt: Maybe(Timestamp),
};

/** A shift at a cash drawer. */
export const ShiftOut = named('Shift', Type.Object(ShiftFields));
export const CurrentShiftOut = Type.Object({ shift: Maybe(ShiftOut) });
export const ShiftDetailOut = named(
  'ShiftDetail',
  Type.Object({
    ...ShiftFields,
    movements: Type.Array(
      Type.Object({
        movementId: Type.String({ description: 'ID of the movement; for a tender or its refund, their ID' }),
        kind: literals(MOVEMENTS),
        amount: Amount('amount in major units, above 0; `card_adjustment` is negative if it lowered the amount'),
        reason: Maybe(Type.String()),
        actor: Type.String(),
        at: Timestamp,
        transactionId: Maybe(Type.String({ description: 'card or bank payment that moved the money; null for all others' })),
        brand: Maybe(Type.String({ description: 'card brand, or `ach` for a bank account', examples: ['visa'] })),
        last4: Maybe(Type.String({ description: 'last four digits of the card or account', examples: ['1111'] })),
      }),
      {
        description:
          'money that moved, and openings of the drawer without a sale (`no_sale`, amount 0), oldest first; cash sales and refunds are missing while the count is blind. Card and bank payments are those that the X or Z report counts: `card_sale` is a sale or capture, `card_adjustment` a later change such as a tip, `card_void` a void or canceled capture',
      },
    ),
  }),
);

const Line = (description: string) => Type.Object({ count: Type.Integer(), amount: Amount() }, { description });
const CardTotalsOut = Type.Object(
  {
    sales: Line('sales and captures, with their tips'),
    adjustments: Line('changes of captured amounts, such as tips that were set later; the amount can be negative'),
    voids: Line('voids and canceled captures'),
    refunds: Line('refunds'),
    credits: Line('unlinked credits'),
    totalAmount: Amount('sales and adjustments less voids, refunds and credits, in major units'),
    tipAmount: Amount('tips in the total, in major units'),
    surchargeAmount: Amount('surcharges in the total, in major units'),
    taxAmount: Amount('taxes in the total, in major units'),
    brands: Type.Array(
      Type.Object({
        brand: Type.String({ description: 'card brand, or `ach` for bank accounts', examples: ['visa'] }),
        count: Type.Integer({ description: 'number of sales' }),
        amount: Amount('share of the total, in major units'),
      }),
      { description: 'the total by card brand' },
    ),
    tips: Type.Array(
      Type.Object({
        person: Type.String({ description: 'person or API key that made the payment; empty if it was not recorded' }),
        count: Type.Integer({ description: 'number of payments with a tip' }),
        amount: Amount('tips less their refunds, in major units'),
      }),
      { description: 'tips by person' },
    ),
  },
  {
    description:
      'card and bank payments of requests with `Paydesk-Drawer` in the shift. If the outcome of a payment arrives after the close, it is in the next report of the drawer',
  },
);
export const ShiftReportOut = named(
  'ShiftReport',
  Type.Object({
    kind: literals(['x', 'z']),
    zNumber: Maybe(Type.Integer({ description: 'number of the Z report; null for an X report' })),
    shiftId: Type.String(),
    merchantId: Type.String(),
    drawer: Type.String(),
    currency: Type.String(),
    openedBy: Type.String(),
    openedAt: Timestamp,
    closedBy: Maybe(Type.String()),
    createdAt: Timestamp,
    floatAmount: Amount('counted cash at the opening, in major units'),
    payIns: Line('cash put into the drawer'),
    payOuts: Line('cash taken out of the drawer'),
    cashSales: Maybe(Line(`cash sales; ${BLIND}`)),
    cashRefunds: Maybe(Line(`cash refunds; ${BLIND}`)),
    checkSales: Line('received checks'),
    checkRefunds: Line('refunded checks'),
    otherSales: Line('other tenders'),
    otherRefunds: Line('refunded other tenders'),
    cards: CardTotalsOut,
    netSalesAmount: Maybe(Amount(`sales less refunds of tenders, cards and bank accounts, in major units; ${BLIND}`)),
    discounts: Line('sales with a discount and its sum, of tenders, cards and bank accounts, less voided sales'),
    drawerOpenings: Type.Integer({ description: 'openings of the drawer without a sale' }),
    expectedAmount: Maybe(Amount(`cash that should be in the drawer, in major units; ${BLIND}`)),
    countedAmount: Maybe(Amount('counted cash, in major units')),
    varianceAmount: Maybe(Amount('counted less expected cash, in major units')),
    denominations: Type.Array(
      Type.Object({
        denomination: Type.String({ description: 'value of one note or coin', examples: ['20.00'] }),
        quantity: Type.Integer({ description: 'number of notes or coins', examples: [5] }),
      }),
      { description: 'counted notes and coins, largest first' },
    ),
  }),
);

const numberOf = (amount: Money | null) => (amount === null ? null : toNumber(amount));
const lineOf = ({ count, amount }: ReportLine) => ({ count, amount: toNumber(amount) });
const maybeLine = (line: ReportLine | null) => (line === null ? null : lineOf(line));

export function shiftRecord({ floatAmount, expectedAmount, countedAmount, varianceAmount, ...rest }: Shift) {
  return {
    ...rest,
    floatAmount: toNumber(floatAmount),
    expectedAmount: numberOf(expectedAmount),
    countedAmount: numberOf(countedAmount),
    varianceAmount: numberOf(varianceAmount),
  };
}

export const shiftDetailRecord = ({ movements, ...shift }: ShiftDetail) => ({
  ...shiftRecord(shift),
  movements: movements.map(({ amount, ...rest }) => ({ ...rest, amount: toNumber(amount) })),
});

const cardTotalsRecord = ({ total, tip, surcharge, tax, brands, people, ...lines }: CardTotals) => ({
  sales: lineOf(lines.sales),
  adjustments: lineOf(lines.adjustments),
  voids: lineOf(lines.voids),
  refunds: lineOf(lines.refunds),
  credits: lineOf(lines.credits),
  totalAmount: toNumber(total),
  tipAmount: toNumber(tip),
  surchargeAmount: toNumber(surcharge),
  taxAmount: toNumber(tax),
  brands: brands.map(({ brand, ...line }) => ({ brand, ...lineOf(line) })),
  tips: people.map(({ person, ...line }) => ({ person, ...lineOf(line) })),
});

export function shiftReportRecord(report: ShiftReport) {
  return {
    ...report,
    floatAmount: toNumber(report.floatAmount),
    payIns: lineOf(report.payIns),
    payOuts: lineOf(report.payOuts),
    cashSales: maybeLine(report.cashSales),
    cashRefunds: maybeLine(report.cashRefunds),
    checkSales: lineOf(report.checkSales),
    checkRefunds: lineOf(report.checkRefunds),
    otherSales: lineOf(report.otherSales),
    otherRefunds: lineOf(report.otherRefunds),
    cards: report.cards && cardTotalsRecord(report.cards),
    netSalesAmount: numberOf(report.netSalesAmount),
    discounts: maybeLine(report.discounts),
    expectedAmount: numberOf(report.expectedAmount),
    countedAmount: numberOf(report.countedAmount),
    varianceAmount: numberOf(report.varianceAmount),
  };
}
