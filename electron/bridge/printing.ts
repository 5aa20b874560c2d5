/** The part of the bridge that is about paper: the receipt printer of this workstation and its queue, and the system's own printing (experience 2.4, 2.16). */

/** Paper that receipts are printed on: two widths of roll, and US letter. */
export const PAPERS = ['58mm', '80mm', 'letter'] as const;
export type Paper = (typeof PAPERS)[number];

/** A receipt for one of the system's printers. */
export interface PrintJob {
  /**
   * A complete document, at most 256 KiB; its scripts do not run, and it loads nothing from elsewhere. Laid out at the full width of the
   * paper, with its own margins.
   */
  html: string;
  width: Paper;
  /** A printer's `name`; the system's default one when left out. */
  printer?: string;
  /** 1 to 9. */
  copies: number;
  /** True prints immediately, false shows the system's dialog first. */
  silent: boolean;
  /** Prints on the page that the printer itself is set to, instead of one as wide as the paper and as long as the receipt. */
  usesOwnPage?: boolean;
}

/** `sent`: the printer or the system's print queue has taken the job. Whether paper came out, no program knows. `problem`: why it was not sent, in words for the clerk. */
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
/** A table of letters that a receipt printer has. */
export type CodePage = (typeof CODE_PAGES)[number];

/** The receipt printer of this workstation. */
export interface PrinterSetup {
  /** Display name, such as "Front desk"; 1 to 40 characters. */
  name: string;
  address: PrinterAddress;
  paper: Paper;
  /** 24 to 48. */
  columns: number;
  codePage: CodePage;
  /** True if it has a cutter. */
  cuts: boolean;
  /** Number of each copy, 1 to 3. */
  copies: { customer: number; merchant: number };
  /** Waits between two pieces of paper until the first is torn off; a printer that cuts never waits. */
  pausesToTear: boolean;
  /** The pin that a cash drawer hangs on; null where there is none. */
  drawerPin: 2 | 5 | null;
}

/** `saved`, or why not, in words. */
export interface PrinterSaved {
  saved: boolean;
  problem?: string;
}

export interface PaperLine {
  /** At most 200 characters; text that does not fit is cut off. */
  text: string;
  isLoud: boolean;
}

/**
 * Content of a print job: the server's bytes in base64, at most 64 KiB; at most 300 lines of text; or a document of at most 256 KiB for a
 * printer of the system.
 */
export type PaperContent =
  | { kind: 'escpos'; base64: string }
  | { kind: 'lines'; lines: PaperLine[] }
  | { kind: 'html'; html: string; width: Paper };

/** Something for the receipt printer. */
export interface PaperJob {
  /** Identifies the job, so that a reloaded page recognizes its own: 8 to 64 letters, digits and dashes. */
  key: string;
  /** Display name, such as "Customer copy"; 1 to 60 characters. */
  title: string;
  content: PaperContent;
  /** 1 to 9. */
  copies: number;
  /** Comes right after another piece of the same press, which is torn off first. */
  follows: boolean;
  /** Goes before all others, is never kept and never tried again: what opens a drawer. */
  isUrgent: boolean;
  /** Data of the page about the job, such as its receipt; at most 400 characters. */
  note: string;
}

/** `tearing`: the next piece comes once the last is torn off. */
export type PaperState = 'waiting' | 'tearing' | 'sending' | 'sent' | 'failed';

/** A job in the queue of its printer. */
export interface QueuedPaper {
  id: number;
  key: string;
  title: string;
  /** Display name of the printer. */
  printer: string;
  state: PaperState;
  copies: number;
  /** Number of copies sent. */
  sent: number;
  /** Reason why the last attempt failed. */
  problem?: string;
  /** A part of it may have come out. */
  isPartial: boolean;
  note: string;
  /** The page has taken note that a copy was sent. */
  isNoted: boolean;
}

/** Operations on a job: the next copy after the last one was torn off, another attempt, removal, or marking as sent. */
export const PAPER_ACTIONS = ['next', 'retry', 'cancel', 'note'] as const;
export type PaperAction = (typeof PAPER_ACTIONS)[number];

/** The calls of `window.paydesk` on paper. Each rejects on malformed input; a printer's trouble is an outcome. */
export interface PrintingBridge {
  /** Prints on one of the system's printers. */
  printReceipt(job: PrintJob): Promise<PrintOutcome>;
  listPrinters(): Promise<Printer[]>;
  /** The receipt printer of this workstation; null where none is set up. */
  readPrinter(): Promise<PrinterSetup | null>;
  /** Keeps it. An address outside of this machine and its networks is asked about first, by a dialog of the shell. */
  savePrinter(setup: PrinterSetup | null): Promise<PrinterSaved>;
  /** Prints a test page: a ruler, the letters, a code and the cut. The set-up need not be saved. */
  testPrinter(setup: PrinterSetup): Promise<PrintOutcome>;
  /** Adds a job to the queue of the receipt printer and returns after its first copy is sent or has failed. */
  sendPaper(job: PaperJob): Promise<PrintOutcome>;
  readPaperQueue(): Promise<QueuedPaper[]>;
  /** Returns true if the operation was possible; the state of the job may have changed. */
  actOnPaper(id: number, action: PaperAction): Promise<boolean>;
  /** Calls `tell` with each change of the queue until the returned function is called. */
  onPaperQueue(tell: (queue: QueuedPaper[]) => void): () => void;
}

export const PRINTING_CHANNELS = {
  printReceipt: 'paydesk:print-receipt',
  listPrinters: 'paydesk:list-printers',
  readPrinter: 'paydesk:read-printer',
  savePrinter: 'paydesk:save-printer',
  testPrinter: 'paydesk:test-printer',
  sendPaper: 'paydesk:send-paper',
  readPaperQueue: 'paydesk:read-paper-queue',
  actOnPaper: 'paydesk:act-on-paper',
  paperQueue: 'paydesk:paper-queue',
} as const;
