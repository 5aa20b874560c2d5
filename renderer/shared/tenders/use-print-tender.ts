import { t } from '#renderer/base/language';
import { useWorkstation } from '#renderer/base/workstation';
import { useDesktop } from '#renderer/desktop/bridge';
import { openDrawer, usePrinter } from '#renderer/desktop/printing';
import { showToast } from '#renderer/kit/ui';
import { useMerchant } from '#renderer/session/user';
import { usePrintReceipt } from '#renderer/shared/receipt';

type ReceiptSubject =
  | { readonly tender: { readonly tenderId: string }; readonly refund?: { readonly refundId: string } }
  | { readonly payment: { readonly paymentId: string } };

interface PrintedTender {
  readonly subject: ReceiptSubject;
  readonly isCash: boolean;
  /** Reason for opening the drawer, for the audit log: "Cash for INV-000001". */
  readonly reason: string;
}

/** Prints the receipt of a tender and opens the drawer for cash; without a receipt, only opens the drawer. */
export function usePrintTender(): (tender: PrintedTender, printsReceipt: boolean) => Promise<void> {
  const { merchantId } = useMerchant();
  const { receiptPrinter } = useDesktop();
  const print = usePrintReceipt();
  const pin = usePrinter()?.drawerPin ?? null;
  const drawer = useWorkstation((settings) => settings.drawer);
  return async ({ subject, isCash, reason }, printsReceipt) => {
    if (printsReceipt) {
      await print({ ...subject, copy: 'customer' }, { opensDrawer: isCash });
      return;
    }
    if (!isCash || pin === null || receiptPrinter === undefined) return;
    const { sent, problem = '' } = await openDrawer({ merchantId, drawer, reason, ...cashOf(subject) }, { receiptPrinter, pin });
    if (!sent) showToast(t('The cash drawer did not open. {{problem}}', { problem }));
  };
}

/** Returns the IDs of the cash for which the drawer opens. */
function cashOf(subject: ReceiptSubject) {
  if ('payment' in subject) return { paymentId: subject.payment.paymentId };
  const { tender, refund } = subject;
  return { tenderId: tender.tenderId, ...(refund && { refundId: refund.refundId }) };
}
