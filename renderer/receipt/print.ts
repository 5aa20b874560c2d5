import type { Desktop, PaperLine, PrinterSetup, PrintOutcome, ReceiptPrinter } from '#renderer/desktop';
import { currentPrinter, sendPaper } from '#renderer/printing';
import { showToast } from '#renderer/ui';
import { fittedToRoll } from './frame.ts';
import type { MadeReceipt } from './wanted.ts';

/** Result of a print job. `on`: display name of the printer. */
export interface Printed extends PrintOutcome {
  readonly on: string;
}

const BY_DIALOG = 'the printer';

/** Announces the result of a print job: "sent", because nobody can know more. */
export function sayPrinted(what: string, { sent, on, problem = '' }: Printed): void {
  showToast(sent ? `${what} sent to ${on}` : `${what} was not printed. ${problem}`);
}

/** Hands a document to the print dialog of the system, where it can also become a PDF. */
export async function printByDialog(receipt: MadeReceipt, desktop: Pick<Desktop, 'printReceipt'>): Promise<Printed> {
  try {
    const outcome = await desktop.printReceipt({ html: fittedToRoll(receipt), width: receipt.width, copies: 1, silent: false });
    return { ...outcome, on: BY_DIALOG };
  } catch {
    return { sent: false, problem: 'The application could not reach the printer.', on: BY_DIALOG };
  }
}

/** The receipt printer of this workstation with its set-up. */
export interface Till {
  readonly receiptPrinter: ReceiptPrinter;
  readonly setup: PrinterSetup;
}

/** The receipt printer of this workstation; null where none is set up. */
export async function currentTill({ receiptPrinter }: Pick<Desktop, 'receiptPrinter'>): Promise<Till | null> {
  const setup = await currentPrinter(receiptPrinter);
  return receiptPrinter && setup ? { receiptPrinter, setup } : null;
}

/** A paper that is no receipt. */
export interface OtherPaper extends MadeReceipt {
  readonly title: string;
  /** Same for a printer with its own fonts. */
  readonly lines: (columns: number) => PaperLine[];
}

/** Prints a paper on the receipt printer of this workstation, or by the dialog where there is none, and says so. */
export async function printOther(paper: OtherPaper, desktop: Pick<Desktop, 'receiptPrinter' | 'printReceipt'>): Promise<void> {
  const till = await currentTill(desktop);
  sayPrinted(paper.title, till === null ? await printByDialog(paper, desktop) : await printOnTill(paper, till));
}

async function printOnTill({ title, lines, html, width }: OtherPaper, { receiptPrinter, setup }: Till): Promise<Printed> {
  const isRaw = setup.address.kind !== 'system';
  const content = isRaw
    ? ({ kind: 'lines', lines: lines(setup.columns) } as const)
    : ({ kind: 'html', html: fittedToRoll({ html, width }), width } as const);
  return { ...(await sendPaper(receiptPrinter, { title, content })), on: setup.name };
}
