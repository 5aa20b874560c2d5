import type { SuggestionReason } from '../records.ts';
import type { PartKind } from '../schema.ts';

/** An open bank line. Amounts are the unmatched parts, in minor units. */
export interface OpenLine {
  readonly id: string;
  readonly day: string;
  /** Debits are negative. */
  readonly minor: number;
  readonly text: string;
}

/** A part of a suggestion, in the form in which a match is requested. */
export interface SuggestedPart {
  readonly kind: PartKind;
  readonly payoutId?: string;
  readonly invoiceId?: string;
  readonly shiftId?: string;
  readonly tenderId?: string;
  readonly refundId?: string;
  readonly minor: number;
  readonly withheld?: number;
}

/**
 * Finding for a line. `duplicate` (another line or match has the payout or the invoice already) and `amount_differs` (the line names a payout of another
 * amount) need a decision, and have no parts. All others have parts that a person can accept.
 */
export interface Suggestion {
  readonly reason: SuggestionReason;
  readonly parts: readonly SuggestedPart[];
  /** Payouts that the line names. */
  readonly payoutIds?: readonly string[];
  /** Invoices that the line names. */
  readonly invoiceIds?: readonly string[];
  readonly ruleId?: string;
  /** The other line of a duplicate; absent if it was matched before. */
  readonly lineId?: string;
  /** True if other payouts, invoices or deposits would fit as well. */
  readonly isAmbiguous?: boolean;
}

/**
 * Payouts, invoices, deposits and refunds, by their IDs, of which a part is suggested for a line that is not computed again: that line, and the part.
 * Amounts are in minor units.
 */
export type Held = ReadonlyMap<string, { readonly lineId: string; readonly minor: number }>;

/** Returns what suggestions, by the ID of their line, hold. */
export function heldBy(suggestions: ReadonlyMap<string, Suggestion>): Held {
  const held = new Map<string, { readonly lineId: string; readonly minor: number }>();
  for (const [lineId, { parts }] of suggestions)
    for (const { payoutId, invoiceId, shiftId, tenderId, refundId, minor } of parts) {
      const id = payoutId ?? invoiceId ?? shiftId ?? tenderId ?? refundId;
      if (id !== undefined) held.set(id, { lineId, minor: minor + (held.get(id)?.minor ?? 0) });
    }
  return held;
}
