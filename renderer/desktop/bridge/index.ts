export type {
  ApplicationBridge,
  ApplicationSettings,
  CodePage,
  Diagnostics,
  LogLine,
  PrintContent,
  PrinterAddress,
  PrinterSetup,
  PrintLine,
  PrintOutcome,
  QueuedPrintJob,
  SaveOutcome,
  SystemPrintJob,
  UpdateState,
} from '#bridge';
export { type Desktop, passLanguageOn, type ReceiptPrinter, useDesktop } from './desktop.ts';
export { useDueDisputeNotice } from './use-due-dispute-notice.ts';
export { useFailingWebhookNotice } from './use-failing-webhook-notice.ts';
export { useRestartHold } from './use-restart-hold.ts';
export { useUpdate } from './use-update.ts';
