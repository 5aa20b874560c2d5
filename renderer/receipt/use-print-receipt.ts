import { useCallback } from 'react';
import { ApiFailure, type Merchant, wordsOf } from '#renderer/client';
import { type Desktop, type PrintOutcome, useDesktop } from '#renderer/desktop';
import { showToast } from '#renderer/ui';
import { type ReceiptWidth, useWorkstation } from '#renderer/workstation';
import { sendToPrinter } from './print.ts';
import { COPY_LABELS, fetchReceipt, notePrinted, type WantedReceipt } from './wanted.ts';

export interface PrintOptions {
  readonly width?: ReceiptWidth;
  readonly dialog?: boolean;
}

/** The paper that receipts of a merchant are printed on here: the workstation's choice, else the merchant's. */
export function useReceiptWidth({ vtSettings }: Pick<Merchant, 'vtSettings'>): ReceiptWidth {
  const own = useWorkstation((settings) => settings.receiptWidth);
  return own ?? vtSettings.receiptWidth;
}

/** Prints a receipt and says so: "sent to the printer", since nobody can know more. A second print of the same copy is marked DUPLICATE. */
export function usePrintReceipt(): (wanted: WantedReceipt, options?: PrintOptions) => Promise<void> {
  const desktop = useDesktop();
  return useCallback(
    async (wanted, options = {}) => {
      const what = COPY_LABELS[wanted.copy];
      const outcome = await printed(wanted, options, desktop);
      showToast(outcome.sent ? `${what} sent to the printer` : `${what} was not printed. ${outcome.problem ?? ''}`);
    },
    [desktop],
  );
}

async function printed(wanted: WantedReceipt, options: PrintOptions, desktop: Desktop): Promise<PrintOutcome> {
  const { receiptWidth, copies, printer } = useWorkstation.getState();
  const width = options.width ?? receiptWidth ?? undefined;
  try {
    const receipt = await fetchReceipt(wanted, width);
    const outcome = await sendToPrinter(receipt, { copies, printer, dialog: options.dialog ?? printer === null }, desktop);
    // Paper that never came out must not make the next one a duplicate.
    if (outcome.sent) await notePrinted(wanted).catch(overlook);
    return outcome;
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { sent: false, problem: wordsOf(failure).what };
  }
}

/** The paper is out: a count that could not be made costs the next one its mark, not this one its message. */
function overlook(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure;
}
