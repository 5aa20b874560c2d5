import { NO_OTHER_PROCESSES, type ProcessExchange } from '#core/kernel';
import type { TerminalAnswer } from './terminals.ts';

const TOPIC = 'reader-dialog';
/** Outcomes that are kept until they are recorded. A lost one is asked for. */
const DIALOGS_MAX = 1_000;
const LOOK_EVERY_MS = 50;

/** A payment whose connection to its reader is or was open in a process of the server. */
export interface ReaderDialog {
  readonly startedMs: number;
  /** Null while the customer pays. */
  readonly outcome: TerminalAnswer | null;
}

/** Payments on readers whose answers arrive on a connection that one process of the server holds. */
export class ReaderDialogs {
  readonly #processes: ProcessExchange;
  readonly #dialogs = new Map<string, ReaderDialog>();

  constructor(processes: ProcessExchange = NO_OTHER_PROCESSES) {
    this.#processes = processes;
    processes.respond<string>(TOPIC, (processorRef) => this.#dialogs.get(processorRef));
  }

  /** Keeps a payment and its outcome, by its reference. Resolves when it has ended. A lost answer is forgotten, so that the reader is asked for it. */
  async keep(processorRef: string, answer: Promise<TerminalAnswer>): Promise<void> {
    const startedMs = Date.now();
    this.#dialogs.set(processorRef, { startedMs, outcome: null });
    const outcome = await answer.catch(() => null);
    if (outcome === null || (outcome.kind === 'unknown' && outcome.alert === undefined)) this.#dialogs.delete(processorRef);
    else this.#dialogs.set(processorRef, { startedMs, outcome });
    if (this.#dialogs.size <= DIALOGS_MAX) return;
    const oldest = [...this.#dialogs].find(([, dialog]) => dialog.outcome !== null);
    if (oldest) this.#dialogs.delete(oldest[0]);
  }

  /** Returns a payment from the process that has its connection; undefined if no process that responds has it. */
  async find(processorRef: string): Promise<ReaderDialog | undefined> {
    const here = this.#dialogs.get(processorRef);
    if (here) return here;
    const elsewhere = await this.#processes.request<ReaderDialog>(TOPIC, processorRef);
    return elsewhere.find(({ data }) => data)?.data;
  }

  /** Waits at most for a time until a payment has its outcome, or its answer is lost. */
  async waitForEnd(processorRef: string, withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    while ((await this.find(processorRef))?.outcome === null && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS).unref());
  }
}
