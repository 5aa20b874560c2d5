import { createInstance, type i18n } from 'i18next';
import { DEFAULT_LANGUAGE } from '#shared/languages';
import en from './en.json' with { type: 'json' };

/**
 * Catalogue of texts. Its keys are the English texts themselves, so that English needs entries for the singular only: `KEY_one`. A text without an
 * entry is shown in English.
 */
export const texts: i18n = createInstance({
  lng: DEFAULT_LANGUAGE,
  fallbackLng: false,
  resources: { [DEFAULT_LANGUAGE]: { translation: en } },
  // Keys are sentences, with dots and colons.
  keySeparator: false,
  nsSeparator: false,
  // React escapes.
  interpolation: { escapeValue: false },
  initAsync: false,
});
void texts.init();
