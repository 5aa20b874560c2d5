/** Digits of a number as invoices show it: INV-000123. */
const DIGITS = 6;
const PREFIX = String.raw`INV(?:OICES?)?(?:\s*(?:NUMBERS?|NOS?|NR))?[\s.:#-]*`;
/** A number with its prefix, and further ones after a comma, slash or plus sign. Letters that look like digits are read as digits. */
const PREFIXED = new RegExp(String.raw`${PREFIX}((?=[OILSB]*\d)[\dOILSB]{1,12}(?:\s*[,;/&+]\s*(?:${PREFIX})?\d{1,9}(?!\d))*)`, 'g');
const BROKEN = /INV(?:OICE)?(?:NUMBER|NO|NR)?(\d{6})/g;
const BARE = /(?<![\d.,])\d{1,9}(?![\d.,]?\d)/g;
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', S: '5', B: '8' };

/** Numbers of invoices in the text of a bank line. */
export interface FoundNumbers {
  /** Runs of digits after the prefix of invoices, as they stand. */
  readonly prefixed: readonly string[];
  /** Other runs of digits, which may be anything. */
  readonly bare: readonly number[];
}

/** Finds what can be numbers of invoices. `compact` is the text in capitals without spaces, in which banks cannot break a number. */
export function numbersIn(text: string, compact: string): FoundNumbers {
  const capitals = text.toUpperCase();
  const prefixed: string[] = [];
  for (const [, list = ''] of capitals.matchAll(PREFIXED))
    for (const run of list.match(/[\dOILSB]+(?![A-Z])/g) ?? []) {
      const digits = run.replaceAll(/[OILSB]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
      if (/^\d+$/.test(digits)) prefixed.push(digits);
    }
  // A number that begins with zeros has six digits: a shorter one was broken, and a longer one may touch other digits.
  if (prefixed.some((run) => run.startsWith('0') && run.length !== DIGITS))
    for (const [, run = ''] of compact.matchAll(BROKEN)) prefixed.push(run);
  const bare = prefixed.length > 0 ? [] : (capitals.match(BARE) ?? []).map(Number).filter((number) => number > 0);
  return { prefixed: [...new Set(prefixed)], bare: [...new Set(bare)] };
}

/** Returns true if a run of digits can be a whole number: numbers are padded to six digits, or written without zeros before them. */
export const isWhole = (run: string): boolean => !run.startsWith('0') || run.length === DIGITS;

/** Returns the numbers that differ from a run of digits by one typing error: a wrong, missing or additional digit, or two that are exchanged. */
export function misspelled(run: string): ReadonlySet<number> {
  const padded = run.length < DIGITS - 1 ? run.padStart(DIGITS, '0') : run;
  const numbers = new Set<number>();
  const add = (digits: string) => numbers.add(Number(digits));
  for (let at = 0; at < padded.length; at += 1) {
    const [before, digit, after] = [padded.slice(0, at), padded.charAt(at), padded.slice(at + 1)];
    if (padded.length > DIGITS) add(before + after);
    for (let other = 0; other <= 9; other += 1) {
      add(`${before}${other}${after}`);
      if (padded.length < DIGITS) add(`${before}${other}${digit}${after}`);
    }
    if (after !== '') add(`${before}${after.charAt(0)}${digit}${after.slice(1)}`);
  }
  numbers.delete(Number(run));
  numbers.delete(0);
  return numbers;
}
