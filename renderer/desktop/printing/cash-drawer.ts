import { ApiFailure, api, describeFailure, takeData } from '#renderer/base/client';
import type { PrinterSetup, PrintOutcome, ReceiptPrinter } from '#renderer/desktop/bridge';
import { sendDrawerPulse } from './print-job.ts';

/** An opening of the cash drawer; without `tenderId` and `paymentId` it is one without a sale. */
interface DrawerRequest {
  readonly merchantId: string;
  readonly drawer: string;
  readonly reason: string;
  readonly tenderId?: string;
  readonly refundId?: string;
  readonly paymentId?: string;
}

/** The printer to which the drawer is connected. */
interface DrawerPrinter {
  readonly receiptPrinter: ReceiptPrinter;
  readonly pin: NonNullable<PrinterSetup['drawerPin']>;
}

/**
 * Records an opening of the cash drawer, and then opens it through its printer. Without a printer, the person opens it by hand. Requires the
 * permission to take cash.
 */
export async function openDrawer(request: DrawerRequest, printer: DrawerPrinter | null): Promise<PrintOutcome> {
  try {
    const { content } = await takeData(
      api.POST('/api/v1/notifications/drawer', { body: { ...request, ...(printer && { pin: printer.pin }) } }),
    );
    return printer === null ? { sent: true } : await sendDrawerPulse(printer.receiptPrinter, content);
  } catch (failure) {
    if (!(failure instanceof ApiFailure)) throw failure;
    return { sent: false, problem: describeFailure(failure).problem };
  }
}
