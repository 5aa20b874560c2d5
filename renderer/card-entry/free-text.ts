import cardValidator from 'card-validator';

const SHORTEST = 13;
const LONGEST = 19;
const DIGITS = /[0-9\uff10-\uff19]+/g;
const RUN = /[0-9\uff10-\uff19](?:[\s\p{Pd}\p{Cf}]?[0-9\uff10-\uff19]){12,}/gu;
const IDENTIFIER = /(?<![\p{L}\p{N}])(?=[0-9-]*[a-f])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{24,})(?![\p{L}\p{N}])/giu;
const PHONE_NUMBER = /^\s*\+[1-9][\d\s().-]{6,20}$/;
/** Visa numbers of thirteen digits are no longer issued, so the table of ranges does not have them. */
const OLD_VISA = /^4\d{12}$/;

/**
 * Returns true if free text contains a card number, by the rule of the service: 13 to 19 digits, with optional single spaces or hyphens, whose check
 * digit is right and that are in a known card range. UUIDs and long hexadecimal identifiers contain none.
 */
export function holdsCardNumber(text: string): boolean {
  return [...text.replace(IDENTIFIER, ' - ').matchAll(RUN)].some(([run]) => {
    const groups = (run.match(DIGITS) ?? []).map((group) => group.normalize('NFKC'));
    return groups.some((_, first) => startsCardNumber(groups.slice(first)));
  });
}

/** Returns true if the field is for free text and contains a card number. Fields for numbers, phone numbers and passwords are not for free text. */
export function isCardNumberInFreeText(field: Pick<HTMLInputElement, 'type' | 'inputMode' | 'value'>): boolean {
  const isNumeric = field.inputMode === 'numeric' || field.inputMode === 'decimal';
  const isText = ['text', 'textarea', 'search', 'email', 'url', ''].includes(field.type);
  return isText && !isNumeric && !PHONE_NUMBER.test(field.value) && holdsCardNumber(field.value);
}

function startsCardNumber(groups: readonly string[]): boolean {
  let digits = '';
  for (const group of groups) {
    digits += group;
    if (digits.length > LONGEST) return false;
    if (digits.length >= SHORTEST && isCardNumber(digits)) return true;
  }
  return false;
}

function isCardNumber(digits: string): boolean {
  return OLD_VISA.test(digits) ? hasRightCheckDigit(digits) : cardValidator.number(digits, { luhnValidateUnionPay: true }).isValid;
}

function hasRightCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
