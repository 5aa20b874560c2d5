import { useCallback } from 'react';
import { ApiFailure, type Merchant, wordsOf } from '#renderer/client';
import { type Desktop, useDesktop } from '#renderer/desktop';
import { sendPaper, settlePaper, usePrinter } from '#renderer/printing';
import { type ReceiptWidth, useWorkstation } from '#renderer/workstation';
import { fittedToRoll } from './frame.ts';
import { currentTill, type Printed, printByDialog, sayPrinted, type Till } from './print.ts';
import { COPY_LABELS, fetchBytes, fetchReceipt, noteOf, notePrinted, type WantedReceipt } from './wanted.ts';

interface PrintOptions {
  readonly width?: ReceiptWidth;
  /** Comes right after another copy of the same press. */
  readonly follows?: boolean;
  /** Opens the cash drawer with it, where one is set up. For cash alone: the service refuses it with anything else. */
  readonly opensDrawer?: boolean;
}

/** The paper that receipts of a merchant are printed on here: the receipt printer's, else the workstation's choice, else the merchant's. */
export function useReceiptWidth({ vtSettings }: Pick<Merchant, 'vtSettings'>): ReceiptWidth {
  const own = useWorkstation((settings) => settings.receiptWidth);
  return usePrinter()?.paper ?? own ?? vtSettings.receiptWidth;
}

/**
 * Prints a receipt and announces "sent to the printer", because nobody can know more. A second print of the same copy is marked DUPLICATE.
 */
export function usePrintReceipt(): (wanted: WantedReceipt, options?: PrintOptions) => Promise<void> {
  const desktop = useDesktop();
  return useCallback(
    async (wanted, options = {}) => sayPrinted(COPY_LABELS[wanted.copy], await printed(wanted, options, desktop)),
    [desktop],
  );
}

async function printed(wanted: WantedReceipt, options: PrintOptions, desktop: Desktop): Promise<Printed> {
  const till = await currentTill(desktop);
  // Another paper than the receipt printer has is wished: the dialog knows more printers.
  const isElsewhere = till === null || (options.width !== undefined && options.width !== till.setup.paper);
  try {
    return isElsewhere ? await printElsewhere(wanted, options, desktop) : await printOnTill(wanted, options, till);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { sent: false, problem: wordsOf(failure).what, on: till?.setup.name ?? '' };
  }
}

async function printElsewhere(wanted: WantedReceipt, { width }: PrintOptions, desktop: Desktop): Promise<Printed> {
  const receipt = await fetchReceipt(wanted, width ?? useWorkstation.getState().receiptWidth ?? undefined);
  const outcome = await printByDialog(receipt, desktop);
  // Paper that never came out must not make the next one a duplicate.
  if (outcome.sent) await notePrinted(wanted).catch(overlook);
  return outcome;
}

async function printOnTill(wanted: WantedReceipt, options: PrintOptions, { receiptPrinter, setup }: Till): Promise<Printed> {
  const note = noteOf(wanted);
  const outcome = await sendPaper(receiptPrinter, {
    title: COPY_LABELS[wanted.copy],
    content: await contentFor(wanted, options, setup),
    copies: setup.copies[wanted.copy],
    follows: options.follows ?? false,
    note,
  });
  if (outcome.sent) await countOnce(wanted, receiptPrinter);
  return { ...outcome, on: setup.name };
}

/** Counts a print that was sent to the receipt printer, and marks it as counted in the queue. */
export async function countOnce(wanted: WantedReceipt, receiptPrinter: Till['receiptPrinter']): Promise<void> {
  await notePrinted(wanted).catch(overlook);
  await settlePaper(receiptPrinter, noteOf(wanted));
}

async function contentFor(wanted: WantedReceipt, { opensDrawer = false }: PrintOptions, setup: Till['setup']) {
  if (setup.address.kind !== 'system') return { kind: 'escpos', base64: await fetchBytes(wanted, setup, opensDrawer) } as const;
  const receipt = await fetchReceipt(wanted, setup.paper);
  return { kind: 'html', html: fittedToRoll(receipt), width: receipt.width } as const;
}

/** The paper is out: a count that could not be made costs the next one its mark, not this one its message. */
function overlook(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure;
}
