import type { Language } from '#core/platform/documents';
import type { Words } from './words.ts';
import { en } from './words-en.ts';
import { es } from './words-es.ts';

const CATALOGUE: Readonly<Record<Language, Words>> = { en, es };

/** The words of a language. */
export function wordsOf(language: Language): Words {
  return CATALOGUE[language];
}

/** The language of somebody of whom only the browser's wish is known. */
export function languageWanted(acceptLanguage: string | undefined): Language {
  return /^\s*es\b/i.test(acceptLanguage ?? '') ? 'es' : 'en';
}
