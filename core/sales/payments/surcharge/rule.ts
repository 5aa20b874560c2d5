import { countryLimit, postalCodeLimit, type StateLimit, schemeLimit, stateLimit } from '#shared/surcharge-limits';
import type { Funding, SurchargeReason } from './records.ts';

/** Facts that decide about the surcharge of a payment. */
export interface SurchargeFacts {
  /** Percentage of the merchant's rule; 0 for none. */
  readonly percent: number;
  /** `limits`: the caller's own data decide which cards are credit cards; only the limits apply. */
  readonly check: 'rule' | 'limits';
  /** Fee of a card payment for the merchant, in percent. */
  readonly costPercent: number;
  readonly country: string;
  readonly state: string | null;
  /** Null for a bank account. */
  readonly card: { readonly brand: string; readonly funding: Funding } | null;
  /** Address of the payer, as far as it is known. */
  readonly payer: { readonly state?: string; readonly zip?: string };
  /** True if the payer is certainly elsewhere, so that the payer's state must be known. A state that is given must always be known. */
  readonly isRemote: boolean;
}

/** Percentage that a surcharge may have. `reason` is null unless it is 0. */
export interface AllowedSurcharge {
  readonly percent: number;
  readonly reason: SurchargeReason | null;
}

const FUNDING_REASONS = { debit: 'debit_card', prepaid: 'prepaid_card', unknown: 'card_type_unknown' } as const;

/**
 * Returns the percentage that a surcharge may have: the lowest one of the merchant's rule, the merchant's card fee, the limit of the card scheme, and
 * the limits where the merchant and the payer are. A limit of 0 forbids it.
 */
export function allowedSurcharge(facts: SurchargeFacts): AllowedSurcharge {
  const { card, country, check, costPercent, percent } = facts;
  const refused = (reason: SurchargeReason): AllowedSurcharge => ({ percent: 0, reason });
  if (check === 'rule' && percent === 0) return refused('no_rule');
  if (card === null) return refused('bank_account');
  if (card.funding !== 'credit' && !(card.funding === 'unknown' && check === 'limits')) return refused(FUNDING_REASONS[card.funding]);
  const inCountry = countryLimit(country);
  if (inCountry === null) return refused('country');
  const merchantState = stateLimit(country, facts.state);
  if (merchantState === null) return refused('merchant_state_unknown');
  if (merchantState.percentMax === 0) return refused('merchant_state');
  const payerState = payerLimit(facts);
  if (payerState === null && (facts.isRemote || facts.payer.state?.trim())) return refused('payer_state_unknown');
  if (payerState?.percentMax === 0) return refused('payer_state');
  const limits = [costPercent, schemeLimit(card.brand), inCountry, merchantState.percentMax, payerState?.percentMax ?? inCountry];
  const allowed = Math.min(...limits, ...(check === 'rule' ? [percent] : []));
  return allowed > 0 ? { percent: allowed, reason: null } : refused('no_card_fee');
}

/** Returns the stricter limit of the payer's state and postal code; null if neither is known. */
function payerLimit({ country, payer }: SurchargeFacts): StateLimit | null {
  const known = [stateLimit(country, payer.state), postalCodeLimit(country, payer.zip)].filter((limit) => limit !== null);
  return known.toSorted((left, right) => left.percentMax - right.percentMax)[0] ?? null;
}

export const REASON_TEXTS: Readonly<Record<SurchargeReason, string>> = {
  no_rule: 'The merchant adds no surcharge.',
  bank_account: 'A surcharge is not allowed on payments from bank accounts.',
  debit_card: 'A surcharge is not allowed on debit cards.',
  prepaid_card: 'A surcharge is not allowed on prepaid cards.',
  card_type_unknown: 'The card is not known to be a credit card, so no surcharge is allowed.',
  country: 'Surcharges are not supported in the country of the merchant.',
  merchant_state_unknown: 'The profile of the merchant has no known state, so no surcharge is allowed.',
  merchant_state: 'The state of the merchant forbids surcharges.',
  payer_state_unknown: 'The state of the payer is not known, so no surcharge is allowed.',
  payer_state: 'The state of the payer forbids surcharges.',
  card_reader: 'This card reader adds no surcharge.',
  no_card_fee: 'The merchant pays no percentage on card payments, so no surcharge is allowed.',
};
