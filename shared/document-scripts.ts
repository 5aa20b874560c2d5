/**
 * Scripts that PDFs can show, with the font of each that is not Latin, Greek or Cyrillic. The order decides: a character is drawn with the first font whose
 * scripts contain it.
 */
export const SCRIPT_FONTS: readonly (readonly [font: string, script: RegExp])[] = [
  ['noto-sans-arabic', /\p{Script_Extensions=Arabic}/u],
  ['noto-sans-hebrew', /\p{Script_Extensions=Hebrew}/u],
  ['noto-sans-thai', /\p{Script_Extensions=Thai}/u],
  ['noto-sans-devanagari', /\p{Script_Extensions=Devanagari}/u],
  ['noto-sans-bengali', /\p{Script_Extensions=Bengali}/u],
  ['noto-sans-tamil', /\p{Script_Extensions=Tamil}/u],
  ['noto-sans-telugu', /\p{Script_Extensions=Telugu}/u],
  ['noto-sans-georgian', /\p{Script_Extensions=Georgian}/u],
  ['noto-sans-armenian', /\p{Script_Extensions=Armenian}/u],
  ['noto-sans-kr', /\p{Script=Hangul}/u],
  ['noto-sans-sc', /\p{Script_Extensions=Han}|\p{Script_Extensions=Hiragana}|\p{Script_Extensions=Katakana}|[\uFF00-\uFFEF]/u],
  ['noto-emoji', /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/u],
];

/** Parts of an invoice with texts of people. */
interface PrintedInvoice {
  readonly customer: { readonly name?: string | null; readonly company?: string | null; readonly address?: object | null } | null;
  readonly items: readonly { readonly description: string }[];
  readonly note: string | null;
}

/** Returns the texts that an invoice prints. */
export const printedTextsOf = ({ customer, items, note }: PrintedInvoice): readonly string[] =>
  [
    customer?.name,
    customer?.company,
    ...Object.values(customer?.address ?? {}),
    ...items.map(({ description }) => description),
    note,
  ].filter((text) => typeof text === 'string');

const PLAIN = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}\p{C}]/u;
const SHOWN_MAX = 20;

/** Returns the different characters of texts in scripts that PDFs cannot show, at most 20. They are boxes on paper. */
export function unprintableCharacters(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const character of texts.join(''))
    if (!PLAIN.test(character) && !SCRIPT_FONTS.some(([, script]) => script.test(character))) found.add(character);
  return [...found].slice(0, SHOWN_MAX);
}
