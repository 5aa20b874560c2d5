import { createInstance, type Resource, type TFunction } from 'i18next';
import { DEFAULT_LANGUAGE, type Language } from '#shared/languages';
import { loadServiceTexts } from '#shared/service-texts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

export { serviceText } from '#shared/service-texts';

/** Catalogue of the texts that the application shows itself. Its keys are the English texts, as in the catalogue of the screens. */
const texts = createInstance({
  lng: DEFAULT_LANGUAGE,
  fallbackLng: false,
  resources: { en: { translation: en }, es: { translation: es } } satisfies Record<Language, Resource[string]>,
  // Keys are sentences, with dots and colons.
  keySeparator: false,
  nsSeparator: false,
  // Pages escape.
  interpolation: { escapeValue: false },
  initAsync: false,
});
void texts.init();

let current: Language = DEFAULT_LANGUAGE;
let translate: TFunction = texts.getFixedT(current);

/** Returns the language of the application's own texts. */
export const language = (): Language => current;

/** Shows texts in a language from now on, also those of the service. Texts that are already shown stay. */
export async function showIn(chosen: Language): Promise<void> {
  current = chosen;
  translate = texts.getFixedT(chosen);
  const service = chosen === 'es' ? (await import('#language/service.es.json', { with: { type: 'json' } })).default : null;
  // Another language may have been chosen in the meantime.
  if (current === chosen) loadServiceTexts(service);
}

/**
 * Returns an English text in the language of the application, with values for its `{{placeholders}}`. The language may change at any time, so
 * no constant of a module contains the result.
 */
export function t(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return translate(text, values);
}
