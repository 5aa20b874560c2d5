import { Type } from 'typebox';
import { toNumber } from '#core/kernel';
import { amount, literals } from '#core/platform/fields';
import type { Tender, TenderDetail, TenderRefund } from '#core/sales/tenders';
import { DiscountApprovedByOut, DiscountIdIn } from './discount.ts';
import { AMOUNT_RANGE, AmountIn, CurrencyIn, DiscountIn, EmailIn, Lines, Maybe, PartsIn, Text, Timestamp } from './fields.ts';
import { LineItemsIn, LineItemsOut } from './line-item.ts';
import { named } from './named.ts';

export const TENDER_KINDS = ['cash', 'check', 'other'] as const;
export const TENDER_STATUSES = ['received', 'partially_refunded', 'refunded', 'returned'] as const;
const Amount = Type.Number({ description: 'major units', examples: [49.99] });
const DrawerIn = Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`. The open shift of the drawer counts the payment'));

export const NewTenderBody = named(
  'NewTender',
  Type.Object({
    kind: literals(TENDER_KINDS),
    name: Type.Optional(Text(40, 'for `other`: one of the names in `otherTenders` of the merchant; required')),
    amount: AmountIn,
    currency: Type.Optional(CurrencyIn),
    amountGiven: Type.Optional({
      ...AmountIn,
      description: `${AMOUNT_RANGE}; for cash what the customer gave, at least \`amount\`, and the rest is the change`,
    }),
    checkNumber: Type.Optional(Text(40, 'for a check: its number; required')),
    checkBank: Type.Optional(Text(100, 'for a check: its bank')),
    customerId: Type.Optional(Text(60)),
    customerEmail: Type.Optional(EmailIn),
    orderId: Type.Optional(Text(100)),
    description: Type.Optional(Lines(500)),
    taxAmount: PartsIn.taxAmount,
    discountAmount: DiscountIn,
    discountId: DiscountIdIn,
    lineItems: LineItemsIn,
    drawer: DrawerIn,
    merchantId: Type.Optional(Text(60)),
  }),
);

export const TenderRefundBody = Type.Object({
  amount: Type.Optional({ ...AmountIn, description: `${AMOUNT_RANGE}; by default the whole remaining amount` }),
  reason: Type.Optional(Text(200)),
  drawer: Type.Optional(Text(40, 'drawer from which cash is taken; by default that of the tender')),
});

export const CheckReturnBody = Type.Object({
  reason: Type.Optional(Text(200, 'reason of the bank, such as `insufficient funds`')),
});

const NumberOut = Type.String({ description: 'number of the receipt, per merchant and without gaps', examples: ['T-000001'] });
const ShiftId = Maybe(Type.String({ description: 'shift that counts it; null if none was open at the drawer' }));

const TaxOut = Type.Number({ description: 'tax within the amount, in major units' });

export const TenderRefundOut = named(
  'TenderRefund',
  Type.Object({
    refundId: Type.String({ examples: ['trf_00000000000000000000000000'] }),
    number: NumberOut,
    tenderId: Type.String(),
    merchantId: Type.String(),
    amount: Amount,
    currency: Type.String(),
    taxAmount: TaxOut,
    reason: Maybe(Type.String()),
    drawer: Type.String(),
    shiftId: ShiftId,
    createdBy: Type.String(),
    approvedBy: Maybe(Type.String({ description: 'person who approved the refund; null if it needed no approval' })),
    isReturn: Type.Boolean({ description: 'true if the bank returned a check, so that the customer received nothing' }),
    createdAt: Timestamp,
  }),
);

const TenderFields = {
  tenderId: Type.String({ examples: ['tnd_00000000000000000000000000'] }),
  number: NumberOut,
  merchantId: Type.String(),
  kind: literals(TENDER_KINDS),
  name: Maybe(Type.String({ description: 'name of an `other` tender; null for cash and checks' })),
  status: literals(TENDER_STATUSES),
  amount: Amount,
  currency: Type.String(),
  taxAmount: TaxOut,
  discountAmount: amount('Discount that was taken off before the amount', 5),
  discountApprovedBy: DiscountApprovedByOut,
  refundedAmount: Type.Number({ description: 'refunded amount with that of a returned check, in major units' }),
  amountGiven: Maybe(Type.Number({ description: 'cash that the customer gave, in major units; null if it was not entered' })),
  change: Maybe(Type.Number({ description: 'amount given less the amount, in major units' })),
  checkNumber: Maybe(Type.String()),
  checkBank: Maybe(Type.String()),
  customerId: Maybe(Type.String()),
  customerName: Maybe(Type.String()),
  customerEmail: Maybe(Type.String()),
  orderId: Maybe(Type.String()),
  description: Maybe(Type.String()),
  lineItems: LineItemsOut,
  invoiceId: Maybe(Type.String({ description: 'invoice that was paid' })),
  drawer: Type.String(),
  shiftId: ShiftId,
  createdBy: Type.String(),
  returnedAt: Maybe(Timestamp),
  returnReason: Maybe(Type.String({ description: 'reason why the bank returned the check, as it was entered' })),
  createdAt: Timestamp,
};

/** A payment at the counter without a processor. */
export const TenderOut = named('Tender', Type.Object(TenderFields));
export const TenderDetailOut = named(
  'TenderDetail',
  Type.Object({ ...TenderFields, refunds: Type.Array(TenderRefundOut, { description: 'refunds of the tender, oldest first' }) }),
);

export function tenderRecord({ amount: paid, taxAmount, discountAmount, refundedAmount, amountGiven, change, lineItems, ...rest }: Tender) {
  return {
    ...rest,
    lineItems,
    amount: toNumber(paid),
    taxAmount: toNumber(taxAmount),
    discountAmount,
    refundedAmount: toNumber(refundedAmount),
    amountGiven: amountGiven && toNumber(amountGiven),
    change: change && toNumber(change),
  };
}

export const tenderRefundRecord = ({ amount: refunded, taxAmount, ...rest }: TenderRefund) => ({
  ...rest,
  amount: toNumber(refunded),
  taxAmount: toNumber(taxAmount),
});

export const tenderDetailRecord = ({ refunds, ...tender }: TenderDetail) => ({
  ...tenderRecord(tender),
  refunds: refunds.map(tenderRefundRecord),
});
