import type { ApplicationBridge, DesktopBridge, Notice, Printer, PrintingBridge, PrintJob, PrintOutcome, ShellCommand } from '#bridge';
import { printInPage } from './print-in-page.ts';

declare global {
  interface Window {
    /** Put here by the shell; absent in an ordinary browser. */
    readonly paydesk?: DesktopBridge;
  }
}

/** The receipt printer of this workstation, with its queue. */
export type ReceiptPrinter = Omit<PrintingBridge, 'printReceipt' | 'listPrinters'>;

/** What the machine around the page can do; the same calls work with and without the shell. */
export interface Desktop {
  /** True in the desktop application, where printers are known by name and printing can be silent. */
  readonly isDesktop: boolean;
  /** Version of the application; undefined in a browser. */
  readonly version: string | undefined;
  printReceipt(job: PrintJob): Promise<PrintOutcome>;
  /** Undefined in a browser, which prints by its own dialog alone. */
  readonly receiptPrinter: ReceiptPrinter | undefined;
  /** The application around the page: settings, log, diagnostics and updates. Undefined in a browser, which has none of them. */
  readonly application: ApplicationBridge | undefined;
  /** No printers in a browser: its own dialog chooses. */
  listPrinters(): Promise<Printer[]>;
  /** Tells a person who may be looking elsewhere; a browser tab keeps quiet. */
  notify(notice: Notice): void;
  /** Calls back for menu commands and deep links; answers the way to stop. */
  onCommand(tell: (command: ShellCommand) => void): () => void;
}

const IN_BROWSER: Desktop = {
  isDesktop: false,
  version: undefined,
  printReceipt: printInPage,
  receiptPrinter: undefined,
  application: undefined,
  listPrinters: async () => [],
  notify: () => undefined,
  onCommand: () => () => undefined,
};

function inShell(bridge: DesktopBridge): Desktop {
  return {
    isDesktop: true,
    version: bridge.version,
    printReceipt: (job) => bridge.printReceipt(job),
    receiptPrinter: bridge,
    application: bridge,
    listPrinters: () => bridge.listPrinters(),
    notify: (notice) => void bridge.notify(notice),
    onCommand: (tell) => bridge.onCommand(tell),
  };
}

const desktop: Desktop = window.paydesk ? inShell(window.paydesk) : IN_BROWSER;

/** The bridge to the shell, or the browser's way of the same. Never changes while the page lives. */
export function useDesktop(): Desktop {
  return desktop;
}
