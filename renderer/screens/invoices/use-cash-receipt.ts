import type { Invoice } from '#renderer/client';
import { useDesktop } from '#renderer/desktop';
import { useIsSandbox, useMerchant } from '#renderer/session';
import { showToast } from '#renderer/ui';
import { useWorkstation } from '#renderer/workstation';
import { cashPaper } from './cash-paper.ts';
import { moneyOf, payerOf } from './words.ts';

/** Money that was handed over. */
export interface HandedOver {
  /** The invoice as it stands with it. */
  readonly invoice: Invoice;
  /** The API's decimal number. */
  readonly amount: number;
  /** "Cash", "Check 1042". */
  readonly means: string;
}

/** Prints a receipt for money that was handed over, on the paper of this workstation. */
export function useCashReceipt(): (given: HandedOver) => Promise<void> {
  const merchant = useMerchant();
  const isSandbox = useIsSandbox();
  const { printReceipt } = useDesktop();
  return async ({ invoice, amount, means }) => {
    const { receiptWidth, copies, printer } = useWorkstation.getState();
    const { receiptHeader, receiptWidth: usual } = merchant.vtSettings;
    const time = new Intl.DateTimeFormat('en-US', { timeZone: merchant.timezone, dateStyle: 'medium', timeStyle: 'short' });
    const newest = invoice.payments.at(-1)?.createdAt ?? invoice.updatedAt;
    const paper = cashPaper(
      {
        merchantName: merchant.name,
        under: [[merchant.city, merchant.state].filter(Boolean).join(', '), ...(receiptHeader ?? '').split('\n')].filter(Boolean),
        invoiceNumber: invoice.number,
        payer: payerOf(invoice),
        means,
        amount: moneyOf(amount, invoice),
        left: moneyOf(invoice.amountDue, invoice),
        time: time.format(new Date(newest)),
        isSandbox,
      },
      receiptWidth ?? usual,
    );
    const outcome = await printReceipt({ ...paper, copies, silent: printer !== null, ...(printer !== null && { printer }) });
    showToast(outcome.sent ? 'Receipt sent to the printer' : `The receipt was not printed. ${outcome.problem ?? ''}`);
  };
}
