import { t } from '#renderer/base/language';
import { countryLimit, stateLimit } from '#shared/surcharge-limits';

/** Returns the reason for which the place of a merchant forbids or limits surcharges; null if the percentage is allowed there. */
export function surchargeWarning(place: { readonly country: string; readonly state: string | null }, percent: number): string | null {
  if (percent === 0) return null;
  if (countryLimit(place.country) === null) return t('Surcharges are not supported in the country of this business, so none is added.');
  const limit = stateLimit(place.country, place.state);
  if (limit === null) return t('The state in your profile is missing or unknown, so no surcharge is added. Enter it in Settings, Profile.');
  if (limit.percentMax === 0) return t('{{state}} forbids surcharges, so none is added.', { state: limit.state });
  return limit.percentMax < percent
    ? t('{{state}} limits surcharges to {{percent}}%, so at most that is added.', { state: limit.state, percent: limit.percentMax })
    : null;
}
