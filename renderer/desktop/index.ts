export type { Printer, PrintJob, PrintOutcome, ShellCommand } from '#bridge';
export { type Desktop, useDesktop } from './desktop.ts';
