import type { ImportRecord, Reason } from './files/index.ts';
import type { Counts, LineAction, SharedCards, UnreadableCards } from './records.ts';

/** A stored method with the number of a record. */
interface KnownMethod {
  readonly customerId: string;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
  readonly networkTransactionId: string | null;
}

/** Stored customers and methods that a record meets. */
export interface Known {
  /** The customer of the record, by its identifier or by its email address and name; null if it is new. */
  readonly customerId: string | null;
  /** Methods of the merchant with the same number. */
  readonly methods: readonly KnownMethod[];
}

/** Earlier lines of the same file that a record meets, for a dry run. */
interface InFile {
  /** Line that creates or changes the same customer; null if there is none. */
  readonly customerLine: number | null;
  /** Line with the same number. */
  readonly cardLine: { readonly line: number; readonly isSameCustomer: boolean } | null;
}

export const NOTHING_IN_FILE: InFile = { customerLine: null, cardLine: null };

/** Decisions of the shop for a whole import. */
interface Choice {
  readonly sharedCards: SharedCards;
  readonly unreadableCards: UnreadableCards;
}
export const NO_CHOICE: Choice = { sharedCards: 'skip', unreadableCards: 'skip' };

/** Effect of a line. */
export interface Decision {
  readonly action: LineAction;
  /** Customer or line that explains a duplicate or a shared card. */
  readonly reference: string | null;
}

/**
 * Decides what an import does with a record. Fields of existing customers are never changed; only payment methods and identifiers are added. A
 * number that another customer has, or that cannot be read, is a decision of the shop.
 */
export function decide(record: ImportRecord, known: Known, inFile: InFile, choice: Choice): Decision {
  const { customerId } = known;
  if (record.isMethodUnreadable && choice.unreadableCards === 'skip') return { action: 'rejected', reference: null };
  const exists = customerId !== null || inFile.customerLine !== null;
  const earlier = customerId ?? lineText(inFile.customerLine);
  if (record.source === null) return exists ? { action: 'duplicate', reference: earlier } : { action: 'create', reference: null };
  const own = known.methods.find((method) => method.customerId === customerId);
  if (own) return { action: renews(record, own) ? 'update' : 'duplicate', reference: customerId };
  if (inFile.cardLine?.isSameCustomer) return { action: 'duplicate', reference: lineText(inFile.cardLine.line) };
  const shared = known.methods[0]?.customerId ?? lineText(inFile.cardLine?.line ?? null);
  if (shared !== null && choice.sharedCards === 'skip') return { action: 'shared', reference: shared };
  return exists ? { action: 'update', reference: earlier } : { action: 'create', reference: null };
}

const lineText = (line: number | null) => (line === null ? null : `line ${line}`);

/** Returns true if a record has a later expiry than the stored method, or a reference of the network that it lacks. */
function renews({ source, networkTransactionId }: ImportRecord, own: KnownMethod): boolean {
  if (networkTransactionId !== null && own.networkTransactionId === null) return true;
  if (source?.kind !== 'card') return false;
  return `${source.expiryYear}-${source.expiryMonth}` > `${own.expiryYear}-${own.expiryMonth}`;
}

/** No lines of any action. */
export const NO_COUNTS: Counts = { create: 0, update: 0, duplicate: 0, shared: 0, rejected: 0 };

export const countsFrom = (text: string): Counts => ({ ...NO_COUNTS, ...(JSON.parse(text) as Partial<Counts>) });
/** Returns true if lines with this action create or change a customer. */
export const isImporting = (action: LineAction) => action === 'create' || action === 'update';
/** Returns the number of lines that created or changed a customer. */
export const importedOf = ({ create, update }: Counts) => create + update;
export const withOneMore = (counts: Counts, action: LineAction): Counts => ({ ...counts, [action]: counts[action] + 1 });

/** Reason that a report shows for a line; `failed` if it could not be imported for another reason outside of the file. */
export type LineReason = Reason | 'customer_deleted' | 'failed';
