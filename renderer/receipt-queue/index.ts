export { openPrinterDialog } from './printer-dialogs.ts';
export { QueueButton } from './queue-button.tsx';
export { ReceiptPrinterOverlays } from './receipt-printer-overlays.tsx';
