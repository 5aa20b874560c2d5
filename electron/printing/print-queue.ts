import type { PrinterSetup, PrintJob, PrintJobAction, PrintOutcome, QueuedPrintJob } from '../bridge/printing.ts';
import { notSent, type SendResult } from './send-result.ts';

/** Limit of jobs per printer that wait or have failed. */
const JOBS_MAX = 30;
/** Number of sent jobs that stay in the queue: of those that the page has acknowledged, and of all. */
const ACKNOWLEDGED_MAX = 5;
const SENT_MAX = 200;

interface QueueEntry {
  readonly job: PrintJob;
  readonly setup: PrinterSetup;
  readonly queued: QueuedPrintJob;
  /** Resolves the call that added the job; only the first call counts. */
  readonly resolve: (outcome: PrintOutcome) => void;
}

/** Sends one copy to a printer. */
type SendCopy = (job: PrintJob, setup: PrinterSetup) => Promise<SendResult>;

/**
 * Print queues, one for each printer. Jobs are sent one after another; a printer without a cutter pauses until the last copy is torn off.
 * A failed job does not block the next ones and stays until it is retried or removed. The queue is in the main process, so that it survives
 * a reload of the page.
 */
export class PrintQueue {
  private readonly sendCopy: SendCopy;
  private readonly onChange: (jobs: QueuedPrintJob[]) => void;
  private entries: QueueEntry[] = [];
  /** Printers to which a job is being sent. */
  private readonly busy = new Set<string>();
  private lastId = 0;

  constructor(sendCopy: SendCopy, onChange: (jobs: QueuedPrintJob[]) => void) {
    this.sendCopy = sendCopy;
    this.onChange = onChange;
  }

  get jobs(): QueuedPrintJob[] {
    return this.entries.map(({ queued }) => ({ ...queued }));
  }

  /** Adds a job. Resolves after its first copy is sent, has failed or was removed. */
  add(job: PrintJob, setup: PrinterSetup): Promise<PrintOutcome> {
    const unsent = this.entries.filter((entry) => printerKeyOf(entry) === printerKey(setup) && entry.queued.state !== 'sent');
    if (unsent.length >= JOBS_MAX) {
      return Promise.resolve({ sent: false, problem: `${unsent.length} receipts already wait for ${setup.name}. Open the print queue.` });
    }
    return new Promise((resolve) => {
      this.lastId += 1;
      const { key, title, copies, metadata } = job;
      const state = waitsForTearOff(setup) && job.isFollowUp ? 'awaiting-tear-off' : 'waiting';
      const queued: QueuedPrintJob = {
        id: this.lastId,
        key,
        title,
        printer: setup.name,
        state,
        copies,
        sent: 0,
        isPartial: false,
        metadata,
        isAcknowledged: false,
      };
      const entry = { job, setup, queued, resolve };
      if (job.isUrgent) this.entries.unshift(entry);
      else this.entries.push(entry);
      this.pruneAndNotify();
      void this.processQueue(printerKey(setup));
    });
  }

  /** Returns false if the job does not exist or its state does not allow the operation. */
  act(id: number, action: PrintJobAction): boolean {
    const entry = this.entries.find(({ queued }) => queued.id === id);
    if (!entry || !ALLOWED[action](entry)) return false;
    const { queued } = entry;
    if (action === 'acknowledge') queued.isAcknowledged = true;
    else if (action === 'cancel') {
      this.remove(entry);
      entry.resolve({ sent: false, problem: 'The job was removed from the queue.' });
    } else if (action === 'retry') {
      this.remove(entry);
      delete queued.problem;
      Object.assign(queued, { state: 'waiting', isPartial: false });
      this.entries.push(entry);
    } else queued.state = 'waiting';
    this.pruneAndNotify();
    void this.processQueue(printerKeyOf(entry));
    return true;
  }

  /** Processes a printer's queue until its first job waits for a person. */
  private async processQueue(printer: string): Promise<void> {
    if (this.busy.has(printer)) return;
    this.busy.add(printer);
    for (let entry = this.nextFor(printer); entry !== undefined; entry = this.nextFor(printer)) await this.send(entry);
    this.busy.delete(printer);
  }

  /** Returns the next job to send; undefined if nothing waits, or while the last copy waits to be torn off. */
  private nextFor(printer: string): QueueEntry | undefined {
    const head = this.entries.find(
      (entry) => printerKeyOf(entry) === printer && ['waiting', 'awaiting-tear-off'].includes(entry.queued.state),
    );
    return head?.queued.state === 'waiting' ? head : undefined;
  }

  private async trySend(job: PrintJob, setup: PrinterSetup): Promise<SendResult> {
    try {
      return await this.sendCopy(job, setup);
    } catch (cause) {
      console.error('A print job could not be prepared for its printer.', cause);
      return notSent('The job could not be prepared for this printer.');
    }
  }

  private async send(entry: QueueEntry): Promise<void> {
    const { job, setup, queued } = entry;
    queued.state = 'sending';
    this.pruneAndNotify();
    const result = await this.trySend(job, setup);
    if (result.sent) {
      queued.sent += 1;
      queued.state = queued.sent === queued.copies ? 'sent' : waitsForTearOff(setup) ? 'awaiting-tear-off' : 'waiting';
      entry.resolve({ sent: true });
    } else {
      Object.assign(queued, { state: 'failed', problem: result.problem, isPartial: result.isPartial });
      entry.resolve({ sent: false, problem: result.problem });
    }
    if (job.isUrgent) this.remove(entry);
    this.pruneAndNotify();
  }

  private remove(entry: QueueEntry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }

  private pruneAndNotify(): void {
    const sent = this.entries.filter(({ queued }) => queued.state === 'sent');
    const acknowledged = sent.filter(({ queued }) => queued.isAcknowledged || queued.metadata === '');
    const expired = new Set([...allButNewest(acknowledged, ACKNOWLEDGED_MAX), ...allButNewest(sent, SENT_MAX)]);
    this.entries = this.entries.filter((entry) => !expired.has(entry));
    this.onChange(this.jobs);
  }
}

const allButNewest = (entries: readonly QueueEntry[], newest: number) => entries.slice(0, Math.max(0, entries.length - newest));

const ALLOWED: Readonly<Record<PrintJobAction, (entry: QueueEntry) => boolean>> = {
  next: ({ queued }) => queued.state === 'awaiting-tear-off',
  retry: ({ queued }) => queued.state === 'failed',
  cancel: ({ queued }) => queued.state !== 'sending',
  acknowledge: ({ queued }) => queued.sent > 0 || queued.isPartial,
};

function waitsForTearOff({ cuts, pausesToTear }: PrinterSetup): boolean {
  return pausesToTear && !cuts;
}

/** Returns the key of a printer's queue: its address, so that two setups of one printer share a queue. */
function printerKey({ address }: PrinterSetup): string {
  return JSON.stringify(address);
}

const printerKeyOf = ({ setup }: QueueEntry) => printerKey(setup);
