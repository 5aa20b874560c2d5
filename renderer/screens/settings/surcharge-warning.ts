import { countryLimit, stateLimit } from '#shared/surcharge-limits';

/** Returns the reason for which the place of a merchant forbids or limits surcharges; null if the percentage is allowed there. */
export function surchargeWarning(place: { readonly country: string; readonly state: string | null }, percent: number): string | null {
  if (percent === 0) return null;
  if (countryLimit(place.country) === null) return 'Surcharges are not supported in the country of this business, so none is added.';
  const limit = stateLimit(place.country, place.state);
  if (limit === null) return 'The state in your profile is missing or unknown, so no surcharge is added. Enter it in Settings, Profile.';
  if (limit.percentMax === 0) return `${limit.state} forbids surcharges, so none is added.`;
  return limit.percentMax < percent ? `${limit.state} limits surcharges to ${limit.percentMax}%, so at most that is added.` : null;
}
