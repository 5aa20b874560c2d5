import { useCallback } from 'react';
import type { Me, Merchant } from '#renderer/client';
import { useDesktop } from '#renderer/desktop';
import { useIsSandbox, useMe } from '#renderer/session';
import { showToast } from '#renderer/ui';
import { type ReceiptWidth, useWorkstation } from '#renderer/workstation';
import { type ReceiptContent, receiptContent } from './content.ts';
import { sendToPrinter } from './print.ts';
import { type PrintLog, printLog } from './print-log.ts';
import { type ReceiptCopy, type ReceiptRefund, type ReceiptTransaction, receiptSettings } from './subject.ts';

/** A receipt that is wanted: of a transaction, or of a refund of it. */
export interface WantedReceipt {
  readonly transaction: ReceiptTransaction & { readonly merchantId: string };
  readonly refund?: ReceiptRefund;
  readonly copy: ReceiptCopy;
}

export interface PrintOptions {
  readonly width?: ReceiptWidth;
  readonly dialog?: boolean;
}

/** This workstation's print log. */
export function thisPrintLog(): PrintLog {
  return printLog(localStorage);
}

/** The paper that receipts of a merchant are printed on here: the workstation's choice, else the merchant's. */
export function useReceiptWidth(merchant: Merchant): ReceiptWidth {
  const own = useWorkstation((settings) => settings.receiptWidth);
  return own ?? receiptSettings(merchant).width;
}

/** Makes the content of a wanted receipt, with the marks that are due here and now. */
export function useReceiptContent(): (wanted: WantedReceipt) => ReceiptContent {
  const me = useMe();
  const sandbox = useIsSandbox();
  return useCallback(
    ({ transaction, refund, copy }) => {
      const duplicate = thisPrintLog().printed(refund?.refundId ?? transaction.transactionId, copy);
      return receiptContent({ transaction, refund, copy, sandbox, duplicate, merchant: merchantOf(me, transaction.merchantId) });
    },
    [me, sandbox],
  );
}

const COPY_WORDS = { customer: 'Customer copy', merchant: 'Merchant copy' } as const;

/** Prints a receipt and says so: "sent to the printer", since nobody can know more. A second print of the same copy is marked DUPLICATE. */
export function usePrintReceipt(): (wanted: WantedReceipt, options?: PrintOptions) => Promise<void> {
  const me = useMe();
  const desktop = useDesktop();
  const contentOf = useReceiptContent();
  return useCallback(
    async (wanted, options = {}) => {
      const { receiptWidth, copies, printer } = useWorkstation.getState();
      const usual = receiptSettings(merchantOf(me, wanted.transaction.merchantId)).width;
      const width = options.width ?? receiptWidth ?? usual;
      const outcome = await sendToPrinter(
        contentOf(wanted),
        { width, copies, printer, dialog: options.dialog ?? printer === null },
        desktop,
      );
      const what = COPY_WORDS[wanted.copy];
      if (!outcome.sent) return showToast(`${what} was not printed. ${outcome.problem ?? ''}`);
      thisPrintLog().notePrinted(wanted.refund?.refundId ?? wanted.transaction.transactionId, wanted.copy);
      showToast(`${what} sent to the printer`);
    },
    [me, desktop, contentOf],
  );
}

function merchantOf(me: Me, merchantId: string): Merchant {
  const merchant = me.merchants.find((one) => one.merchantId === merchantId) ?? me.merchants[0];
  if (!merchant) throw new Error('a signed-in person reaches one merchant at least');
  return merchant;
}
