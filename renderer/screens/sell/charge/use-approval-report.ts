import type { Transaction } from '#renderer/base/client';
import { t } from '#renderer/base/language';
import { writeMoney } from '#renderer/base/money';
import { type AutoPrint, useWorkstation } from '#renderer/base/workstation';
import { announce } from '#renderer/kit/ui';
import { rememberSale, usePrintReceipt } from '#renderer/shared/receipt';
import { reportFirstSale } from '#renderer/shared/recovery-file';
import { shortMethodLabel } from './payment-method.ts';

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

const NOTES_HZ = [660, 880] as const;
const NOTE_SECONDS = 0.09;
const VOLUME = 0.08;

/** Plays two short rising notes for an approved payment. */
export function playApprovedSound(): void {
  const context = new AudioContext();
  const gain = new GainNode(context, { gain: VOLUME });
  gain.connect(context.destination);
  const notes = NOTES_HZ.map((frequency, index) => {
    const note = new OscillatorNode(context, { frequency });
    note.connect(gain);
    note.start(context.currentTime + index * NOTE_SECONDS);
    note.stop(context.currentTime + (index + 1) * NOTE_SECONDS);
    return note;
  });
  notes.at(-1)?.addEventListener('ended', () => void context.close());
}
