import { createHmac, type KeyObject } from 'node:crypto';
import { compactText } from '#shared/compact-text';
import { dayNumber } from './matching/business-days.ts';
import type { BankLineRow } from './schema.ts';
import type { Entry } from './statements/index.ts';

/** Bytes of a hash. Only lines of the same day and amount are compared by it. */
const HASH_BYTES = 6;
const HASH_CHARS = 8;
/** Marks of earlier versions in place of a number that they did not keep. */
const MASKED = /\[card number\]|IBAN …/;
const NONE = 0;
const RADIX = 36;
const RANK_CHARS = 5;
const DIGEST_LIMIT = 2 ** 50;

/** Returns functions that hash the text and the bank's reference of a line with a key of the tenant, before anything is masked. */
export function createLineHasher(key: KeyObject) {
  const hash = (purpose: string, text: string) =>
    createHmac('sha256', key)
      .update(purpose + text)
      .digest()
      .readUIntBE(0, HASH_BYTES) || 1;
  return {
    text: (text: string) => hash('text|', compactText(text)),
    /** Zero if there is no reference. */
    reference: (reference: string | null) => (reference === null ? NONE : hash('reference|', reference)),
  };
}
export type LineHasher = ReturnType<typeof createLineHasher>;

const encoded = (hash: number) => {
  const bytes = Buffer.alloc(HASH_BYTES);
  bytes.writeUIntBE(hash, 0, HASH_BYTES);
  return bytes.toString('base64url');
};
const decoded = (text: string) => Buffer.from(text, 'base64url').readUIntBE(0, HASH_BYTES);

/**
 * Days, amounts and hashes of the lines of a file or of an account, in their order. One line takes 44 bytes, so that the lines of the largest file fit in memory
 * while they are compared.
 */
export class LineKeys {
  length = 0;
  days = new Int32Array(1_024);
  minors = new Float64Array(1_024);
  texts = new Float64Array(1_024);
  references = new Float64Array(1_024);
  /** Line in the file. */
  lines = new Float64Array(1_024);
  /** Balance of the account before each line; NaN if it is not known. */
  balances = new Float64Array(1_024);
  /** Indexes of the lines of a file in the order of the bank, oldest first; null if the file has no balances. */
  order: Int32Array | null = null;
  /** Place of each line of a file in that order. */
  #ranks: Int32Array | null = null;

  add(day: string, minor: number, text: number, reference: number, line: number): void {
    if (this.length === this.days.length) this.#grow();
    const at = this.length;
    this.days[at] = dayNumber(day);
    this.minors[at] = minor;
    this.texts[at] = text;
    this.references[at] = reference;
    this.lines[at] = line;
    this.balances[at] = Number.NaN;
    this.length += 1;
  }

  #grow(): void {
    const size = this.length * 2;
    const days = new Int32Array(size);
    days.set(this.days);
    this.days = days;
    for (const column of ['minors', 'texts', 'references', 'lines', 'balances'] as const) {
      const grown = new Float64Array(size);
      grown.set(this[column]);
      this[column] = grown;
    }
  }

  /** Removes the lines from an index on. */
  truncate(length: number): void {
    this.length = length;
  }

  /** Sets the order of the lines by the bank, and with it their balances. */
  arrange(order: Int32Array, opening: number): void {
    this.order = order;
    this.#ranks = new Int32Array(order.length);
    let balance = opening;
    for (const [rank, index] of order.entries()) {
      this.#ranks[index] = rank;
      this.balances[index] = balance;
      balance += this.minors[index] as number;
    }
  }

  /** Returns a text that is equal for the same lines from an index on, in any order. */
  digest(from: number): string {
    let [count, sum] = [0, 0];
    for (let at = from; at < this.length; at += 1) {
      const line =
        (this.texts[at] as number) + (this.references[at] as number) * 3 + (this.minors[at] as number) * 7 + (this.days[at] as number) * 11;
      sum = (sum + (line % DIGEST_LIMIT) + DIGEST_LIMIT) % DIGEST_LIMIT;
      count += 1;
    }
    return `${count}|${sum}`;
  }

  /** Adds a line of a file. */
  addEntry({ day, minor, text, reference, line }: Entry, hasher: LineHasher): void {
    this.add(day, minor, hasher.text(text), hasher.reference(reference), line);
  }

  /** Adds a stored line. Lines of earlier versions have their hashes in no column, and only what these versions did not mask is compared. */
  addStored(row: Pick<BankLineRow, 'day' | 'amount_minor' | 'identity' | 'text' | 'reference' | 'line'>, hasher: LineHasher): void {
    const [, , hashes, balance] = row.identity.split('.');
    if (hashes === undefined) {
      const text = MASKED.test(row.text) ? NONE : hasher.text(row.text);
      const reference = row.reference === null || MASKED.test(row.reference) ? NONE : hasher.reference(row.reference);
      this.add(row.day, Number(row.amount_minor), text, reference, row.line);
      return;
    }
    const reference = hashes.length > HASH_CHARS ? decoded(hashes.slice(HASH_CHARS)) : NONE;
    this.add(row.day, Number(row.amount_minor), decoded(hashes.slice(0, HASH_CHARS)), reference, row.line);
    if (balance !== undefined) this.balances[this.length - 1] = Number.parseInt(balance, RADIX);
  }

  /**
   * Returns the identity under which a line of a file is stored: its day and its place in the statement, so that lines of a statement are neighbors in
   * the index, in the order of the bank; its hashes; and the balance before it.
   */
  identityOf(index: number, day: string, statementId: string): string {
    const reference = this.references[index] as number;
    const rank = this.#ranks?.[index] ?? index;
    const place = `${statementId.slice(-10)}${rank.toString(RADIX).padStart(RANK_CHARS, '0')}`;
    const hashes = `${encoded(this.texts[index] as number)}${reference === NONE ? '' : encoded(reference)}`;
    return `${day}.${place}.${hashes}${this.#ranks === null ? '' : `.${(this.balances[index] as number).toString(RADIX)}`}`;
  }
}

/** Returns the place of a stored line in its statement; null for a line of an earlier version. */
export function rankOf(identity: string): number | null {
  const [, place, , balance] = identity.split('.');
  return balance === undefined ? null : Number.parseInt((place as string).slice(-RANK_CHARS), RADIX);
}
