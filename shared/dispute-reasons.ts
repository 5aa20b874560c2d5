import { ACH_REASONS } from './dispute-reasons/ach.ts';
import { AMEX_REASONS } from './dispute-reasons/amex.ts';
import { DISCOVER_REASONS } from './dispute-reasons/discover.ts';
import { MASTERCARD_REASONS } from './dispute-reasons/mastercard.ts';
import { DISPUTE_CATEGORIES, type DisputeCategory, type DisputeReason, type DisputeScheme } from './dispute-reasons/reason.ts';
import { VISA_REASONS } from './dispute-reasons/visa.ts';

export {
  DISPUTE_CATEGORIES,
  DISPUTE_SCHEMES,
  type DisputeCategory,
  type DisputeReason,
  type DisputeScheme,
} from './dispute-reasons/reason.ts';

/** Every reason code, by scheme. */
export const DISPUTE_REASONS: readonly DisputeReason[] = [
  ...VISA_REASONS,
  ...MASTERCARD_REASONS,
  ...AMEX_REASONS,
  ...DISCOVER_REASONS,
  ...ACH_REASONS,
];

const BY_CODE = new Map(DISPUTE_REASONS.map((reason) => [`${reason.scheme}/${reason.code.toLowerCase()}`, reason]));

/** Codes that acquirers abbreviate. */
const SHORT_CODES: ReadonlyMap<string, string> = new Map([['12.6', '12.6.1']]);

/** Returns the scheme of a payment by its brand; null stands for a bank account. */
export function schemeOf(brand: string | null): DisputeScheme {
  if (brand === null) return 'ach';
  return brand === 'visa' || brand === 'mastercard' || brand === 'amex' || brand === 'discover' ? brand : 'other';
}

/** Returns the reason of a code in a scheme; null for an unknown code. */
export function findReason(scheme: DisputeScheme, code: string): DisputeReason | null {
  const trimmed = code.trim();
  return BY_CODE.get(`${scheme}/${(SHORT_CODES.get(trimmed) ?? trimmed).toLowerCase()}`) ?? null;
}

const isCategory = (text: string): text is DisputeCategory => (DISPUTE_CATEGORIES as readonly string[]).includes(text);

/** Returns the category of a dispute: that of its code, or the one that its reason names, as `not_received`. */
export function categoryOf(scheme: DisputeScheme, reasonCode: string | null, reason: string): DisputeCategory {
  const known = reasonCode === null ? null : findReason(scheme, reasonCode);
  if (known) return known.category;
  if (reason === 'fraudulent') return 'fraud';
  return isCategory(reason) ? reason : 'general';
}
