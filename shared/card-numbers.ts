import { cardTypeOf, hasCorrectCheckDigit, UNUSED_LENGTH } from './card-types.ts';

const LONGEST = 19;
/** A digit of any script. */
const DIGIT = '\\p{Nd}';
const DOT = '.\u00b7\u2022\u30fb';
/** Numbers of digits in the groups of printed card numbers. Decimals, dates and addresses of networks have dots too, but other groups. */
const PRINTED_GROUPS: ReadonlySet<string> = new Set(['4-4-4-4', '4-6-5', '4-6-4', '4-4-4-4-3']);
/** Beginning of the decimals of a number, such as "0.". A card number or the part of a longer number before the point is no number with decimals. */
const BEFORE_DECIMALS = /(?<!\p{Nd})\p{Nd}{1,11}\.$/u;
/** Characters before a run of digits that decide whether it is the decimals of a number. */
const DECIMALS_START_MAX = 26;
/** Maestro ranges, the only ones with card numbers of 12 digits. Retrieval references of processors have 12 digits too. */
const MAESTRO_OF_TWELVE = /^(?:5018|5020|5038|5893|6304|6759|676[1-3])/;
/** UUIDs and long hexadecimal identifiers. By chance, one in some thousands contains digits that look like a card number. */
const RANDOM_ID = '(?=[0-9-]*[a-f])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,})';
/** Global IDs of platforms such as "gid://shopify/Order/4503599627370496". */
const PLATFORM_ID = 'gid:\\/\\/[a-z][a-z0-9-]*\\/[a-z]+\\/\\d+';

/** Decides which digits of a text are a card number. */
interface CardNumberRule {
  /** Finds a run of digits and separators that is long enough to contain a card number. */
  readonly run: RegExp;
  /** Finds the units of which a card number consists: groups of digits, or single digits, which also finds a card number inside a longer number. */
  readonly units: RegExp;
  /** Finds identifiers, which are left alone; null if there are none. */
  readonly identifier: RegExp | null;
  /** Leaves the decimals of a number alone. */
  readonly hasDecimals: boolean;
  /** Finds a character between two groups of digits with which only the groups of printed card numbers count; null if there is none. */
  readonly groupSeparator: RegExp | null;
  readonly isCardNumber: (digits: string) => boolean;
}

function ruleOf(options: {
  readonly shortest: number;
  /** Regular expression for characters between two digits. */
  readonly separator: string;
  /** Characters that separate digits only in the groups of printed card numbers. */
  readonly groupSeparators?: string;
  readonly unit: 'group' | 'digit';
  /** Regular expressions of identifiers, which are left alone. */
  readonly identifiers?: readonly string[];
  /** Leaves the decimals of a number alone. */
  readonly hasDecimals: boolean;
  readonly isCardNumber: (digits: string) => boolean;
}): CardNumberRule {
  const { shortest, separator, groupSeparators, unit, identifiers = [], hasDecimals, isCardNumber } = options;
  const between = groupSeparators === undefined ? separator : `(?:${separator}|[${groupSeparators}])`;
  return {
    run: new RegExp(`${DIGIT}(?:${between}${DIGIT}){${shortest - 1},}`, 'gu'),
    units: new RegExp(unit === 'group' ? `${DIGIT}+` : DIGIT, 'gu'),
    identifier: identifiers.length === 0 ? null : new RegExp(`((?<![\\p{L}\\p{N}])(?:${identifiers.join('|')})(?![\\p{L}\\p{N}]))`, 'iu'),
    hasDecimals,
    groupSeparator: groupSeparators === undefined ? null : new RegExp(`[${groupSeparators}]`, 'u'),
    isCardNumber: (digits) =>
      digits.length >= shortest && digits.length <= LONGEST && digits.length !== UNUSED_LENGTH && isCardNumber(digits),
  };
}

/**
 * Text sent by a person or program, in which card numbers are refused: 14 to 19 digits of a known card range with a correct check digit and
 * at most one space or hyphen between two digits, or dots between the groups of a printed card number. This is the strictest rule, because a wrong match would refuse a legitimate order number.
 */
export const SENT_TEXT = ruleOf({
  shortest: 14,
  separator: '[\\s\\p{Pd}\\p{Cf}]?',
  groupSeparators: DOT,
  unit: 'group',
  identifiers: [RANDOM_ID, PLATFORM_ID],
  hasDecimals: true,
  isCardNumber: isOfKnownRange,
});

/**
 * Text that is printed or sent to others. Also finds card numbers inside longer numbers, and with up to three characters between two
 * digits.
 */
export const PRINTED_TEXT = ruleOf({
  shortest: 14,
  separator: '[^\\p{L}\\p{N}]{0,3}',
  unit: 'digit',
  hasDecimals: false,
  isCardNumber: isOfKnownRange,
});

/**
 * An ID of a payment in a settlement file: 12 to 19 digits of a known card range. Processors also number their payments with as many digits, of which one in
 * ten has a correct check digit.
 */
export const FILE_CELL = ruleOf({
  shortest: 12,
  separator: '[\\s\\p{Pd}\\p{Cf}]{0,3}',
  unit: 'group',
  hasDecimals: true,
  isCardNumber: (digits) => (digits.length > 12 || MAESTRO_OF_TWELVE.test(digits)) && isOfKnownRange(digits),
});

