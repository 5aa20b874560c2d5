// The ledger of a simulator: its payments, their state, and the batch that settled them. Amounts are integer minor units.

export type Method = 'card' | 'ach';
export type EntryState = 'authorized' | 'captured' | 'settled' | 'voided' | 'declined' | 'held' | 'failed';

/** One step of a transaction. */
export interface Step {
  /** One of `sale`, `auth`, `capture`, `void`, `refund`, `credit`, `settle`, `return`, `chargeback`, `chargeback_reversal`, `release`, `refuse`. */
  readonly kind: string;
  readonly amountMinor: number;
  readonly at: string;
  /** Our reference of this step, if the request had one. */
  readonly ourReference?: string;
  readonly batch?: string;
  /** Code and text of the bank for a return or chargeback. */
  readonly code?: string;
  readonly text?: string;
}

export interface NewEntry {
  readonly ourReference: string;
  readonly operation: 'sale' | 'auth' | 'refund' | 'credit' | 'validate';
  readonly state: EntryState;
  readonly amountMinor: number;
  readonly method: Method;
  readonly last4: string;
  /** The payment that a refund belongs to. */
  readonly original?: string;
  /** Data that the protocol returns again: codes, names, the state before a hold for review. */
  readonly details?: Record<string, string>;
}

/** A transaction of the simulator. Captures and voids change their transaction; refunds have their own. */
export interface Entry extends Omit<NewEntry, 'state' | 'shown'> {
  /** The simulator's own reference, consisting of digits. */
  readonly reference: string;
  readonly at: string;
  /** Time of its clock from which lists show the entry. */
  readonly visibleFromMs: number;
  readonly details: Record<string, string>;
  readonly steps: Step[];
  state: EntryState;
  /** The amount captured or paid out; 0 if no money moved. */
  movedMinor: number;
  batch?: string;
  returned?: { readonly code: string; readonly reason: string; readonly at: string };
  /** Set after a chargeback. Totals do not include chargebacks, because they are no payments. */
  disputed?: 'charged-back' | 'reversed';
}

/** Details of a chargeback; absent ones are not reported. */
interface ChargebackDetails {
  readonly amountMinor?: number;
  readonly code?: string;
  readonly reason?: string;
}

export interface Batch {
  readonly id: string;
  readonly method: Method;
  readonly at: string;
  readonly references: readonly string[];
}

/** Sums over all entries: they must equal our records to the cent. */
export interface Totals {
  /** Captured and not voided, settled or not. */
  readonly charged: number;
  /** Refunds and credits that were not voided. */
  readonly paidOut: number;
  readonly entries: number;
}

const FIRST_REFERENCE = 60_000_000_001;
const FIRST_BATCH = 7_000_001;
const APPROVED: ReadonlySet<EntryState> = new Set(['authorized', 'captured', 'settled', 'held']);

export class Ledger {
  readonly #now: () => number;
  readonly #visibleAfterMs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #byOurReference = new Map<string, Entry[]>();
  readonly #refunds = new Map<string, Entry[]>();
  readonly #batches = new Map<string, Batch>();

  constructor(now: () => number, visibleAfterMs: number) {
    this.#now = now;
    this.#visibleAfterMs = visibleAfterMs;
  }

