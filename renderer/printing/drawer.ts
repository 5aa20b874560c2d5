import { ApiFailure, api, takeData, wordsOf } from '#renderer/client';
import type { PrinterSetup, PrintOutcome, ReceiptPrinter } from '#renderer/desktop';
import { sendPulse } from './paper.ts';

/** Opens the drawer after the service has recorded who did it and why. Requires the permission to take cash. */
export async function openDrawer(
  receiptPrinter: ReceiptPrinter,
  pin: NonNullable<PrinterSetup['drawerPin']>,
  asked: { readonly merchantId: string; readonly reason: string },
): Promise<PrintOutcome> {
  try {
    const { content } = await takeData(api.POST('/api/v1/notifications/drawer', { body: { ...asked, pin } }));
    return await sendPulse(receiptPrinter, content);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { sent: false, problem: wordsOf(failure).what };
  }
}
