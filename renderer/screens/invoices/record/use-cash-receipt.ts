import { useDesktop } from '#renderer/desktop';
import { openDrawer, usePrinter } from '#renderer/printing';
import { usePrintReceipt } from '#renderer/receipt';
import { useMerchant } from '#renderer/session';
import { showToast } from '#renderer/ui';

/** Recorded payment by cash or check. */
interface ManualPayment {
  readonly paymentId: string;
  readonly isCash: boolean;
  /** Number of the invoice. */
  readonly number: string;
}

/** Prints the receipt of a manual payment and opens the drawer for cash. */
export function useCashReceipt(): (payment: ManualPayment, printsReceipt: boolean) => Promise<void> {
  const { merchantId } = useMerchant();
  const { receiptPrinter } = useDesktop();
  const print = usePrintReceipt();
  const drawerPin = usePrinter()?.drawerPin ?? null;
  return async ({ paymentId, isCash, number }, printsReceipt) => {
    if (printsReceipt) return print({ payment: { paymentId }, copy: 'customer' }, { opensDrawer: isCash });
    if (!isCash || drawerPin === null || receiptPrinter === undefined) return;
    const { sent, problem = '' } = await openDrawer(receiptPrinter, drawerPin, { merchantId, reason: `Cash for ${number}` });
    if (!sent) showToast(`The cash drawer did not open. ${problem}`);
  };
}
