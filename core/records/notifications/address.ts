import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isEmailAddress, ServiceError } from '#core/kernel';
import type { Channel } from './schema.ts';

const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * Returns a phone number as `+12075550142`. A number without a country code is read as a number of `country`; `00` and `011`
 * are the prefixes of international calls. Null if it is not a phone
 * number.
 */
export function toE164(text: string, country?: string): string | null {
  const known = country !== undefined && isSupportedCountry(country) ? (country as CountryCode) : undefined;
  const international = text.trim().replace(/^(?:00|011)(?=[\s-]*[1-9])/, '+');
  const parsed = parsePhoneNumberFromString(international.slice(0, 60), known);
  return parsed?.isPossible() ? parsed.number : null;
}

/** Returns the normalized recipient of a channel. @throws ServiceError INVALID_EMAIL, INVALID_PHONE (E.164 only). */
export function recipientOf(channel: Channel, text: string, field: string): string {
  const to = text.trim();
  if (channel === 'email') {
    if (isEmailAddress(to)) return to;
    throw new ServiceError('INVALID_EMAIL', `\`${field}\` must be an email address.`, { field });
  }
  if (E164.test(to) && toE164(to) !== null) return to;
  throw new ServiceError('INVALID_PHONE', `\`${field}\` must be a phone number with its country code, such as +12075550142.`, { field });
}
