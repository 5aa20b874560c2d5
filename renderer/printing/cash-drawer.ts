import { ApiFailure, api, describeFailure, takeData } from '#renderer/client';
import type { PrinterSetup, PrintOutcome, ReceiptPrinter } from '#renderer/desktop';
import { sendDrawerPulse } from './print-job.ts';

/** Opens the cash drawer after the service has recorded the user and the reason. Requires the permission to take cash. */
export async function openDrawer(
  receiptPrinter: ReceiptPrinter,
  pin: NonNullable<PrinterSetup['drawerPin']>,
  request: { readonly merchantId: string; readonly reason: string },
): Promise<PrintOutcome> {
  try {
    const { content } = await takeData(api.POST('/api/v1/notifications/drawer', { body: { ...request, pin } }));
    return await sendDrawerPulse(receiptPrinter, content);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { sent: false, problem: describeFailure(failure).problem };
  }
}
