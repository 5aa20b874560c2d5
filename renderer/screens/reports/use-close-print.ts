import type { DailySummary } from '#renderer/client';
import { useDesktop } from '#renderer/desktop';
import { sendToPrinter } from '#renderer/receipt';
import { useIsSandbox, useMerchant } from '#renderer/session';
import { useTenantNow } from '#renderer/tenant-clock';
import { showToast } from '#renderer/ui';
import { useWorkstation } from '#renderer/workstation';
import { closePaper } from './close-paper.ts';

const EVERY_MS = 30_000;

/** Prints the close of a day on the receipt printer of this workstation. */
export function useClosePrint(): (summary: DailySummary, isInterim: boolean) => Promise<void> {
  const merchant = useMerchant();
  const isSandbox = useIsSandbox();
  const desktop = useDesktop();
  const nowMs = useTenantNow(EVERY_MS);
  return async (summary, isInterim) => {
    const { receiptWidth, copies, printer } = useWorkstation.getState();
    const time = new Intl.DateTimeFormat('en-US', { timeZone: merchant.timezone, dateStyle: 'medium', timeStyle: 'short' });
    const paper = closePaper(
      {
        merchantName: merchant.name,
        place: [merchant.city, merchant.state].filter(Boolean).join(', '),
        summary,
        time: time.format(nowMs),
        isInterim,
        isSandbox,
      },
      receiptWidth ?? merchant.vtSettings.receiptWidth,
    );
    const outcome = await sendToPrinter(paper, { copies, printer, dialog: printer === null }, desktop);
    const what = isInterim ? 'Day so far' : 'Daily close';
    showToast(outcome.sent ? `${what} sent to the printer` : `${what} was not printed. ${outcome.problem ?? ''}`);
  };
}
