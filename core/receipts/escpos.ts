import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder';
import { isPrintable, type PrinterCodePage, spelled } from './code-pages.ts';
import type { ReceiptContent, ReceiptFact } from './content.ts';
import { type ReceiptLine, receiptLines } from './text.ts';

/** Pins of the printer's drawer socket; which one opens the drawer differs by model (experience 1.2, row 4). */
export const DRAWER_PINS = [2, 5] as const;
export type DrawerPin = (typeof DRAWER_PINS)[number];

/** Features of an ESC/POS printer. */
export interface PrinterTraits {
  readonly codePage: PrinterCodePage;
  /** True if it has a cutter; otherwise the paper is fed to the tear bar. */
  readonly cuts: boolean;
}

/** Features of most of these printers. */
export const USUAL_PRINTER: PrinterTraits = { codePage: 'cp858', cuts: true };

/** The encoder knows a few widths only; our lines are laid out before, and are never longer. */
const ENCODER_COLUMNS = 48;
const FEED_LINES = 3;
const TEAR_OFF_LINES = 5;
const QR_MODULE_DOTS = 6;
const ON_MS = 100;
const OFF_MS = 500;

/** The bytes that make a printer of the ESC/POS family print the receipt and cut it. What it has no letter for is a question mark. */
export function receiptEscpos(
  content: ReceiptContent,
  columns: number,
  { codePage, cuts, drawerPin = null }: PrinterTraits & { readonly drawerPin?: DrawerPin | null } = USUAL_PRINTER,
): Buffer {
  return encoded(receiptLines(printable(content, codePage), columns), { codePage, cuts, drawerPin });
}

/** The same for lines of anything else; one that is longer than the paper is cut off, and none can give the printer a command. */
export function linesEscpos(
  lines: readonly ReceiptLine[],
  columns: number,
  { codePage, cuts, qr = null }: PrinterTraits & { readonly qr?: string | null },
): Buffer {
  const fitting = lines.map(({ text, isLoud }) => ({ text: [...spelled(text, codePage)].slice(0, columns).join(''), isLoud }));
  return encoded(fitting, { codePage, cuts, drawerPin: null, qr });
}

/** The bytes that open a drawer and print nothing. */
export function drawerEscpos(pin: DrawerPin): Buffer {
  return Buffer.from(newEncoder().initialize().pulse(deviceOf(pin), ON_MS, OFF_MS).encode());
}

interface Sheet extends PrinterTraits {
  readonly drawerPin: DrawerPin | null;
  readonly qr?: string | null;
}

function encoded(lines: readonly ReceiptLine[], { codePage, cuts, drawerPin, qr = null }: Sheet): Buffer {
  const encoder = newEncoder().initialize();
  // The drawer opens while the paper comes, not after it.
  if (drawerPin !== null) encoder.pulse(deviceOf(drawerPin), ON_MS, OFF_MS);
  encoder.codepage(codePage);
  for (const { text, isLoud } of lines) {
    if (isLoud) encoder.bold(true).line(text).bold(false);
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
  const say = (text: string) => spelled(text, codePage);
  const fact = ({ label, value }: ReceiptFact): ReceiptFact => ({ label: say(label), value: say(value) });
  const { signature } = content;
  return {
    ...content,
    heading: say(content.heading),
    underHeading: content.underHeading.map(say),
    marks: content.marks.map(say),
    title: say(content.title),
    facts: content.facts.map(fact),
    total: fact(content.total),
    items: content.items.map(say),
    signature: signature && { ...signature, words: say(signature.words) },
    copyLine: say(content.copyLine),
    footer: content.footer.map(say),
  };
}

/** A text with the letters of a code page, those that a printer is asked about most first. */
export function sampleOf(codePage: PrinterCodePage): string {
  return [...'€áéíóúñÑ¿¡üÜçàèäöß£'].filter((sign) => isPrintable(sign, codePage)).join('');
}