/** A line of a log: 12 to 19 digits of a known card range, with single spaces or hyphens, but not in IDs such as those of requests and in decimals of a number. */
export const LOG_LINE = ruleOf({
  shortest: 12,
  separator: '[ -]?',
  unit: 'group',
  identifiers: [RANDOM_ID],
  hasDecimals: true,
  isCardNumber: isOfKnownRange,
});

const LONG_NUMBER = /\p{Nd}(?:[\s\p{Pd}\p{Cf}]{0,3}\p{Nd}){11,}/gu;

/** Returns true if the text has enough digits in a row to contain a card number by the rule. */
export function hasLongNumber(text: string, rule: CardNumberRule = SENT_TEXT): boolean {
  rule.run.lastIndex = 0;
  return rule.run.test(text);
}

/** Returns true if the text contains a card number by the rule. */
export function containsCardNumber(text: string, rule: CardNumberRule = SENT_TEXT): boolean {
  return replaceCardNumbers(text, rule, () => '') !== text;
}

/** Returns the text with each card number reduced to its last four digits: "card ****1111". */
export function maskCardNumbers(text: string, rule: CardNumberRule = SENT_TEXT): string {
  return replaceCardNumbers(text, rule, (digits) => `****${digits.slice(-4)}`);
}

/** Returns the text with "[card number]" in place of each card number. */
export function redactCardNumbers(text: string, rule: CardNumberRule): string {
  return replaceCardNumbers(text, rule, () => '[card number]');
}

/**
 * Returns the text with "[card number]" in place of every run of 12 or more digits, whether or not it is a card number, with up to three spaces or hyphens
 * between two digits. For text that is only shown or stored with a record and does not need its long numbers, such as a processor's message.
 */
export function redactLongNumbers(text: string): string {
  return text.replaceAll(LONG_NUMBER, '[card number]');
}

/** Returns true if a JSON number is a card number by the rule for sent text. */
export function isCardInteger(value: number): boolean {
  return Number.isInteger(value) && value >= 1e13 && value < 1e19 && SENT_TEXT.isCardNumber(BigInt(value).toString());
}

function replaceCardNumbers(text: string, rule: CardNumberRule, replacement: (digits: string) => string): string {
  if (!hasLongNumber(text, rule)) return text;
  const replaceIn = (part: string) =>
    part.replace(rule.run, (run, at: number) => replaceInRun(run, part.slice(Math.max(0, at - DECIMALS_START_MAX), at), rule, replacement));
  if (rule.identifier === null) return replaceIn(text);
  // Every second part is an identifier.
  return text
    .split(rule.identifier)
    .map((part, at) => (at % 2 === 1 ? part : replaceIn(part)))
    .join('');
}

interface Unit {
  readonly from: number;
  readonly to: number;
  readonly digits: string;
}

function replaceInRun(run: string, before: string, rule: CardNumberRule, replacement: (digits: string) => string): string {
  const units = [...run.matchAll(rule.units)].map(
    (match): Unit => ({ from: match.index, to: match.index + match[0].length, digits: asciiDigits(match[0]) }),
  );
  let replaced = '';
  let copiedTo = 0;
  for (let first = 0; first < units.length; first += 1) {
    const found = cardNumberFrom(run, before, units, first, rule);
    if (found === null) continue;
    replaced += `${run.slice(copiedTo, units[first]?.from)}${replacement(found.digits)}`;
    copiedTo = units[found.last]?.to ?? run.length;
    first = found.last;
  }
  return replaced + run.slice(copiedTo);
}

/** Returns the longest card number that starts with a unit, or null. */
function cardNumberFrom(
  run: string,
  before: string,
  units: readonly Unit[],
  first: number,
  rule: CardNumberRule,
): { digits: string; last: number } | null {
  let digits = '';
  let found: { digits: string; last: number } | null = null;
  for (let last = first; last < units.length && digits.length < LONGEST; last += 1) {
    digits += units[last]?.digits;
    if (!rule.isCardNumber(digits) || !hasAllowedGroups(run, units.slice(first, last + 1), rule)) continue;
    // Decimals have no separators, so several groups are none.
    if (rule.hasDecimals && first === last && BEFORE_DECIMALS.test(before + run.slice(0, units[first]?.from))) continue;
    found = { digits, last };
  }
  return found;
}

/** Returns true if no character separates the groups that the rule allows in printed card numbers only, or the groups are those of such a number. */
function hasAllowedGroups(run: string, units: readonly Unit[], { groupSeparator }: CardNumberRule): boolean {
  if (groupSeparator === null || !groupSeparator.test(run.slice(units[0]?.from, units.at(-1)?.to))) return true;
  return PRINTED_GROUPS.has(units.map(({ digits }) => digits.length).join('-'));
}

const ASCII = /^[0-9]*$/;
const ANY_DIGIT = /^\p{Nd}$/u;

/** Returns the digits of any script as 0 to 9. */
function asciiDigits(text: string): string {
  return ASCII.test(text) ? text : Array.from(text, asciiDigit).join('');
}

/** Unicode contains the digits of each script in the order 0 to 9, and some sets of ten without a gap between them. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let zero = code;
  while (ANY_DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}

function isOfKnownRange(digits: string): boolean {
  if (!hasCorrectCheckDigit(digits)) return false;
  return cardTypeOf(digits)?.lengths.includes(digits.length) === true;
}
