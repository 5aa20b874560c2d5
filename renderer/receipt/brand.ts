const BRANDS: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

/** Returns the display name of a card brand. */
export function brandName(brand: string): string {
  return BRANDS[brand.toLowerCase()] ?? brand;
}
