import type { PaperContent, PrintOutcome, ReceiptPrinter } from '#renderer/desktop';

export interface Paper {
  /** Display name, such as "Customer copy". */
  readonly title: string;
  readonly content: PaperContent;
  readonly copies?: number;
  /** Comes right after another piece of the same press. */
  readonly follows?: boolean;
  /** Data about the job for a reloaded page. */
  readonly note?: string;
}

/** The jobs that this page has sent, and takes note of itself. */
const own = new Set<string>();

/** Returns true if a job was sent before the page was reloaded. */
export const isOrphan = (key: string) => !own.has(key);

/** Adds a job to the queue of the receipt printer. Resolves after its first copy was sent, or with the reason of the failure. */
export async function sendPaper(receiptPrinter: ReceiptPrinter, paper: Paper): Promise<PrintOutcome> {
  const { title, content, copies = 1, follows = false, note = '' } = paper;
  return send(receiptPrinter, { title, content, copies, follows, note, isUrgent: false });
}

/** Sends what opens the drawer, before all else. */
export function sendPulse(receiptPrinter: ReceiptPrinter, base64: string): Promise<PrintOutcome> {
  return send(receiptPrinter, {
    title: 'Drawer',
    content: { kind: 'escpos', base64 },
    copies: 1,
    follows: false,
    note: '',
    isUrgent: true,
  });
}

async function send(receiptPrinter: ReceiptPrinter, job: Omit<Parameters<ReceiptPrinter['sendPaper']>[0], 'key'>): Promise<PrintOutcome> {
  const key = crypto.randomUUID();
  own.add(key);
  try {
    return await receiptPrinter.sendPaper({ ...job, key });
  } catch {
    return { sent: false, problem: 'The application could not reach the printer.' };
  }
}

/** Records that a job was counted, so that a reloaded page does not count it again. */
export async function settlePaper(receiptPrinter: ReceiptPrinter, note: string): Promise<void> {
  const queue = await receiptPrinter.readPaperQueue();
  const done = queue.filter((job) => job.note === note && !job.isNoted && (job.sent > 0 || job.isPartial));
  await Promise.all(done.map(({ id }) => receiptPrinter.actOnPaper(id, 'note')));
}
