/** Fields of a resource by name, as an audit entry shows them. */
export type Fields = Readonly<Record<string, unknown>>;

const SECRET =
  /pass(word|phrase)|secret|credential|authorization|cvv|security.?code|(^|_)hash$|^(card|account)?_?number$|refresh.?token|access.?token|^key$/i;
/** Matches texts that need a closer look. Most entries have neither such a name nor a long number. */
const SUSPECT = /pass|secret|credential|authorization|cvv|code"|hash|number"|token"|"key"|\d(?:[ -]?\d){11}/i;
const LONG_NUMBER = /\b\d(?:[ -]?\d){11,18}\b/g;
const TEXT_MAX = 500;

const AGENT_MAX = 300;

/** Returns a user agent as an entry keeps it: at most 300 characters, without control characters and numbers of the length of a card number. */
export function maskedAgent(agent: string | null | undefined): string | null {
  if (!agent) return null;
  return agent
    .replace(/\p{Cc}/gu, '')
    .replace(LONG_NUMBER, '[number]')
    .slice(0, AGENT_MAX);
}

/** The fields that differ, as they were and as they are; both null where nothing does. */
export function difference(before: Fields | null, after: Fields | null): { before: Fields | null; after: Fields | null } {
  if (before === null || after === null) return { before, after };
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  if (names.length === 0) return { before: null, after: null };
  const pick = (of: Fields) => Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** The second net under every entry: names that sound of a secret, and texts of the shape of a card number, never get in. */
export function textOf(fields: Fields | null): string | null {
  if (fields === null) return null;
  const plain = JSON.stringify(fields);
  if (plain.length <= TEXT_MAX && !SUSPECT.test(plain)) return plain;
  return JSON.stringify(fields, (name, value: unknown) => {
    if (name !== '' && SECRET.test(name)) return undefined;
    if (typeof value !== 'string') return value;
    const text = value.replace(LONG_NUMBER, '[number]');
    return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
  });
}
