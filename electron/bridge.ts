/** What the shell puts on our pages as `window.paydesk`, and the channels beneath. The one file of the shell that a page may import, as types. */

/** Paper that receipts are printed on: two widths of roll, and US letter. */
export const PAPERS = ['58mm', '80mm', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];

/** A receipt for a printer. */
export interface PrintJob {
  /** A whole document, at most 256 KiB; its scripts do not run and it loads nothing from elsewhere. It is laid out at the paper's full width: the margin is its own. */
  html: string;
  width: Paper;
  /** A printer's `name`; the system's default one when left out. */
  printer?: string;
  /** 1 to 9. */
  copies: number;
  /** True prints at once, false shows the system's dialog first. */
  silent: boolean;
}

/** `sent`: the system's print queue has taken the job. Whether paper came out, no program knows. `problem`: why it was not sent, in words for the clerk. */
export interface PrintOutcome {
  sent: boolean;
  problem?: string;
}

export interface Printer {
  /** The system's name, as a PrintJob wants it. */
  name: string;
  /** The name that people know it by. */
  displayName: string;
  description: string;
}

/** Something to tell a person who may be looking elsewhere. */
export interface Notice {
  /** At most 80 characters. */
  title: string;
  /** At most 200 characters. */
  body: string;
  /** A path of the page's router that a click on it opens. */
  open: string;
}

/** What the menu or a `paydesk://` link asks of the page. `open` is a path of the page's router: it shows a screen and never acts. */
export type ShellCommand = 'new-sale' | 'reprint-last' | 'find-transaction' | 'palette' | 'lock' | 'keys' | { open: string };

/** `window.paydesk`; absent in an ordinary browser. */
export interface DesktopBridge {
  /** The application's version, as in "0.1.0". */
  readonly version: string;
  /** Prints a receipt. Rejects on a malformed job; a printer's trouble is an outcome. */
  printReceipt(job: PrintJob): Promise<PrintOutcome>;
  listPrinters(): Promise<Printer[]>;
  /** Shows a notice of the system's own. Rejects on a malformed one. */
  notify(notice: Notice): Promise<void>;
  /** Calls `tell` with each command until the returned function is called. The last command from before the first listener is kept for it. */
  onCommand(tell: (command: ShellCommand) => void): () => void;
}

export const CHANNELS = {
  printReceipt: 'paydesk:print-receipt',
  listPrinters: 'paydesk:list-printers',
  notify: 'paydesk:notify',
  command: 'paydesk:command',
} as const;

/** The argument by which the main process tells the preload script the application's version. */
export const VERSION_FLAG = '--paydesk-version=';
