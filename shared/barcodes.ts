const GTIN_13_OR_14 = /^\d{13,14}$/;

/**
 * Returns true if a number has the length and the check digit of a GTIN of 13 or 14 digits. A tenth of the GTINs that
 * begin like a card number also have the check digit of a card number, so fields for barcodes accept them by this rule.
 */
export function isLongGtin(text: string): boolean {
  if (!GTIN_13_OR_14.test(text)) return false;
  const sum = [...text].toReversed().reduce((total, digit, index) => total + Number(digit) * (index % 2 === 1 ? 3 : 1), 0);
  return sum % 10 === 0;
}
