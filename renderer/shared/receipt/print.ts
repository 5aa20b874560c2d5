import { t } from '#renderer/base/language';
import type { Desktop, PrinterSetup, PrintLine, PrintOutcome, ReceiptPrinter } from '#renderer/desktop/bridge';
import { currentPrinter, sendPrintJob } from '#renderer/desktop/printing';
import { showToast } from '#renderer/kit/ui';
import { fitPageToContent } from './receipt-frame.ts';
import type { RenderedReceipt } from './receipt-request.ts';

/** Result of a print job. */
export interface PrintResult extends PrintOutcome {
  /** Display name of the printer; null if it was chosen in the print dialog. */
  readonly printerName: string | null;
}

/** Announces the result of a print job: "sent", because a printer does not confirm a print. */
export function announcePrintResult(title: string, { sent, printerName, problem = '' }: PrintResult): void {
  if (!sent) showToast(`${t('{{title}} was not printed.', { title })} ${problem}`);
  else if (printerName === null) showToast(t('{{title}} sent to the printer', { title }));
  else showToast(t('{{title}} sent to {{printer}}', { title, printer: printerName }));
}

/** Hands a document to the print dialog of the system, where it can also become a PDF. */
export async function openPrintDialog(receipt: RenderedReceipt, desktop: Pick<Desktop, 'printReceipt'>): Promise<PrintResult> {
  try {
    const outcome = await desktop.printReceipt({ html: fitPageToContent(receipt), width: receipt.width, copies: 1, silent: false });
    return { ...outcome, printerName: null };
  } catch {
    return { sent: false, problem: t('The application could not reach the printer.'), printerName: null };
  }
}

/** The receipt printer of this workstation with its settings. */
export interface ConfiguredPrinter {
  readonly receiptPrinter: ReceiptPrinter;
  readonly setup: PrinterSetup;
}

/** Returns the receipt printer of this workstation; null if none is set up. */
export async function findConfiguredPrinter({ receiptPrinter }: Pick<Desktop, 'receiptPrinter'>): Promise<ConfiguredPrinter | null> {
  const setup = await currentPrinter(receiptPrinter);
  return receiptPrinter && setup ? { receiptPrinter, setup } : null;
}

/** A document to print that is not a receipt. */
interface PrintableDocument extends RenderedReceipt {
  readonly title: string;
  /** Returns the same content as text lines, for a receipt printer. */
  readonly lines: (columns: number) => PrintLine[];
  /** Text of a QR code below the lines. */
  readonly qr?: string;
}

/** Prints a document on the receipt printer of this workstation, or with the print dialog if there is none, and announces the result. */
export async function printDocument(document: PrintableDocument, desktop: Pick<Desktop, 'receiptPrinter' | 'printReceipt'>): Promise<void> {
  const printer = await findConfiguredPrinter(desktop);
  announcePrintResult(
    document.title,
    printer === null ? await openPrintDialog(document, desktop) : await printOnReceiptPrinter(document, printer),
  );
}

async function printOnReceiptPrinter(
  { title, lines, qr, html, width }: PrintableDocument,
  { receiptPrinter, setup }: ConfiguredPrinter,
): Promise<PrintResult> {
  const isRaw = setup.address.kind !== 'system';
  const content = isRaw
    ? ({ kind: 'lines', lines: lines(setup.columns), ...(qr && { qr }) } as const)
    : ({ kind: 'html', html: fitPageToContent({ html, width }), width } as const);
  return { ...(await sendPrintJob(receiptPrinter, { title, content })), printerName: setup.name };
}
