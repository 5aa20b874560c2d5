import { t } from '#renderer/base/language';

interface PostalCodeTexts {
  readonly label: string;
  readonly shippingLabel: string;
  readonly problem: (example: string) => string;
}

interface PostalRule extends PostalCodeTexts {
  readonly pattern: RegExp;
  readonly example: string;
  readonly numeric: boolean;
}

const ZIP: PostalCodeTexts = {
  label: t('ZIP'),
  shippingLabel: t('Shipping ZIP'),
  problem: (example) => t('Enter the ZIP code in this format: {{example}}.', { example }),
};
const POSTAL_CODE: PostalCodeTexts = {
  label: t('Postal code'),
  shippingLabel: t('Shipping postal code'),
  problem: (example) => t('Enter the postal code in this format: {{example}}.', { example }),
};
const POSTCODE: PostalCodeTexts = {
  ...POSTAL_CODE,
  label: t('Postcode'),
  problem: (example) => t('Enter the postcode in this format: {{example}}.', { example }),
};

const ANYWHERE: PostalRule = { ...POSTAL_CODE, pattern: /^[\p{L}\d][\p{L}\d -]{1,9}$/u, example: 'SW1A 1AA', numeric: false };
const RULES: Readonly<Record<string, PostalRule>> = {
  US: { ...ZIP, pattern: /^\d{5}(?:-?\d{4})?$/, example: '04101', numeric: true },
  CA: { ...POSTAL_CODE, pattern: /^[a-z]\d[a-z] ?\d[a-z]\d$/i, example: 'K1A 0B1', numeric: false },
  GB: { ...POSTCODE, pattern: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i, example: 'SW1A 1AA', numeric: false },
  AU: { ...POSTCODE, pattern: /^\d{4}$/, example: '2000', numeric: true },
  DE: { ...POSTAL_CODE, pattern: /^\d{5}$/, example: '10115', numeric: true },
};

/** Name and format of postal codes in the merchant's country. Customers from abroad may use other formats. */
export function postalRule(country: string): Omit<PostalRule, 'pattern' | 'problem'> {
  return RULES[country] ?? ANYWHERE;
}

/** Returns the problem of a postal code, or null: it must have the country's format or, for customers from abroad, contain a letter. */
export function postalCodeProblem(text: string, country: string): string | null {
  const rule = RULES[country] ?? ANYWHERE;
  const foreign = /\p{L}/u.test(text) && ANYWHERE.pattern.test(text);
  return rule.pattern.test(text) || foreign ? null : rule.problem(rule.example);
}
