import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { type PrinterSetup, type ReceiptPrinter, useDesktop } from '#renderer/desktop/bridge';

/** Receipt printer of this workstation, stored by the desktop application; null if none is set up. */
function printerQuery(receiptPrinter: ReceiptPrinter | undefined) {
  return queryOptions({
    queryKey: ['receipt-printer'],
    queryFn: async () => (await receiptPrinter?.readPrinter()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the receipt printer of this workstation; null if none is set up, and in every browser. */
export function usePrinter(): PrinterSetup | null {
  const { receiptPrinter } = useDesktop();
  const { data } = useQuery({ ...printerQuery(receiptPrinter), enabled: receiptPrinter !== undefined });
  return data ?? null;
}

/** Returns the receipt printer at the moment of printing; null if none is set up. */
export async function currentPrinter(receiptPrinter: ReceiptPrinter | undefined): Promise<PrinterSetup | null> {
  return receiptPrinter === undefined ? null : queryClient.ensureQueryData(printerQuery(receiptPrinter));
}

/** Saves the receipt printer, or none. Returns the problem as text, or undefined if it was saved. */
export async function savePrinter(receiptPrinter: ReceiptPrinter, setup: PrinterSetup | null): Promise<string | undefined> {
  const { saved, problem } = await receiptPrinter.savePrinter(setup);
  if (!saved) return problem ?? t('The printer could not be saved.');
  queryClient.setQueryData(printerQuery(receiptPrinter).queryKey, setup);
  return undefined;
}
