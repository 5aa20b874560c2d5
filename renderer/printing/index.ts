export { openDrawer } from './drawer.ts';
export { isOrphan, type Paper, sendPaper, settlePaper } from './paper.ts';
export { useFollowedQueue, usePaperQueue } from './paper-queue.ts';
export { currentPrinter, printerQuery, savePrinter, usePrinter } from './printer.ts';
export { PrinterFields } from './printer-fields.tsx';
export { type FormOutcome, type PrinterForm, usePrinterForm } from './use-printer-form.ts';
