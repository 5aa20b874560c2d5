import { redactLongNumbers } from '#shared/card-numbers';

/** Characters that can separate the groups of a number invisibly: line ends, control and format characters, and all kinds of spaces. */
const BLANKS = /[\s\p{Cc}\p{Cf}]+/gu;
const REASON_MAX = 200;

/** A text of a processor's, safe to keep: cut, without control characters, card-shaped numbers or any of the given secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  // The longest first: one may be part of another.
  for (const secret of secrets.toSorted((one, other) => other.length - one.length))
    if (secret !== '') clean = clean.replaceAll(secret, '[redacted]');
  return redactLongNumbers(clean.replace(BLANKS, ' ')).trim().slice(0, REASON_MAX);
}
