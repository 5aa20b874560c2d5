import { addDays, dateIn, startOfDate, type TenantTime, tenantTime } from '#core/kernel';
import type { Merchant } from '#core/processing/merchants';
import { monthsLater } from '#shared/calendar';
import type { GiftCardEntryKind, GiftCardRow, GiftCardStatus } from './schema.ts';

/** Job that expires gift cards. */
export const EXPIRY_JOB = 'gift-cards.expire';

type Zone = Pick<Merchant, 'timezone'>;
/** Settings of the merchant that decide about the last day. */
export type Terms = Pick<Merchant, 'timezone' | 'vtSettings'>;

/** Returns the end of the last day of a card; null if it has none. */
export const endOf = ({ expires_on }: Pick<GiftCardRow, 'expires_on'>, { timezone }: Zone): TenantTime | null =>
  expires_on === null ? null : tenantTime(startOfDate(timezone, addDays(expires_on, 1)));

/** Returns the time at which the job expires a card; null for none. Blocked cards and cards without a balance do not expire. */
export const dueTimeOf = (row: Pick<GiftCardRow, 'status' | 'balance_minor' | 'expires_on'>, zone: Zone): TenantTime | null =>
  row.status === 'active' && row.balance_minor > 0 ? endOf(row, zone) : null;

/** Returns true if the last day of a card has passed, also before the job has expired it. No card expires while the merchant's setting is off. */
export function isPastExpiry(row: GiftCardRow, merchant: Terms, now: TenantTime): boolean {
  const end = merchant.vtSettings.giftCardExpiryMonths === null ? null : endOf(row, merchant);
  return end !== null && now >= end;
}

/** Returns the status of a card at a time: an active card is expired after its last day, also before the job has run. */
export const statusAt = (row: GiftCardRow, merchant: Terms, now: TenantTime): GiftCardStatus =>
  row.status === 'active' && isPastExpiry(row, merchant, now) ? 'expired' : row.status;

/** Kinds of changes that put an amount on a card and start its period again. */
const LOADS: ReadonlySet<GiftCardEntryKind> = new Set(['sold', 'given', 'refunded']);

/** Returns the last day of a card after an amount was put on it. A card that was issued without one keeps none, as do imports and cards of refunds, and no amount brings the day forward. */
export function expiresOnAfter(
  row: GiftCardRow,
  { kind, isNew, hasNoTerms }: { readonly kind: GiftCardEntryKind; readonly isNew: boolean; readonly hasNoTerms: boolean },
  { timezone, vtSettings: { giftCardExpiryMonths: months } }: Terms,
  now: TenantTime,
): string | null {
  if (!LOADS.has(kind)) return row.expires_on;
  if (row.kind === 'store_credit' || months === null || hasNoTerms || (row.expires_on === null && !isNew)) return null;
  const day = monthsLater(dateIn(timezone, now), months);
  return row.expires_on !== null && row.expires_on > day ? row.expires_on : day;
}
