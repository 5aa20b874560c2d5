import type { FastifyRequest } from 'fastify';
import { DEFAULT_LANGUAGE, type Language, languageOf } from '#shared/languages';
import { en, type Texts } from './texts-en.ts';
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

/** Returns a merchant in the language of a visitor: the one that was chosen for the customer, or else that of the browser, or else its own. */
export function inLanguageOf<M extends { readonly language: Language }>(
  { headers }: FastifyRequest,
  merchant: M,
  chosen: Language | null,
): M {
  return { ...merchant, language: chosen ?? preferredLanguage(headers['accept-language'], merchant.language) };
}
