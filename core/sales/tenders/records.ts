import { amount, currencyCode, flag, id, list, literals, nullable, type RecordOf, record, text, time } from '#core/platform/fields';
import { LineItem } from '#core/sales/items';
import { TENDER_KINDS } from './schema.ts';

export const TENDER_STATUSES = ['received', 'partially_refunded', 'refunded', 'returned'] as const;

const number = text('Number of the receipt, per merchant and without gaps', 'T-000001');
const merchantId = id('mer', 'ID of the merchant');
const paid = amount('Amount', 49.99);
const roundingAmount = (verb: string) => amount(`Cash that was ${verb} less the amount, by rounding to the smallest coin; 0 without it`, 0);
const taxAmount = amount('Tax within the amount', 4.25);
const drawer = text('Name of the cash drawer', 'Drawer 1');
const shiftId = nullable(id('shf', 'Shift that counts it; null if none was open at the drawer'));
const createdBy = text('Name of the creator', 'admin@demo.example');
const createdAt = time('Time of creation');

/** A refund of a tender. */
export const TenderRefund = record('TenderRefund', {
  refundId: text('ID of the refund', 'trf_00000000000000000000000000'),
  number,
  tenderId: id('tnd', 'ID of the tender'),
  merchantId,
  amount: paid,
  currency: currencyCode(),
  roundingAmount: roundingAmount('returned'),
  taxAmount,
  reason: nullable(text('Reason', null)),
  drawer,
  shiftId,
  createdBy,
  approvedBy: nullable(text('Person who approved the refund; null if it needed no approval', null)),
  isReturn: flag('True if the bank returned a check, so that the customer received nothing', false),
  giftCardId: nullable(text('Gift card or store credit that received the money instead of the original kind', null)),
  createdAt,
});
export type TenderRefund = RecordOf<typeof TenderRefund>;

/** A payment received at the counter without a processor. */
export const Tender = record('Tender', {
  tenderId: text('ID of the tender', 'tnd_00000000000000000000000000'),
  number,
  merchantId,
  kind: literals(TENDER_KINDS, 'Kind'),
  name: nullable(text('Name of an `other` tender; null for all others', null)),
  status: literals(TENDER_STATUSES, 'Status'),
  amount: paid,
  currency: currencyCode(),
  roundingAmount: roundingAmount('received'),
  taxAmount,
  discountAmount: amount('Discount that was taken off before the amount', 5),
  discountApprovedBy: nullable(
    text('Person who approved the discount as the second one; null if it needed no approval', 'manager@shop.example'),
  ),
  refundedAmount: amount('Refunded amount with that of a returned check', 0),
  amountGiven: nullable(amount('Cash that the customer gave; null if it was not entered', 60)),
  change: nullable(amount('Amount given less the received cash', 10.01)),
  checkNumber: nullable(text('Number of the check', '1042')),
  checkBank: nullable(text('Bank of the check', 'First Harbor Bank')),
  giftCardId: nullable(id('gcd', 'Gift card or store credit that paid')),
  giftCardLastCharacters: nullable(text('Last characters of the code of the gift card', '7K2M')),
  customerId: nullable(id('cus', 'ID of the customer')),
  customerName: nullable(text('Name of the customer', 'Ann Marsh')),
  customerEmail: nullable(text('Email address of the customer', 'ann@customer.example')),
  orderId: nullable(text('Order that the payment pays, or the order number of the shop', 'order-1001')),
  description: nullable(text('Description', 'Repair')),
  lineItems: list(LineItem, 'Lines of the sale; empty if it is not itemized'),
  invoiceId: nullable(id('inv', 'Invoice that was paid')),
  drawer,
  shiftId,
  createdBy,
  returnedAt: nullable(time('Time at which the return of a check by the bank was recorded; null for all others', null)),
  returnReason: nullable(text('Reason why the bank returned the check, as it was entered', null)),
  createdAt,
});
export type Tender = RecordOf<typeof Tender>;

export const TenderDetail = record('TenderDetail', {
  ...Tender.properties,
  refunds: list(TenderRefund, 'Refunds of the tender, oldest first'),
});
export type TenderDetail = RecordOf<typeof TenderDetail>;
