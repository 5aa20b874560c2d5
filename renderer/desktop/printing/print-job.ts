import { t } from '#renderer/base/language';
import { onReset } from '#renderer/base/module-state';
import type { PrintContent, PrintOutcome, ReceiptPrinter } from '#renderer/desktop/bridge';

interface PrintDocument {
  /** Display name, such as "Customer copy". */
  readonly title: string;
  readonly content: PrintContent;
  readonly copies?: number;
  /** True if the document follows another one of the same action. */
  readonly isFollowUp?: boolean;
  /** Data about the job for a reloaded page. */
  readonly metadata?: string;
}

/** Keys of the jobs that this page has sent and counts itself. */
const ownKeys = new Set<string>();
onReset(() => ownKeys.clear());

/** Returns true if a job was sent before the page was reloaded. */
export const isOrphanedJob = (key: string) => !ownKeys.has(key);

/** Adds a job to the queue of the receipt printer. Resolves after its first copy was sent, or with the reason of the failure. */
export async function sendPrintJob(receiptPrinter: ReceiptPrinter, document: PrintDocument): Promise<PrintOutcome> {
  const { title, content, copies = 1, isFollowUp = false, metadata = '' } = document;
  return send(receiptPrinter, { title, content, copies, isFollowUp, metadata, isUrgent: false });
}

/** Sends the command that opens the cash drawer, ahead of all other jobs. */
export function sendDrawerPulse(receiptPrinter: ReceiptPrinter, base64: string): Promise<PrintOutcome> {
  return send(receiptPrinter, {
    title: t('Drawer'),
    content: { kind: 'escpos', base64 },
    copies: 1,
    isFollowUp: false,
    metadata: '',
    isUrgent: true,
  });
}

async function send(
  receiptPrinter: ReceiptPrinter,
  job: Omit<Parameters<ReceiptPrinter['queuePrintJob']>[0], 'key'>,
): Promise<PrintOutcome> {
  const key = crypto.randomUUID();
  ownKeys.add(key);
  try {
    return await receiptPrinter.queuePrintJob({ ...job, key });
  } catch {
    return { sent: false, problem: t('The application could not reach the printer.') };
  }
}

/** Marks the sent jobs with these data as counted, so that a reloaded page does not count them again. */
export async function markJobsCounted(receiptPrinter: ReceiptPrinter, metadata: string): Promise<void> {
  const queue = await receiptPrinter.readPrintQueue();
  const sentJobs = queue.filter((job) => job.metadata === metadata && !job.isAcknowledged && (job.sent > 0 || job.isPartial));
  await Promise.all(sentJobs.map(({ id }) => receiptPrinter.actOnPrintJob(id, 'acknowledge')));
}
