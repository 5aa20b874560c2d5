export { openDrawer } from './drawer.ts';
export { isOrphan, sendPaper, settlePaper } from './paper.ts';
export { useFollowedQueue, usePaperQueue } from './paper-queue.ts';
export { currentPrinter, savePrinter, usePrinter } from './printer.ts';
export { PrinterFields } from './printer-fields.tsx';
export { usePrinterForm } from './use-printer-form.ts';
