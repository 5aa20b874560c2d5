import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { type AutoPrint, useWorkstation } from '#renderer/base/workstation';
import { announce } from '#renderer/kit/ui';
import { rememberSale, usePrintReceipt } from '#renderer/shared/receipt';
import { reportFirstSale } from '#renderer/shared/recovery-file';
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
