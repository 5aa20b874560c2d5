import validator from 'card-validator';

const SHORTEST = 13;
const LONGEST = 19;
const DIGITS = /[0-9\uff10-\uff19]+/g;
/** Enough digits for a card number, with at most one space or hyphen between any two. Letters may touch the run. */
const RUN = /[0-9\uff10-\uff19](?:[\s\p{Pd}\p{Cf}]?[0-9\uff10-\uff19]){12,}/gu;
const HAS_RUN = new RegExp(RUN.source, 'u');
/** UUIDs and long hexadecimal identifiers: by chance, one in some thousands contains digits that look like a card number. */
const IDENTIFIER = /((?<![\p{L}\p{N}])(?=[0-9-]*[a-f])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,})(?![\p{L}\p{N}]))/iu;
/** Visa numbers of thirteen digits are no longer issued, so the table of ranges does not have them. */
const OLD_VISA = /^4\d{12}$/;
/** Larger whole numbers have more digits than any card number. */
const INTEGER_MAX = 10 ** LONGEST;

/**
 * Returns true if free text contains a card number: 13 to 19 digits, with optional single spaces or hyphens, whose check digit is right and that
 * are in a known card range. A number starts and ends with a whole group of digits, so a longer number does not contain a card number; nor does a
 * UUID or a hexadecimal identifier of 24 or more characters.
 */
export function holdsCardNumber(text: string): boolean {
  return text.length >= SHORTEST && HAS_RUN.test(text) && maskCardNumbers(text) !== text;
}

/** Returns true if a JSON number is a card number. */
export function isCardInteger(value: number): boolean {
  return Number.isInteger(value) && value >= 10 ** (SHORTEST - 1) && value < INTEGER_MAX && isCardNumber(BigInt(value).toString());
}

/** Returns free text with each card number reduced to its last four digits: "card ****1111". */
export function maskCardNumbers(text: string): string {
  if (text.length < SHORTEST) return text;
  // Every second part is an identifier.
  const parts = text.split(IDENTIFIER);
  return parts.map((part, at) => (at % 2 === 1 ? part : part.replace(RUN, maskRun))).join('');
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly digits: string;
}

function maskRun(run: string): string {
  const groups = [...run.matchAll(DIGITS)].map(
    (match): Group => ({ from: match.index, to: match.index + match[0].length, digits: match[0].normalize('NFKC') }),
  );
  let masked = '';
  let copiedTo = 0;
  for (let first = 0; first < groups.length; first += 1) {
    const found = cardNumberFrom(groups, first);
    if (found === null) continue;
    masked += `${run.slice(copiedTo, groups[first]?.from)}****${found.digits.slice(-4)}`;
    copiedTo = groups[found.last]?.to ?? run.length;
    first = found.last;
  }
  return masked + run.slice(copiedTo);
}

/** The longest card number that starts with a group, or null. */
function cardNumberFrom(groups: readonly Group[], first: number): { digits: string; last: number } | null {
  let digits = '';
  let found: { digits: string; last: number } | null = null;
  for (let last = first; last < groups.length && digits.length < LONGEST; last += 1) {
    digits += groups[last]?.digits;
    if (isCardNumber(digits)) found = { digits, last };
  }
  return found;
}

function isCardNumber(digits: string): boolean {
  if (digits.length < SHORTEST || digits.length > LONGEST) return false;
  if (OLD_VISA.test(digits)) return hasRightCheckDigit(digits);
  return validator.number(digits, { luhnValidateUnionPay: true }).isValid;
}

function hasRightCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
