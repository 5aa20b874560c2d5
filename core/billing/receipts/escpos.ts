import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import { isPrintable, type PrinterCodePage, toPrintable } from './code-pages.ts';
import type { ReceiptContent, ReceiptFact } from './content.ts';
import { type ReceiptLine, receiptLines } from './text.ts';

/** Pins of the printer's drawer socket. The pin that opens the drawer differs by model. */
export const DRAWER_PINS = [2, 5] as const;
export type DrawerPin = (typeof DRAWER_PINS)[number];

/** Features of an ESC/POS printer. */
export interface PrinterTraits {
  readonly codePage: PrinterCodePage;
  /** True if it has a cutter; otherwise the paper is fed to the tear bar. */
  readonly cuts: boolean;
}

/** Features of most ESC/POS printers. */
export const DEFAULT_PRINTER: PrinterTraits = { codePage: 'cp858', cuts: true };

/** Width for the encoder, which supports only a few widths. Our lines are laid out before and are never longer. */
const ENCODER_COLUMNS = 48;
const FEED_LINES = 3;
const TEAR_OFF_LINES = 5;
const QR_MODULE_DOTS = 6;
const ON_MS = 100;
const OFF_MS = 500;

/** Returns the ESC/POS commands that print a receipt and cut the paper. Characters that the printer does not have become question marks. */
export function receiptEscpos(
  content: ReceiptContent,
  columns: number,
  { codePage, cuts, drawerPin = null }: PrinterTraits & { readonly drawerPin?: DrawerPin | null } = DEFAULT_PRINTER,
): Buffer {
  return encoded(receiptLines(printable(content, codePage), columns), { codePage, cuts, drawerPin });
}

/**
 * Returns the ESC/POS commands that print lines of text. Longer lines are cut off at the paper width, and no line can contain a printer
 * command.
 */
export function linesEscpos(
  lines: readonly ReceiptLine[],
  columns: number,
  { codePage, cuts, qr = null }: PrinterTraits & { readonly qr?: string | null },
): Buffer {
  const fitting = lines.map(({ text, isBold }) => ({ text: [...toPrintable(text, codePage)].slice(0, columns).join(''), isBold }));
  return encoded(fitting, { codePage, cuts, drawerPin: null, qr });
}

/** Returns the command that opens a drawer without printing. */
export function drawerEscpos(pin: DrawerPin): Buffer {
  return Buffer.from(newEncoder().initialize().pulse(deviceOf(pin), ON_MS, OFF_MS).encode());
}

interface Sheet extends PrinterTraits {
  readonly drawerPin: DrawerPin | null;
  readonly qr?: string | null;
}

function encoded(lines: readonly ReceiptLine[], { codePage, cuts, drawerPin, qr = null }: Sheet): Buffer {
  const encoder = newEncoder().initialize();
  // The drawer opens while the receipt is printed, not afterwards.
  if (drawerPin !== null) encoder.pulse(deviceOf(drawerPin), ON_MS, OFF_MS);
  encoder.codepage(codePage);
  for (const { text, isBold } of lines) {
    if (isBold) encoder.bold(true).line(text).bold(false);
    else encoder.line(text);
  }
  if (qr !== null) encoder.qrcode(qr, { size: QR_MODULE_DOTS });
  if (cuts) encoder.cut('partial');
  else encoder.newline(TEAR_OFF_LINES);
  return Buffer.from(encoder.encode());
}

function newEncoder(): ReceiptPrinterEncoder {
  return new ReceiptPrinterEncoder({ language: 'esc-pos', columns: ENCODER_COLUMNS, feedBeforeCut: FEED_LINES, errors: 'relaxed' });
}

const deviceOf = (pin: DrawerPin) => DRAWER_PINS.indexOf(pin);

function printable(content: ReceiptContent, codePage: PrinterCodePage): ReceiptContent {
  const toText = (text: string) => toPrintable(text, codePage);
  const fact = ({ label, value }: ReceiptFact): ReceiptFact => ({ label: toText(label), value: toText(value) });
  const { signature } = content;
  return {
    ...content,
    heading: toText(content.heading),
    headingLines: content.headingLines.map(toText),
    marks: content.marks.map(toText),
    title: toText(content.title),
    facts: content.facts.map(fact),
    amounts: content.amounts.map(fact),
    total: fact(content.total),
    ...(content.payments && { payments: content.payments.map(fact) }),
    items: content.items.map(toText),
    lines: content.lines.map(fact),
    blanks: content.blanks.map(toText),
    signature: signature && { ...signature, text: toText(signature.text) },
    copyLine: toText(content.copyLine),
    footer: content.footer.map(toText),
  };
}

/** Returns a sample text with the important characters of a code page, for a test print. */
export function sampleOf(codePage: PrinterCodePage): string {
  return [...'€áéíóúñÑ¿¡üÜçàèäöß£'].filter((sign) => isPrintable(sign, codePage)).join('');
}
