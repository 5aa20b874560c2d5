import { useCallback } from 'react';
import { ApiFailure, describeFailure, type Merchant } from '#renderer/base/client';
import { type ReceiptWidth, useWorkstation } from '#renderer/base/workstation';
import { type Desktop, useDesktop } from '#renderer/desktop/bridge';
import { markJobsCounted, sendPrintJob, usePrinter } from '#renderer/desktop/printing';
import { announcePrintResult, type ConfiguredPrinter, findConfiguredPrinter, openPrintDialog, type PrintResult } from './print.ts';
import { fitPageToContent } from './receipt-frame.ts';
import { countPrint, fetchPrinterBytes, fetchReceipt, jobMetadataOf, printName, type ReceiptRequest } from './receipt-request.ts';

interface PrintOptions {
  readonly width?: ReceiptWidth;
  /** True if the copy follows another one of the same action. */
  readonly isFollowUp?: boolean;
  /** Opens the cash drawer if one is set up. Only for cash: the service refuses it for other payment methods. */
  readonly opensDrawer?: boolean;
}

/** Returns the paper size for a merchant's receipts: that of the receipt printer, else the workstation's setting, else the merchant's. */
export function useReceiptWidth({ vtSettings }: Pick<Merchant, 'vtSettings'>): ReceiptWidth {
  const workstationWidth = useWorkstation((settings) => settings.receiptWidth);
  return usePrinter()?.paper ?? workstationWidth ?? vtSettings.receiptWidth;
}

/**
 * Prints a receipt and announces "sent to the printer", because a printer does not confirm a print. A second print of the same copy is
 * marked DUPLICATE.
 */
export function usePrintReceipt(): (request: ReceiptRequest, options?: PrintOptions) => Promise<PrintResult> {
  const desktop = useDesktop();
  return useCallback(
    async (request, options = {}) => {
      const result = await printRequest(request, options, desktop);
      announcePrintResult(printName(request), result);
      return result;
    },
    [desktop],
  );
}

async function printRequest(request: ReceiptRequest, options: PrintOptions, desktop: Desktop): Promise<PrintResult> {
  const printer = await findConfiguredPrinter(desktop);
  // The print dialog offers printers with other paper sizes.
  const usesDialog = printer === null || (options.width !== undefined && options.width !== printer.setup.paper);
  try {
    return usesDialog ? await printWithDialog(request, options, desktop) : await printOnReceiptPrinter(request, options, printer);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { sent: false, problem: describeFailure(failure).problem, printerName: printer?.setup.name ?? null };
  }
}

async function printWithDialog(request: ReceiptRequest, { width }: PrintOptions, desktop: Desktop): Promise<PrintResult> {
  const receipt = await fetchReceipt(request, width ?? useWorkstation.getState().receiptWidth ?? undefined);
  const outcome = await openPrintDialog(receipt, desktop);
  // A print that was canceled must not mark the next one as a duplicate.
  if (outcome.sent) await countPrint(request).catch(ignoreApiFailure);
  return outcome;
}

async function printOnReceiptPrinter(
  request: ReceiptRequest,
  options: PrintOptions,
  { receiptPrinter, setup }: ConfiguredPrinter,
): Promise<PrintResult> {
  const outcome = await sendPrintJob(receiptPrinter, {
    title: printName(request),
    content: await contentFor(request, options, setup),
    copies: setup.copies[request.copy],
    isFollowUp: options.isFollowUp ?? false,
    metadata: jobMetadataOf(request),
  });
  if (outcome.sent) await countPrintOfJob(request, receiptPrinter);
  return { ...outcome, printerName: setup.name };
}

/** Counts a print that was sent to the receipt printer, and marks it as counted in the queue. */
export async function countPrintOfJob(request: ReceiptRequest, receiptPrinter: ConfiguredPrinter['receiptPrinter']): Promise<void> {
  await countPrint(request).catch(ignoreApiFailure);
  await markJobsCounted(receiptPrinter, jobMetadataOf(request));
}

async function contentFor(request: ReceiptRequest, { opensDrawer = false }: PrintOptions, setup: ConfiguredPrinter['setup']) {
  if (setup.address.kind !== 'system') return { kind: 'escpos', base64: await fetchPrinterBytes(request, setup, opensDrawer) } as const;
  const receipt = await fetchReceipt(request, setup.paper);
  return { kind: 'html', html: fitPageToContent(receipt), width: receipt.width } as const;
}

/** Ignores a failed count after a successful print: the next print lacks its DUPLICATE mark, but this one is reported as sent. */
function ignoreApiFailure(failure: unknown): void {
  if (!(failure instanceof ApiFailure)) throw failure;
}
