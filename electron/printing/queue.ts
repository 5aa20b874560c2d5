import type { PaperAction, PaperJob, PrinterSetup, PrintOutcome, QueuedPaper } from '../bridge/printing.ts';
import { type Delivery, notSent } from './delivery.ts';

/** Jobs that a printer may have to wait for it, and that are kept when they failed. */
const JOBS_MAX = 30;
/** Sent ones are shown a while; those that the page has not taken note of stay longer. */
const SENT_SHOWN = 5;
const SENT_MAX = 200;

interface Entry {
  readonly job: PaperJob;
  readonly setup: PrinterSetup;
  readonly shown: QueuedPaper;
  /** Resolves the call that added the job; only the first call counts. */
  readonly answer: (outcome: PrintOutcome) => void;
}

/** Hands one copy to a printer. */
type Deliver = (job: PaperJob, setup: PrinterSetup) => Promise<Delivery>;

/**
 * The queues of paper, one for each printer: one piece after another, with a pause to tear off where the printer does not cut. A job that failed lets the next
 * ones pass and stays until it is tried again or taken out. Lives in the main process, so that a page that is loaded again finds all of it.
 */
export class PrintQueue {
  private readonly deliver: Deliver;
  private readonly tell: (jobs: QueuedPaper[]) => void;
  private entries: Entry[] = [];
  /** Printers that are being written to. */
  private readonly busy = new Set<string>();
  private lastId = 0;

  constructor(deliver: Deliver, tell: (jobs: QueuedPaper[]) => void) {
    this.deliver = deliver;
    this.tell = tell;
  }

  get jobs(): QueuedPaper[] {
    return this.entries.map(({ shown }) => ({ ...shown }));
  }

  /** Adds a job. Resolves after its first copy is sent, has failed or was removed. */
  add(job: PaperJob, setup: PrinterSetup): Promise<PrintOutcome> {
    const open = this.entries.filter((entry) => printerOf(entry) === addressKey(setup) && entry.shown.state !== 'sent');
    if (open.length >= JOBS_MAX) {
      return Promise.resolve({ sent: false, problem: `${open.length} receipts already wait for ${setup.name}. Open the print queue.` });
    }
    return new Promise((answer) => {
      this.lastId += 1;
      const { key, title, copies, note } = job;
      const state = mustTear(setup) && job.follows ? 'tearing' : 'waiting';
      const shown: QueuedPaper = {
        id: this.lastId,
        key,
        title,
        printer: setup.name,
        state,
        copies,
        sent: 0,
        isPartial: false,
        note,
        isNoted: false,
      };
      const entry = { job, setup, shown, answer };
      if (job.isUrgent) this.entries.unshift(entry);
      else this.entries.push(entry);
      this.changed();
      void this.work(addressKey(setup));
    });
  }

  /** Returns false if the job does not exist or its state does not allow the operation. */
  act(id: number, action: PaperAction): boolean {
    const entry = this.entries.find(({ shown }) => shown.id === id);
    if (!entry || !MAY[action](entry)) return false;
    const { shown } = entry;
    if (action === 'note') shown.isNoted = true;
    else if (action === 'cancel') {
      this.drop(entry);
      entry.answer({ sent: false, problem: 'It was taken out of the queue.' });
    } else if (action === 'retry') {
      this.drop(entry);
      delete shown.problem;
      Object.assign(shown, { state: 'waiting', isPartial: false });
      this.entries.push(entry);
    } else shown.state = 'waiting';
    this.changed();
    void this.work(printerOf(entry));
    return true;
  }

  /** Processes a printer's queue until its first job waits for a person. */
  private async work(printer: string): Promise<void> {
    if (this.busy.has(printer)) return;
    this.busy.add(printer);
    for (let entry = this.nextOf(printer); entry !== undefined; entry = this.nextOf(printer)) await this.send(entry);
    this.busy.delete(printer);
  }

  /** The first that is not done with; none while it waits to be torn off. */
  private nextOf(printer: string): Entry | undefined {
    const head = this.entries.find((entry) => printerOf(entry) === printer && ['waiting', 'tearing'].includes(entry.shown.state));
    return head?.shown.state === 'waiting' ? head : undefined;
  }

  private async delivered(job: PaperJob, setup: PrinterSetup): Promise<Delivery> {
    try {
      return await this.deliver(job, setup);
    } catch (cause) {
      console.error('A piece of paper could not be made ready for its printer.', cause);
      return notSent('It could not be made ready for this printer.');
    }
  }

  private async send(entry: Entry): Promise<void> {
    const { job, setup, shown } = entry;
    shown.state = 'sending';
    this.changed();
    const delivery = await this.delivered(job, setup);
    if (delivery.sent) {
      shown.sent += 1;
      shown.state = shown.sent === shown.copies ? 'sent' : mustTear(setup) ? 'tearing' : 'waiting';
      entry.answer({ sent: true });
    } else {
      Object.assign(shown, { state: 'failed', problem: delivery.problem, isPartial: delivery.isPartial });
      entry.answer({ sent: false, problem: delivery.problem });
    }
    if (job.isUrgent) this.drop(entry);
    this.changed();
  }

  private drop(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
  }

  private changed(): void {
    const sent = this.entries.filter(({ shown }) => shown.state === 'sent');
    const noted = sent.filter(({ shown }) => shown.isNoted || shown.note === '');
    const over = new Set([...allBut(noted, SENT_SHOWN), ...allBut(sent, SENT_MAX)]);
    this.entries = this.entries.filter((entry) => !over.has(entry));
    this.tell(this.jobs);
  }
}

const allBut = (entries: readonly Entry[], newest: number) => entries.slice(0, Math.max(0, entries.length - newest));

const MAY: Readonly<Record<PaperAction, (entry: Entry) => boolean>> = {
  next: ({ shown }) => shown.state === 'tearing',
  retry: ({ shown }) => shown.state === 'failed',
  cancel: ({ shown }) => shown.state !== 'sending',
  note: ({ shown }) => shown.sent > 0 || shown.isPartial,
};

function mustTear({ cuts, pausesToTear }: PrinterSetup): boolean {
  return pausesToTear && !cuts;
}

/** Two set-ups of one printer share its queue. */
function addressKey({ address }: PrinterSetup): string {
  return JSON.stringify(address);
}

const printerOf = ({ setup }: Entry) => addressKey(setup);
