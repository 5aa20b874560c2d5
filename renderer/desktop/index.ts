export type { Printer, PrintJob, PrintOutcome } from '#bridge';
export { type Desktop, useDesktop } from './desktop.ts';
