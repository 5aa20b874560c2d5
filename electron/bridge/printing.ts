/** Printing part of the bridge: the receipt printer of this workstation with its queue, and printing with the printers of the system. */

/** Paper sizes of receipts: two roll widths, and US letter. */
export const PAPER_SIZES = ['58mm', '80mm', 'letter'] as const;
export type PaperSize = (typeof PAPER_SIZES)[number];

/** A receipt for one of the system's printers. */
export interface SystemPrintJob {
  /**
   * A complete document, at most 256 KiB. Its scripts do not run, and it loads nothing from a network. It uses the full width of the paper
   * and has its own margins.
   */
  html: string;
  width: PaperSize;
  /** A printer's `name`; the default printer of the system if omitted. */
  printer?: string;
  /** 1 to 9. */
  copies: number;
  /** True prints immediately; false shows the system's print dialog first. */
  silent: boolean;
  /** True uses the page size of the printer's own settings, instead of a page as wide as the paper and as long as the receipt. */
  usesOwnPage?: boolean;
}

/**
 * Result of a print job. `sent`: the printer or the system's print queue has accepted the job; a program cannot know whether it was
 * printed. `problem`: why the job was not sent, as a text for the user.
 */
export interface PrintOutcome {
  sent: boolean;
  problem?: string;
}

export interface Printer {
  /** The system's name, which a print job refers to. */
  name: string;
  /** The name that is shown to people. */
  displayName: string;
  description: string;
}

/**
 * Address of the receipt printer: in the network, a CUPS queue, a shared Windows printer, or any printer of the system. All but the last
 * accept raw ESC/POS bytes.
 */
export type PrinterAddress =
  | { kind: 'network'; host: string; port: number }
  | { kind: 'queue'; queue: string }
  | { kind: 'share'; share: string }
  | { kind: 'system'; printer: string; usesOwnPage: boolean };

export const CODE_PAGES = ['cp858', 'windows1252', 'cp850', 'cp437'] as const;
/** Character set of a receipt printer. */
export type CodePage = (typeof CODE_PAGES)[number];

/** The receipt printer of this workstation. */
export interface PrinterSetup {
  /** Display name, such as "Front desk"; 1 to 40 characters. */
  name: string;
  address: PrinterAddress;
  paper: PaperSize;
  /** 24 to 48. */
  columns: number;
  codePage: CodePage;
  /** True if it has a cutter. */
  cuts: boolean;
  /** Number of customer and merchant copies, 1 to 3 each. */
  copies: { customer: number; merchant: number };
  /** True waits between two print jobs until the first is torn off; a printer with a cutter never waits. */
  pausesToTear: boolean;
  /** Pin of the printer's socket that opens the cash drawer; null without a drawer. */
  drawerPin: 2 | 5 | null;
}

/** Result of saving a printer. `problem`: why it was not saved, as a text for the user. */
export interface PrinterSaveOutcome {
  saved: boolean;
  problem?: string;
}

export interface PrintLine {
  /** At most 200 characters; text that does not fit is cut off. */
  text: string;
  isBold: boolean;
}

/**
 * Content of a print job: the server's bytes in base64, at most 64 KiB; at most 300 lines of text with a QR
 * code of at most 100 characters below them; or a document of at most 256 KiB for a
 * printer of the system.
 */
export type PrintContent =
  | { kind: 'escpos'; base64: string }
  | { kind: 'lines'; lines: PrintLine[]; qr?: string }
  | { kind: 'html'; html: string; width: PaperSize };

/** A job for the receipt printer. */
export interface PrintJob {
  /** Identifies the job, so that a reloaded page recognizes its own: 8 to 64 letters, digits and dashes. */
  key: string;
  /** Display name, such as "Customer copy"; 1 to 60 characters. */
  title: string;
  content: PrintContent;
  /** 1 to 9. */
  copies: number;
  /** True if the job follows another one of the same action, so that the first is torn off before this one is printed. */
  isFollowUp: boolean;
  /** True for a job that opens a drawer: it goes before all others, and is never kept or retried. */
  isUrgent: boolean;
  /** Data of the page about the job, such as its receipt, at most 400 characters; empty for none. */
  metadata: string;
}

/** State of a print job. `awaiting-tear-off`: the next copy is printed after the last one is torn off. */
type PrintJobState = 'waiting' | 'awaiting-tear-off' | 'sending' | 'sent' | 'failed';

/** A job in the queue of its printer. */
export interface QueuedPrintJob {
  id: number;
  key: string;
  title: string;
  /** Display name of the printer. */
  printer: string;
  state: PrintJobState;
  copies: number;
  /** Number of copies sent. */
  sent: number;
  /** Reason why the last attempt failed. */
  problem?: string;
  /** True if a part of the job may have been printed. */
  isPartial: boolean;
  metadata: string;
  /** True if the page has recorded that a copy was sent. */
  isAcknowledged: boolean;
}

/** Operations on a job: print the next copy after tearing off the last one, retry, remove, or mark as recorded by the page. */
export const PRINT_JOB_ACTIONS = ['next', 'retry', 'cancel', 'acknowledge'] as const;
export type PrintJobAction = (typeof PRINT_JOB_ACTIONS)[number];

/** Printing calls of `window.paydesk`. A call rejects on malformed input; a failure of the printer is returned as an outcome. */
export interface PrintingBridge {
  /** Prints on one of the system's printers. */
  printReceipt(job: SystemPrintJob): Promise<PrintOutcome>;
  listPrinters(): Promise<Printer[]>;
  /** Returns the receipt printer of this workstation; null if none is set up. */
  readPrinter(): Promise<PrinterSetup | null>;
  /**
   * Saves the receipt printer. A dialog asks before an address outside this computer and its networks, or a port that printers do not use,
   * is accepted. Ports of Paydesk and its database are refused.
   */
  savePrinter(setup: PrinterSetup | null): Promise<PrinterSaveOutcome>;
  /** Prints a test page with a ruler, the letters, a QR code and the cut. The setup need not be saved. */
  testPrinter(setup: PrinterSetup): Promise<PrintOutcome>;
  /** Adds a job to the queue of the receipt printer and returns after its first copy is sent or has failed. */
  queuePrintJob(job: PrintJob): Promise<PrintOutcome>;
  readPrintQueue(): Promise<QueuedPrintJob[]>;
  /** Returns true if the operation was possible; the state of the job may have changed. */
  actOnPrintJob(id: number, action: PrintJobAction): Promise<boolean>;
  /** Calls `listener` with the queue after each change, until the returned function is called. */
  onPrintQueue(listener: (queue: QueuedPrintJob[]) => void): () => void;
}

export const PRINTING_CHANNELS = {
  printReceipt: 'paydesk:print-receipt',
  listPrinters: 'paydesk:list-printers',
  readPrinter: 'paydesk:read-printer',
  savePrinter: 'paydesk:save-printer',
  testPrinter: 'paydesk:test-printer',
  queuePrintJob: 'paydesk:queue-print-job',
  readPrintQueue: 'paydesk:read-print-queue',
  actOnPrintJob: 'paydesk:act-on-print-job',
  printQueue: 'paydesk:print-queue',
} as const;
