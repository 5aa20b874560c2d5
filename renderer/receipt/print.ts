import type { Desktop, PrintOutcome } from '#renderer/desktop';
import { fittedToRoll } from './frame.ts';
import type { MadeReceipt } from './wanted.ts';

export interface Printing {
  readonly copies: number;
  /** System name of the printer; null leaves it to the system. */
  readonly printer: string | null;
  /** Asks for the system's print dialog, where a receipt can also become a PDF. A browser always shows it. */
  readonly dialog: boolean;
}

/** Hands a receipt to the printer: in the desktop application silently, else by the browser's dialog. Whether paper came out, no program knows. */
export async function sendToPrinter(receipt: MadeReceipt, how: Printing, desktop: Pick<Desktop, 'printReceipt'>): Promise<PrintOutcome> {
  const { copies, printer, dialog } = how;
  const html = fittedToRoll(receipt);
  try {
    return await desktop.printReceipt({ html, width: receipt.width, copies, silent: !dialog, ...(printer === null ? {} : { printer }) });
  } catch {
    return { sent: false, problem: 'The application could not reach the printer.' };
  }
}
