const BRANDS: Readonly<Record<string, string>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  mc: 'mastercard',
  amex: 'amex',
  americanexpress: 'amex',
  discover: 'discover',
  diners: 'diners',
  jcb: 'jcb',
};
const BRANDS_BY_DIGIT: Readonly<Record<string, string>> = { 3: 'amex', 4: 'visa', 5: 'mastercard', 6: 'discover' };

/** Returns the brand of a card that a reader read, by the processor's name for it, or by the first digit of its masked number. */
export function brandOf(name: string, maskedNumber: string): string {
  return BRANDS[name.toLowerCase().replaceAll(/[^a-z]/g, '')] ?? BRANDS_BY_DIGIT[maskedNumber.charAt(0)] ?? 'card';
}
