import { usZip } from './us-zip.ts';

/**
 * Limits of surcharges by law and by the rules of the card schemes. These are data, not legal advice: laws change, so a merchant must check them.
 * Sources: Visa Core Rules, "U.S. Credit Card Surcharge" (at most 3 %, and at most the cost of acceptance); Mastercard Rules 5.12.2 (at most 4 %,
 * and at most the cost of acceptance). American Express and Discover require the same treatment as other brands, hence the lowest limit.
 */
const SCHEME_PERCENT_MAX: Readonly<Record<string, number>> = { visa: 3, mastercard: 4 };
const OTHER_SCHEMES_PERCENT_MAX = 3;

/** Highest percentage that a merchant's rule can have: the highest one of a card scheme. */
export const SURCHARGE_PERCENT_MAX = 4;

interface Region {
  /** Highest percentage by law; 0 if surcharges are forbidden. */
  readonly percentMax: number;
  /** Postal codes of the region, for payers who enter no state. */
  readonly zip: RegExp;
}

interface Country {
  readonly percentMax: number;
  /** Postal codes in the form of the country. */
  readonly zip: RegExp;
  /** Codes and names of all states or provinces, to recognize an address. */
  readonly states: string;
  /** States or provinces with a limit of their own. */
  readonly regions: Readonly<Record<string, Region>>;
}

/** Countries in which a surcharge is possible. In all others, such as the United Kingdom and the European Union, none is added. */
const COUNTRIES: Readonly<Record<string, Country>> = {
  US: {
    percentMax: SURCHARGE_PERCENT_MAX,
    zip: /^\d{5}/,
    states:
      'AL Alabama|AK Alaska|AZ Arizona|AR Arkansas|CA California|CO Colorado|CT Connecticut|DE Delaware|DC District of Columbia|FL Florida|GA Georgia|HI Hawaii|ID Idaho|IL Illinois|IN Indiana|IA Iowa|KS Kansas|KY Kentucky|LA Louisiana|ME Maine|MD Maryland|MA Massachusetts|MI Michigan|MN Minnesota|MS Mississippi|MO Missouri|MT Montana|NE Nebraska|NV Nevada|NH New Hampshire|NJ New Jersey|NM New Mexico|NY New York|NC North Carolina|ND North Dakota|OH Ohio|OK Oklahoma|OR Oregon|PA Pennsylvania|PR Puerto Rico|RI Rhode Island|SC South Carolina|SD South Dakota|TN Tennessee|TX Texas|UT Utah|VT Vermont|VA Virginia|WA Washington|WV West Virginia|WI Wisconsin|WY Wyoming|AS American Samoa|GU Guam|MP Northern Mariana Islands|VI Virgin Islands',
    regions: {
      // Connecticut General Statutes 42-133ff.
      CT: { percentMax: 0, zip: /^06(?!390)/ },
      // Maine Revised Statutes, title 9-A, section 8-509.
      ME: { percentMax: 0, zip: /^0(39|4)/ },
      // Massachusetts General Laws, chapter 140D, section 28A.
      MA: { percentMax: 0, zip: /^0(1|2[0-7]|5501|5544)/ },
      // Puerto Rico, act 150-2008 (10 L.P.R.A. 11).
      PR: { percentMax: 0, zip: /^00[679]/ },
      // Colorado Revised Statutes 5-2-212, as amended by SB 21-091: 2 %.
      CO: { percentMax: 2, zip: /^8(0|1[0-6])/ },
      // Oklahoma Statutes, title 14A, section 2-211, as amended by SB 677, in force since November 1, 2025: 2 %.
      OK: { percentMax: 2, zip: /^7(3[0-24-9]|4[0-13-9])/ },
    },
  },
  CA: {
    // Settlement of Visa and Mastercard with merchants in Canada, in force since October 6, 2022.
    percentMax: 2.4,
    zip: /^[A-Z]\d[A-Z]/i,
    states:
      'AB Alberta|BC British Columbia|MB Manitoba|NB New Brunswick|NL Newfoundland and Labrador|NS Nova Scotia|NT Northwest Territories|NU Nunavut|ON Ontario|PE Prince Edward Island|QC Quebec|SK Saskatchewan|YT Yukon',
    regions: {
      // Quebec Consumer Protection Act, section 224 c.
      QC: { percentMax: 0, zip: /^[GHJ]/i },
    },
  },
};

/** Returns the highest percentage on cards of a brand. */
export function schemeLimit(brand: string): number {
  return SCHEME_PERCENT_MAX[brand] ?? OTHER_SCHEMES_PERCENT_MAX;
}

/** Returns the highest percentage in a country; null if surcharges are not supported there. */
export function countryLimit(country: string): number | null {
  return COUNTRIES[country]?.percentMax ?? null;
}

/** A state or province with the highest percentage there. */
export interface StateLimit {
  readonly state: string;
  readonly percentMax: number;
}

/**
 * Returns the limit of a state or province, in any case, by its code (`MA`, `US-MA`, `M.A.`), its name, or a beginning of four letters and more that only
 * one name has (`Mass.`); null if the text names none.
 */
export function stateLimit(country: string, text: string | null | undefined): StateLimit | null {
  const rules = COUNTRIES[country];
  const wanted = (text ?? '')
    .trim()
    .toLowerCase()
    .replaceAll('é', 'e')
    .replace(new RegExp(`^${country.toLowerCase()}-(?=..$)`), '')
    .replaceAll('.', '');
  if (rules === undefined || wanted === '') return null;
  const states = rules.states.split('|').map((line) => [line.slice(0, 2), line.slice(3).toLowerCase()] as const);
  const exact = states.find(([short, name]) => short.toLowerCase() === wanted || name === wanted);
  const beginning = wanted.length < 4 ? [] : states.filter(([, name]) => name.startsWith(wanted));
  const code = (exact ?? (beginning.length === 1 ? beginning[0] : undefined))?.[0];
  return code === undefined ? null : { state: code, percentMax: rules.regions[code]?.percentMax ?? rules.percentMax };
}

/** Returns the limit of the region of a postal code; null if the text is no postal code of the country. */
export function postalCodeLimit(country: string, text: string | null | undefined): StateLimit | null {
  const rules = COUNTRIES[country];
  const given = text?.trim() ?? '';
  const zip = country === 'US' ? (usZip(given) ?? given) : given;
  if (!rules?.zip.test(zip)) return null;
  const [state, region] = Object.entries(rules.regions).find(([, { zip: codes }]) => codes.test(zip)) ?? [];
  return { state: state ?? '', percentMax: region?.percentMax ?? rules.percentMax };
}
