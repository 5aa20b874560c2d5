import { SANDBOX_CARDS } from '#core/processing/gateways';

/** Names of the approved test cards; every other test card is named after its outcome. */
const APPROVED: Readonly<Record<string, string>> = {
  '4111111111111111': 'visa',
  '4242424242424242': 'visa-2',
  '5555555555554444': 'mastercard',
  '378282246310005': 'amex',
  '6011111111111117': 'discover',
};

const CARD_NAMES = new Map(Object.entries(SANDBOX_CARDS).map(([number, outcome]) => [number, APPROVED[number] ?? outcome]));
const CARD_NUMBERS = new Map([...CARD_NAMES].map(([number, name]) => [name, number]));
const CODE_NAMES = new Map([
  ['901', 'no-match'],
  ['903', 'unsupported'],
  ['904', 'not-processed'],
  ['123', 'match'],
]);
const CODES = new Map([...CODE_NAMES].map(([code, name]) => [name, code]));

const CARD_FIELDS = new Set(['cardNumber', 'CardNumber', 'number']);
const CODE_FIELDS = new Set(['cvv', 'CVV', 'Cvv']);
const ACCOUNT_FIELDS = new Set(['accountNumber', 'AccountNumber']);

/** Returns true for the fields whose values are stored by name: card numbers, security codes and account numbers. */
export const isNamedField = (field: string) => CARD_FIELDS.has(field) || CODE_FIELDS.has(field) || ACCOUNT_FIELDS.has(field);

/** Returns the name of a card number, a security code or an account number by its field: `$card(visa)`, `$cvv(match)`, `$account(6789)`. */
export function nameOfTestData(field: string, value: string): string {
  const digits = value.replaceAll(/[\s-]/g, '');
  if (CARD_FIELDS.has(field)) return `$card(${CARD_NAMES.get(digits) ?? nameOfOtherCard(digits)})`;
  if (CODE_FIELDS.has(field)) return `$cvv(${nameOfCode(digits)})`;
  return `$account(${/^\d{4,17}$/.test(digits) ? digits.slice(-4) : 'invalid'})`;
}

/** Returns the value for a name. @throws Error for an unknown name. */
export function testDataOf(name: string): string {
  const [, kind, text = ''] = /^\$(card|cvv|account)\(([\w-]+)\)$/.exec(name) ?? [];
  const value = kind === 'card' ? cardOf(text) : kind === 'cvv' ? codeOf(text) : kind === 'account' ? accountOf(text) : undefined;
  if (value === undefined) throw new Error(`\`${name.slice(0, 60)}\` is not a test card, security code or account.`);
  return value;
}

/** Names a number that is not in the table by its length, its first digit and its last four. The sandbox approves all of them. */
function nameOfOtherCard(digits: string): string {
  return /^\d{14,19}$/.test(digits) && hasCheckDigit(digits)
    ? `other-${digits.length}-${digits.slice(0, 1)}-${digits.slice(-4)}`
    : 'invalid';
}

function cardOf(name: string): string | undefined {
  const known = CARD_NUMBERS.get(name);
  if (known !== undefined) return known;
  if (name === 'invalid') return '4111111111111112';
  const [, length, first, last4] = /^other-(\d\d)-(\d)-(\d{4})$/.exec(name) ?? [];
  if (length === undefined || first === undefined || last4 === undefined) return undefined;
  const zeros = '0'.repeat(Math.max(0, Number(length) - 6));
  return Array.from({ length: 10 }, (_, digit) => `${first}${zeros}${digit}${last4}`).find(hasCheckDigit);
}

function nameOfCode(digits: string): string {
  if (!/^\d{3,4}$/.test(digits)) return 'invalid';
  const name = CODE_NAMES.get(digits.slice(-3)) ?? 'match';
  return digits.length === 4 ? `${name}-4` : name;
}

function codeOf(name: string): string | undefined {
  if (name === 'invalid') return '1';
  const code = CODES.get(name.replace(/-4$/, ''));
  return code !== undefined && name.endsWith('-4') ? `1${code}` : code;
}

const accountOf = (name: string) => (name === 'invalid' ? '1' : /^\d{4}$/.test(name) ? `12345${name}` : undefined);

/** Returns true if the last digit is the check digit of the others (Luhn). */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, index) => {
    const value = index % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
