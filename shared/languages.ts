/** Languages of screens, messages and documents, with their own names. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];
export const DEFAULT_LANGUAGE = 'en' satisfies Language;

/** Locales of dates and numbers. Amounts are written as in the United States in both languages, so that a sale is keyed and read in one way. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US' };

/** Returns the language of a code or of a locale such as "es-MX"; undefined if there is no translation. */
export const languageOf = (locale: string | null | undefined): Language | undefined =>
  LANGUAGE_CODES.find((code) => code === locale?.slice(0, 2).toLowerCase());
