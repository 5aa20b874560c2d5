import { flag, id, literals, nullable, type RecordOf, record, text } from '#core/platform/fields';
import { RECEIPT_COPIES } from './content.ts';
import { RECEIPT_WIDTHS } from './print-layout.ts';

const contentType = text('Content type of `content`', 'text/html; charset=utf-8');

export const PrintedReceipt = record('ReceiptPrint', {
  content: text('Receipt in the requested format; in base64 if the format is escpos', '<!doctype html>…'),
  contentType,
  copy: literals(RECEIPT_COPIES, 'Whose copy it is'),
  width: literals(RECEIPT_WIDTHS, 'Width of the paper'),
  isDuplicate: flag('This copy was printed before; the receipt is marked DUPLICATE', false),
});
export type PrintedReceipt = RecordOf<typeof PrintedReceipt>;

export const OpenedDrawer = record('DrawerResult', {
  content: text('The bytes for the printer, in base64', 'G3AAGfo='),
  contentType,
  shiftId: nullable(id('sft', 'Shift that recorded the opening without a sale; null for cash of a sale, and if no shift is open')),
});
export type OpenedDrawer = RecordOf<typeof OpenedDrawer>;
