import type { Desktop, PrintOutcome } from '#renderer/desktop';
import type { ReceiptWidth } from '#renderer/workstation';
import type { ReceiptContent } from './content.ts';
import { measureReceipt } from './frame.ts';
import { receiptDocument } from './html.ts';

export interface Paper {
  readonly width: ReceiptWidth;
  readonly copies: number;
  /** System name of the printer; null leaves it to the system. */
  readonly printer: string | null;
  /** Asks for the system's print dialog, where a receipt can also become a PDF. A browser always shows it. */
  readonly dialog: boolean;
}

/** Hands a receipt to the printer: in the desktop application silently, else by the browser's dialog. Whether paper came out, no program knows. */
export async function sendToPrinter(content: ReceiptContent, paper: Paper, desktop: Pick<Desktop, 'printReceipt'>): Promise<PrintOutcome> {
  const { width, copies, printer, dialog } = paper;
  const html = receiptDocument(content, width, measureReceipt(content, width));
  try {
    return await desktop.printReceipt({ html, width, copies, silent: !dialog, ...(printer === null ? {} : { printer }) });
  } catch {
    return { sent: false, problem: 'The application could not reach the printer.' };
  }
}
