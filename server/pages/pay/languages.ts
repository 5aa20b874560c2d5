import { DEFAULT_LANGUAGE, type Language, languageOf } from '#shared/languages';
import type { Texts } from './texts.ts';
import { en } from './texts-en.ts';
import { es } from './texts-es.ts';

const TEXTS_BY_LANGUAGE: Readonly<Record<Language, Texts>> = { en, es };

/** Returns the texts of a language. */
export function textsOf(language: Language): Texts {
  return TEXTS_BY_LANGUAGE[language];
}

/** Returns the language of a visitor by the browser's preference, or else another one. */
export function preferredLanguage(acceptLanguage: string | undefined, otherwise: Language = DEFAULT_LANGUAGE): Language {
  return languageOf(acceptLanguage?.trim()) ?? otherwise;
}
