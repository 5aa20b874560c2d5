import { redactLongNumbers } from '#shared/card-numbers';

/** Characters that can separate the groups of a number invisibly: line ends, control and format characters, and all kinds of spaces. */
const BLANKS = /[\s\p{Cc}\p{Cf}]+/gu;
const REASON_MAX = 200;
/** Length of the beginning of a text that is read. Longer texts would keep the server busy. */
const READ_MAX = 65_536;

/** Returns a text of a processor that is safe to store: shortened, without control characters, card numbers or the given secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let redacted = text.slice(0, READ_MAX);
  // The longest first: one may be part of another.
  for (const secret of secrets.toSorted((one, other) => other.length - one.length))
    if (secret !== '') redacted = redacted.replaceAll(secret, '[redacted]');
  return redactLongNumbers(redacted.replace(BLANKS, ' ')).trim().slice(0, REASON_MAX);
}
