export type {
  ApplicationBridge,
  ApplicationSettings,
  CodePage,
  Diagnostics,
  LogLine,
  PaperContent,
  PaperLine,
  Printer,
  PrinterAddress,
  PrinterSetup,
  PrintJob,
  PrintOutcome,
  QueuedPaper,
  RestartOutcome,
  SaveOutcome,
  UpdateState,
} from '#bridge';
export { type Desktop, type ReceiptPrinter, useDesktop } from './desktop.ts';
export { useFailingWebhookNotice } from './use-failing-webhook-notice.ts';
export { useRestartHold } from './use-restart-hold.ts';
export { type Update, useUpdate } from './use-update.ts';
