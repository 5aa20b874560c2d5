/** Returns the system's time zone. */
export function systemTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns all time zones, always including UTC and the system's own. */
export function timeZones(): string[] {
  return [...new Set([systemTimeZone(), 'UTC', ...Intl.supportedValuesOf('timeZone')])];
}
