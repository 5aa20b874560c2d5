import type { Language } from '#core/platform/documents';
import type { Words } from './words.ts';
import { en } from './words-en.ts';
import { es } from './words-es.ts';

const CATALOGUE: Readonly<Record<Language, Words>> = { en, es };

/** The words of a language. */
export function wordsOf(language: Language): Words {
  return CATALOGUE[language];
}

/** Returns the language of a visitor by the browser's preference. */
export function languageWanted(acceptLanguage: string | undefined): Language {
  return /^\s*es\b/i.test(acceptLanguage ?? '') ? 'es' : 'en';
}
