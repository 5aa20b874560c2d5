import { Type } from 'typebox';
import { RECEIPT_COPIES, RECEIPT_FORMATS, RECEIPT_WIDTHS } from '#core/receipts';
import { EmailIn, Text } from './fields.ts';
import { PhoneIn } from './identity.ts';

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
export const ReceiptPrintIn = Type.Object({
  ...subject,
  format: Type.Optional(one(RECEIPT_FORMATS, 'html (default), text, or escpos for the bytes that a receipt printer takes, in base64')),
  width: Type.Optional(one(RECEIPT_WIDTHS, 'the paper; the merchant’s receiptWidth unless given')),
  copy: Type.Optional(one(RECEIPT_COPIES, 'customer (default) or merchant')),
  preview: Type.Optional(Type.Boolean({ description: 'only to be looked at: not counted as a print' })),
});

export const ReceiptSentOut = Type.Object({ messageId: Type.String() });
export const ReceiptPrintOut = Type.Object({
  content: Type.String({ description: 'base64 where the format is escpos' }),
  contentType: Type.String(),
  copy: one(RECEIPT_COPIES),
  width: one(RECEIPT_WIDTHS),
  isDuplicate: Type.Boolean({ description: 'this copy was printed before; the receipt says so' }),
});
