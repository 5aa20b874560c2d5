const NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

/** Returns the display name of a card brand; a brand without one as it is. */
export function brandName(brand: string): string {
  return NAMES[brand.toLowerCase()] ?? brand;
}

/** Returns the digits of a card or account that people compare, with the dots that every screen writes before them. */
export const lastFourText = (last4: string): string => `••${last4}`;
