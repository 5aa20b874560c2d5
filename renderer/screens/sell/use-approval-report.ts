import type { Transaction } from '#renderer/client';
import { t } from '#renderer/language';
import { writeMoney } from '#renderer/money';
import { rememberSale, usePrintReceipt } from '#renderer/receipt';
import { reportFirstSale } from '#renderer/recovery-file';
import { announce } from '#renderer/ui';
import { type AutoPrint, useWorkstation } from '#renderer/workstation';
import { shortMethodLabel } from './customer/payment-method.ts';
import { playApprovedSound } from './sound.ts';

/** Returns a function that announces an approved sale, plays the sound and prints the receipts, as this workstation is set up. */
export function useApprovalReport(merchantPrints: boolean): (transaction: Transaction) => void {
  const print = usePrintReceipt();
  return (transaction) => {
    const { sound, autoPrint } = useWorkstation.getState();
    rememberSale(transaction.transactionId);
    reportFirstSale();
    const outcome = transaction.type === 'auth' ? t('Authorized') : t('Approved');
    announce(`${outcome}: ${writeMoney(transaction.amount, transaction.currency)}, ${shortMethodLabel(transaction)}.`);
    if (sound) playApprovedSound();
    void printReceipts(autoPrint ?? (merchantPrints ? 'customer' : 'never'), transaction);
  };

  async function printReceipts(choice: AutoPrint, transaction: Transaction): Promise<void> {
    if (choice !== 'never') await print({ transaction, copy: 'customer' });
    if (choice === 'both') await print({ transaction, copy: 'merchant' }, { isFollowUp: true });
  }
}
