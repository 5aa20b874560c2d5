import { queryOptions, useQuery } from '@tanstack/react-query';
import { queryClient } from '#renderer/client';
import { type PrinterSetup, type ReceiptPrinter, useDesktop } from '#renderer/desktop';

/** The receipt printer of this workstation, which the shell keeps; null where none is set up. */
export function printerQuery(receiptPrinter: ReceiptPrinter | undefined) {
  return queryOptions({
    queryKey: ['receipt-printer'],
    queryFn: async () => (await receiptPrinter?.readPrinter()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The receipt printer of this workstation; null where none is set up, and in every browser. */
export function usePrinter(): PrinterSetup | null {
  const { receiptPrinter } = useDesktop();
  const { data } = useQuery({ ...printerQuery(receiptPrinter), enabled: receiptPrinter !== undefined });
  return data ?? null;
}

/** The same at the moment of printing. */
export async function currentPrinter(receiptPrinter: ReceiptPrinter | undefined): Promise<PrinterSetup | null> {
  return receiptPrinter === undefined ? null : queryClient.ensureQueryData(printerQuery(receiptPrinter));
}

/** Keeps another printer, or none; answers why not, in words. */
export async function savePrinter(receiptPrinter: ReceiptPrinter, setup: PrinterSetup | null): Promise<string | undefined> {
  const { saved, problem } = await receiptPrinter.savePrinter(setup);
  if (!saved) return problem ?? 'The printer could not be kept.';
  queryClient.setQueryData(printerQuery(receiptPrinter).queryKey, setup);
  return undefined;
}
