import { useDesktop } from '#renderer/desktop';
import { openDrawer, usePrinter } from '#renderer/printing';
import { usePrintReceipt } from '#renderer/receipt';
import { useMerchant } from '#renderer/session';
import { showToast } from '#renderer/ui';

/** Money that was handed over and written down. */
interface HandedOver {
  readonly paymentId: string;
  readonly isCash: boolean;
  /** The number of its invoice. */
  readonly number: string;
}

/** Prints the receipt of a manual payment and opens the drawer for cash. */
export function useCashReceipt(): (given: HandedOver, printsReceipt: boolean) => Promise<void> {
  const { merchantId } = useMerchant();
  const { receiptPrinter } = useDesktop();
  const print = usePrintReceipt();
  const drawerPin = usePrinter()?.drawerPin ?? null;
  return async ({ paymentId, isCash, number }, printsReceipt) => {
    if (printsReceipt) return print({ payment: { paymentId }, copy: 'customer' }, { opensDrawer: isCash });
    if (!isCash || drawerPin === null || receiptPrinter === undefined) return;
    const { sent, problem = '' } = await openDrawer(receiptPrinter, drawerPin, { merchantId, reason: `Cash for ${number}` });
    if (!sent) showToast(`The drawer did not open. ${problem}`);
  };
}
