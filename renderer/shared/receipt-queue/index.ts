export { OPEN_DRAWER_KEYS, openDrawerDialog, openPrinterDialog } from './printer-dialogs.ts';
export { QueueButton } from './queue-button.tsx';
export { ReceiptPrinterOverlays } from './receipt-printer-overlays.tsx';
