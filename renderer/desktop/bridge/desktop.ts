import type {
  ApplicationBridge,
  DesktopBridge,
  Printer,
  PrintingBridge,
  PrintOutcome,
  ShellCommand,
  SystemNotification,
  SystemPrintJob,
} from '#bridge';
import { language, t } from '#renderer/base/language';
import { translatedBridge } from './translated-bridge.ts';

const FRAME_REMOVAL_MS = 60_000;

/** Prints a document with the browser's dialog, from a hidden frame. */
function printInPage({ html }: SystemPrintJob): Promise<PrintOutcome> {
  return new Promise((resolve) => {
    const frame = document.createElement('iframe');
    frame.setAttribute('aria-hidden', 'true');
    frame.tabIndex = -1;
    frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden';
    frame.srcdoc = html;
    const remove = () => frame.remove();
    frame.addEventListener('load', () => {
      const page = frame.contentWindow;
      if (!page) return resolve({ sent: false, problem: t('The browser did not open the print dialog.') });
      page.addEventListener('afterprint', remove);
      page.print();
      resolve({ sent: true });
    });
    document.body.append(frame);
    // Some browsers never report that printing has ended.
    setTimeout(remove, FRAME_REMOVAL_MS);
  });
}

declare global {
  interface Window {
    /** Added by the desktop application; absent in a browser. */
    readonly paydesk?: DesktopBridge;
  }
}

/** The receipt printer of this workstation, with its queue. */
export type ReceiptPrinter = Omit<PrintingBridge, 'printReceipt' | 'listPrinters'>;

/** Functions of the computer around the page; the same calls work in a browser. */
export interface Desktop {
  /** True in the desktop application, where printers are known by name and printing can be silent. */
  readonly isDesktop: boolean;
  /** Version of the application; undefined in a browser. */
  readonly version: string | undefined;
  printReceipt(job: SystemPrintJob): Promise<PrintOutcome>;
  /** Undefined in a browser, which prints with its own dialog only. */
  readonly receiptPrinter: ReceiptPrinter | undefined;
  /** The application around the page: settings, log, diagnostics and updates. Undefined in a browser, which has none of them. */
  readonly application: ApplicationBridge | undefined;
  /** Empty in a browser, whose dialog offers the printers. */
  listPrinters(): Promise<Printer[]>;
  /** Shows a system notification; does nothing in a browser tab. */
  notify(notice: SystemNotification): void;
  /** Subscribes to menu commands and deep links; returns a function that unsubscribes. */
  onCommand(listener: (command: ShellCommand) => void): () => void;
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
    onCommand: (listener) => bridge.onCommand(listener),
  };
}

const desktop: Desktop = window.paydesk ? inShell(translatedBridge(window.paydesk)) : IN_BROWSER;

/** Passes the language of this page to the desktop application, for the application's own texts; does nothing in a browser. */
export function passLanguageOn(): void {
  // A service that is stopping refuses calls; its next page passes the language on.
  void desktop.application?.setLanguage(language()).catch(() => undefined);
}

/** Returns the bridge to the desktop application, or its browser equivalent. It never changes while the page is open. */
export function useDesktop(): Desktop {
  return desktop;
}
