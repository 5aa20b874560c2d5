/** Scheme whose rules apply to a dispute: a card brand, ACH for bank accounts, or `other`. */
export const DISPUTE_SCHEMES = ['visa', 'mastercard', 'amex', 'discover', 'ach', 'other'] as const;
export type DisputeScheme = (typeof DISPUTE_SCHEMES)[number];

/** Kind of a reason, which determines the evidence that helps and the text of the letter. */
export const DISPUTE_CATEGORIES = [
  'fraud',
  'authorization',
  'duplicate',
  'amount',
  'processing',
  'not_received',
  'not_as_described',
  'cancelled_recurring',
  'cancelled',
  'credit_not_processed',
  'general',
] as const;
export type DisputeCategory = (typeof DISPUTE_CATEGORIES)[number];

/** Reason code of a scheme. */
export interface DisputeReason {
  readonly scheme: DisputeScheme;
  readonly code: string;
  readonly name: string;
  /** Claim of the payer or bank, in one plain sentence. */
  readonly description: string;
  readonly category: DisputeCategory;
}

type Entry = readonly [code: string, category: DisputeCategory, name: string, description: string];

export const reasonsOf = (scheme: DisputeScheme, entries: readonly Entry[]): readonly DisputeReason[] =>
  entries.map(([code, category, name, description]) => ({ scheme, code, name, description, category }));
