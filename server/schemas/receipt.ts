import { Type } from 'typebox';
import { COLUMNS_MAX, COLUMNS_MIN, DRAWER_PINS, PRINTER_CODE_PAGES, RECEIPT_COPIES, RECEIPT_FORMATS, RECEIPT_WIDTHS } from '#core/receipts';
import { EmailIn, Text } from './fields.ts';
import { PhoneIn } from './identity.ts';
import { named } from './named.ts';

const one = <Word extends string>(words: readonly Word[], description?: string) =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { description: description ?? `one of ${words.join(', ')}` },
  );

const subject = {
  transactionId: Text(60),
  refundId: Type.Optional(Text(60, 'a refund of the transaction: its receipt instead of the payment’s')),
};

export const ReceiptEmailIn = Type.Object({ ...subject, email: Type.Optional(EmailIn) });
export const ReceiptSmsIn = Type.Object({ transactionId: subject.transactionId, phone: PhoneIn });
const DrawerPinIn = Type.Union(
  DRAWER_PINS.map((pin) => Type.Literal(pin)),
  { description: 'the pin of the drawer, 2 or 5' },
);

export const ReceiptPrintIn = Type.Object({
  transactionId: Type.Optional(subject.transactionId),
  refundId: subject.refundId,
  paymentId: Type.Optional(Text(60, 'instead of a transaction: a payment of an invoice, such as one in cash')),
  format: Type.Optional(one(RECEIPT_FORMATS, 'html (default), text, or escpos for the bytes that a receipt printer takes, in base64')),
  width: Type.Optional(one(RECEIPT_WIDTHS, 'the paper; the merchant’s receiptWidth unless given')),
  columns: Type.Optional(
    Type.Integer({
      minimum: COLUMNS_MIN,
      maximum: COLUMNS_MAX,
      description: `of text and escpos: what the printer has on a line, ${COLUMNS_MIN} to ${COLUMNS_MAX}; the usual number of the paper unless given`,
    }),
  ),
  codePage: Type.Optional(one(PRINTER_CODE_PAGES, 'of escpos: the letters that the printer has; cp858 unless given')),
  cuts: Type.Optional(Type.Boolean({ description: 'of escpos: whether the printer has a cutter; true unless given' })),
  drawerPin: Type.Optional(
    Type.Union(DrawerPinIn.anyOf, {
      description:
        'of escpos: opens the drawer on this pin, 2 or 5, with the first print of a receipt of cash; needs invoices:write. VALIDATION_ERROR with anything but cash',
    }),
  ),
  copy: Type.Optional(one(RECEIPT_COPIES, 'customer (default) or merchant')),
  preview: Type.Optional(Type.Boolean({ description: 'a preview, which does not count as a print' })),
});

export const DrawerIn = Type.Object({
  merchantId: Type.Optional(Text(60)),
  pin: DrawerPinIn,
  reason: Type.String({ minLength: 1, maxLength: 200, description: 'reason for opening it, 1 to 200 characters' }),
});

export const ReceiptSentOut = named('SentMessage', Type.Object({ messageId: Type.String() }));
export const ReceiptPrintOut = named(
  'ReceiptPrint',
  Type.Object({
    content: Type.String({ description: 'base64 where the format is escpos' }),
    contentType: Type.String(),
    copy: one(RECEIPT_COPIES),
    width: one(RECEIPT_WIDTHS),
    isDuplicate: Type.Boolean({ description: 'this copy was printed before; the receipt says so' }),
  }),
);
export const DrawerOut = named(
  'DrawerResult',
  Type.Object({
    content: Type.String({ description: 'the bytes for the printer, in base64' }),
    contentType: Type.String(),
  }),
);
