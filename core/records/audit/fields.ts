/** Fields of a resource by name, as an audit entry shows them. */
export type Fields = Readonly<Record<string, unknown>>;

const SECRET =
  /pass(word|phrase)|secret|credential|authorization|cvv|security.?code|(^|_)hash$|^(card|account)?_?number$|refresh.?token|access.?token|^key$/i;
/** Matches JSON that may contain a secret or a card number. Most entries do not, so they are stored without a second pass. */
const NEEDS_MASKING = /pass|secret|credential|authorization|cvv|code"|hash|number"|token"|"key"|\d(?:[ -]?\d){11}/i;
const LONG_NUMBER = /\b\d(?:[ -]?\d){11,18}\b/g;
const TEXT_MAX = 500;

const USER_AGENT_MAX = 300;

/** Returns a user agent as an entry stores it: at most 300 characters, without control characters and numbers of the length of a card number. */
export function maskUserAgent(userAgent: string | null | undefined): string | null {
  if (!userAgent) return null;
  return userAgent
    .replace(/\p{Cc}/gu, '')
    .replace(LONG_NUMBER, '[number]')
    .slice(0, USER_AGENT_MAX);
}

/** Returns the fields that differ, before and after a change; both null if none does. */
export function difference(before: Fields | null, after: Fields | null): { before: Fields | null; after: Fields | null } {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (names.length === 0) return { before: null, after: null };
  const pick = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Returns the fields as JSON. As a second safeguard, it leaves out fields with the name of a secret and masks numbers of the length of a card number. */
export function toMaskedJson(fields: Fields | null): string | null {
  if (fields === null) return null;
  const plain = JSON.stringify(fields);
  if (plain.length <= TEXT_MAX && !NEEDS_MASKING.test(plain)) return plain;
  return JSON.stringify(fields, (name, value: unknown) => {
    if (name !== '' && SECRET.test(name)) return undefined;
    if (typeof value !== 'string') return value;
    const text = value.replace(LONG_NUMBER, '[number]');
    return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  });
}
