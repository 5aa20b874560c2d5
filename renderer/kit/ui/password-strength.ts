/** Minimum password length of the service. */
export const PASSWORD_LENGTH_MIN = 12;

export type Strength = 'empty' | 'short' | 'weak' | 'fair' | 'strong';

const POOLS: readonly (readonly [RegExp, number])[] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^a-zA-Z\d]/, 33],
];
const FAIR_BITS = 50;
const STRONG_BITS = 70;
const COMMON_WORDS = /password|passwort|qwerty|azerty|asdf|letmein|welcome|paydesk|admin|secret|iloveyou|abc123|changeme/gi;

/** Estimates the strength of a password. Repetitions, sequences, common passwords and known words about the user count little. */
export function strengthOf(password: string, knownWords: readonly string[]): Strength {
  if (password === '') return 'empty';
  if (password.length < PASSWORD_LENGTH_MIN) return 'short';
  const known = knownWords.flatMap((word) => word.toLowerCase().split(/[^a-z0-9]+/)).filter((word) => word.length > 3);
  let rest = password.replace(COMMON_WORDS, '*');
  for (const word of known) rest = rest.replaceAll(new RegExp(word, 'gi'), '*');
  const pool = POOLS.reduce((sum, [pattern, size]) => sum + (pattern.test(rest) ? size : 0), 0);
  const bits = countUnpredictable(rest) * Math.log2(Math.max(pool, 2));
  return bits >= STRONG_BITS ? 'strong' : bits >= FAIR_BITS ? 'fair' : 'weak';
}

/** Counts the characters that do not continue a repetition or sequence: "aaaa" and "1234" count as one each. */
function countUnpredictable(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const stepNow = text.charCodeAt(at) - text.charCodeAt(at - 1);
    const stepBefore = text.charCodeAt(at - 1) - text.charCodeAt(at - 2);
    const follows = at >= 2 && stepNow === stepBefore && Math.abs(stepNow) <= 1;
    if (!follows) count += 1;
  }
  return count;
}