  add({ state, details = {}, ...entryFields }: NewEntry): Entry {
    const at = this.#time();
    const isMoving = state === 'captured';
    const entry: Entry = {
      ...entryFields,
      reference: String(FIRST_REFERENCE + this.#entries.size),
      at,
      visibleFromMs: this.#now() + this.#visibleAfterMs,
      details,
      state,
      steps: [{ kind: entryFields.operation, amountMinor: entryFields.amountMinor, at, ourReference: entryFields.ourReference }],
      movedMinor: isMoving ? entryFields.amountMinor : 0,
    };
    this.#entries.set(entry.reference, entry);
    push(this.#byOurReference, entryFields.ourReference, entry);
    if (entryFields.original !== undefined) push(this.#refunds, entryFields.original, entry);
    return entry;
  }

  find(reference: string): Entry | undefined {
    return this.#entries.get(reference);
  }

  byOurReference(ourReference: string): readonly Entry[] {
    return this.#byOurReference.get(ourReference) ?? [];
  }

  /** Every entry, oldest first. */
  all(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  isVisible(entry: Entry): boolean {
    return this.#now() >= entry.visibleFromMs;
  }

  capture(entry: Entry, amountMinor: number, ourReference?: string): void {
    entry.state = 'captured';
    entry.movedMinor = amountMinor;
    this.#step(entry, { kind: 'capture', amountMinor, ourReference });
  }

  void(entry: Entry, ourReference?: string): void {
    entry.state = 'voided';
    entry.movedMinor = 0;
    this.#step(entry, { kind: 'void', amountMinor: entry.amountMinor, ourReference });
  }

  /** Refunds of a payment that were not voided. */
  refundsOf(reference: string): readonly Entry[] {
    return (this.#refunds.get(reference) ?? []).filter(({ state }) => APPROVED.has(state));
  }

  /** The amount of a payment that has not been refunded. */
  refundable(entry: Entry): number {
    return this.refundsOf(entry.reference).reduce((left, { amountMinor }) => left - amountMinor, entry.movedMinor);
  }

  /** Settles captured amounts and amounts to pay out: a batch for each method that has any. */
  closeBatch(): readonly Batch[] {
    const at = this.#time();
    const open = this.all().filter(({ state }) => state === 'captured');
    return (['card', 'ach'] as const).flatMap((method) => {
      const entries = open.filter((entry) => entry.method === method);
      if (entries.length === 0) return [];
      const id = String(FIRST_BATCH + this.#batches.size);
      const batch: Batch = { id, method, at, references: entries.map(({ reference }) => reference) };
      this.#batches.set(id, batch);
      for (const entry of entries) {
        entry.state = 'settled';
        entry.batch = id;
        this.#step(entry, { kind: 'settle', amountMinor: entry.movedMinor, batch: id });
      }
      return [batch];
    });
  }

  batch(id: string): Batch | undefined {
    return this.#batches.get(id);
  }

  batches(): readonly Batch[] {
    return [...this.#batches.values()];
  }

  /** Returns a settled bank payment; false for anything else. */
  returnItem(reference: string, code: string, reason: string): boolean {
    const entry = this.#entries.get(reference);
    if (entry?.state !== 'settled' || entry.method !== 'ach') return false;
    entry.returned = { code, reason, at: this.#time() };
    this.#step(entry, { kind: 'return', amountMinor: entry.movedMinor, code, text: `${code} ${reason}` });
    return true;
  }

  /** Charges a settled payment back, by default in full; false for anything else. */
  chargeBack(reference: string, { amountMinor, code, reason }: ChargebackDetails = {}): boolean {
    const entry = this.#entries.get(reference);
    if (entry?.state !== 'settled' || entry.disputed === 'charged-back') return false;
    entry.disputed = 'charged-back';
    this.#step(entry, { kind: 'chargeback', amountMinor: amountMinor ?? entry.movedMinor, code, text: reason ?? 'Chargeback' });
    return true;
  }

  /** Returns a charged-back amount to the merchant, by default in full; false for a payment that is not charged back. */
  reverseChargeback(reference: string, { amountMinor }: Pick<ChargebackDetails, 'amountMinor'> = {}): boolean {
    const entry = this.#entries.get(reference);
    if (entry?.disputed !== 'charged-back') return false;
    const chargedBack = entry.steps.findLast(({ kind }) => kind === 'chargeback')?.amountMinor ?? 0;
    entry.disputed = 'reversed';
    this.#step(entry, { kind: 'chargeback_reversal', amountMinor: amountMinor ?? chargedBack, text: 'Chargeback Reversal' });
    return true;
  }

  /** Applies a person's decision on a payment that is held for review; returns false if it is not held. */
  decideHeld(reference: string, decision: 'release' | 'refuse'): boolean {
    const entry = this.#entries.get(reference);
    if (entry?.state !== 'held') return false;
    const isAuth = entry.operation === 'auth';
    entry.state = decision === 'refuse' ? 'declined' : isAuth ? 'authorized' : 'captured';
    entry.movedMinor = decision === 'refuse' || isAuth ? 0 : entry.amountMinor;
    this.#step(entry, { kind: decision, amountMinor: entry.amountMinor });
    return true;
  }

  totals(): Totals {
    const moved = this.all().filter(({ state }) => state === 'captured' || state === 'settled');
    const sum = (operations: readonly string[]) =>
      moved.filter(({ operation }) => operations.includes(operation)).reduce((total, { movedMinor }) => total + movedMinor, 0);
    return { charged: sum(['sale', 'auth']), paidOut: sum(['refund', 'credit']), entries: this.#entries.size };
  }

  #step(entry: Entry, step: Omit<Step, 'at'>): void {
    entry.steps.push({ ...step, at: this.#time() });
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

function push(lists: Map<string, Entry[]>, key: string, entry: Entry): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}

/** `12.34` as 1234; undefined for anything that is not an amount with at most two decimals. */
export function centsOf(text: unknown): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(String(text));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : undefined;
}

/** 1234 as `12.34`. */
export function textOfCents(cents: number): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
