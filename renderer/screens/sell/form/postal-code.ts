interface PostalRule {
  readonly label: string;
  readonly pattern: RegExp;
  readonly example: string;
  readonly numeric: boolean;
}

const ANYWHERE: PostalRule = { label: 'Postal code', pattern: /^[\p{L}\d][\p{L}\d -]{1,9}$/u, example: 'SW1A 1AA', numeric: false };
const RULES: Readonly<Record<string, PostalRule>> = {
  US: { label: 'ZIP', pattern: /^\d{5}(?:-?\d{4})?$/, example: '04101', numeric: true },
  CA: { label: 'Postal code', pattern: /^[a-z]\d[a-z] ?\d[a-z]\d$/i, example: 'K1A 0B1', numeric: false },
  GB: { label: 'Postcode', pattern: /^[a-z]{1,2}\d[a-z\d]? ?\d[a-z]{2}$/i, example: 'SW1A 1AA', numeric: false },
  AU: { label: 'Postcode', pattern: /^\d{4}$/, example: '2000', numeric: true },
  DE: { label: 'Postal code', pattern: /^\d{5}$/, example: '10115', numeric: true },
};

/** Name and format of postal codes in the merchant's country. Customers from abroad may use other formats. */
export function postalRule(country: string): Omit<PostalRule, 'pattern'> {
  return RULES[country] ?? ANYWHERE;
}

/** Returns the problem of a postal code, or null: it must have the country's format or, for customers from abroad, contain a letter. */
export function postalCodeProblem(text: string, country: string): string | null {
  const rule = RULES[country] ?? ANYWHERE;
  const foreign = /\p{L}/u.test(text) && ANYWHERE.pattern.test(text);
  return rule.pattern.test(text) || foreign
    ? null
    : `Enter the ${rule.label === 'ZIP' ? 'ZIP code' : rule.label.toLowerCase()} in this format: ${rule.example}.`;
}
