export { openDrawer } from './cash-drawer.ts';
export { isOrphanedJob, markJobsCounted, sendPrintJob } from './print-job.ts';
export { usePrintQueue, useWatchPrintQueue } from './print-queue.ts';
export { currentPrinter, savePrinter, usePrinter } from './printer.ts';
export { PrinterFields } from './printer-fields.tsx';
export { usePrinterForm } from './use-printer-form.ts';
