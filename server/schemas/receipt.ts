import { Type } from 'typebox';
import {
  COLUMNS_MAX,
  COLUMNS_MIN,
  DRAWER_PINS,
  PRINTER_CODE_PAGES,
  RECEIPT_COPIES,
  RECEIPT_FORMATS,
  RECEIPT_WIDTHS,
} from '#core/billing/receipts';
import { literals } from '#core/platform/fields';
import { EmailIn, MerchantIn, Text, TransactionIdIn } from './fields.ts';
import { PhoneIn } from './identity.ts';

const subject = {
  transactionId: TransactionIdIn,
  refundId: Type.Optional(Text(60, 'a refund of the transaction or tender, for its receipt instead of that of the payment')),
};
const OrderIdIn = Type.Optional(Text(60, 'an order, whose one receipt lists all its payments, instead of a transaction'));
const TenderIdIn = Type.Optional(Text(60, 'a tender, such as a cash payment, instead of a transaction'));

export const ReceiptEmailIn = Type.Object({
  ...subject,
  transactionId: Type.Optional(subject.transactionId),
  tenderId: TenderIdIn,
  orderId: OrderIdIn,
  email: Type.Optional(EmailIn()),
});
export const ReceiptSmsIn = Type.Object({ transactionId: Type.Optional(subject.transactionId), orderId: OrderIdIn, phone: PhoneIn });

export const ReceiptPrintIn = Type.Object({
  transactionId: Type.Optional(subject.transactionId),
  refundId: subject.refundId,
  paymentId: Type.Optional(Text(60, 'a payment of an invoice, such as a cash payment, instead of a transaction')),
  tenderId: TenderIdIn,
  orderId: OrderIdIn,
  shiftId: Type.Optional(
    Text(60, 'a shift, instead of a transaction: its Z report, or its X report while it is open; requires `shifts:read`'),
  ),
  format: Type.Optional(literals(RECEIPT_FORMATS, 'html (default), text, or escpos: the bytes for a receipt printer, in base64')),
  width: Type.Optional(literals(RECEIPT_WIDTHS, 'paper width; by default `receiptWidth` of the merchant')),
  columns: Type.Optional(
    Type.Integer({
      minimum: COLUMNS_MIN,
      maximum: COLUMNS_MAX,
      description: `for text and escpos: characters per line, ${COLUMNS_MIN} to ${COLUMNS_MAX}; by default the usual number of the paper width`,
    }),
  ),
  codePage: Type.Optional(literals(PRINTER_CODE_PAGES, 'for escpos: code page of the printer; by default cp858')),
  cuts: Type.Optional(Type.Boolean({ description: 'for escpos: whether the printer has a cutter; by default true' })),
  drawerPin: Type.Optional(
    literals(
      DRAWER_PINS,
      'for escpos: opens the cash drawer on this pin, 2 or 5, with the first print of a cash receipt; requires `tenders:write` or `invoices:write`. VALIDATION_ERROR for receipts of other payments',
    ),
  ),
  copy: Type.Optional(literals(RECEIPT_COPIES, 'customer (default) or merchant')),
  preview: Type.Optional(Type.Boolean({ description: 'a preview, which does not count as a print' })),
});

export const DrawerIn = Type.Object({
  merchantId: MerchantIn,
  pin: Type.Optional(literals(DRAWER_PINS, 'pin of the printer to which the drawer is connected, 2 (default) or 5')),
  drawer: Type.Optional(Text(40, 'cash drawer, by name; by default `Drawer 1`. Its open shift records an opening without a sale')),
  reason: Type.String({ minLength: 1, maxLength: 200, description: 'reason for opening it, 1 to 200 characters' }),
  tenderId: Type.Optional(Text(60, 'cash sale for which the drawer opens, once')),
  refundId: Type.Optional(Text(60, 'refund of that sale for which the drawer opens, once')),
  paymentId: Type.Optional(Text(60, 'cash payment recorded on an invoice for which the drawer opens, once')),
});
