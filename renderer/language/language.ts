import { loadServiceTexts } from '#shared/service-texts';
import { DEFAULT_LANGUAGE, texts } from './instance.ts';

/** Languages of the screens, with their own names. */
export const LANGUAGES = { en: 'English', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

/** Amounts are written as in the United States in both languages, so that a sale is keyed and read in one way. */
const LOCALES: Readonly<Record<Language, string>> = { en: 'en-US', es: 'es-US' };
const STORAGE_KEY = 'paydesk.language';

const isLanguage = (value: string | null | undefined): value is Language => value != null && Object.hasOwn(LANGUAGES, value);
const storedIn = (storage: Storage): Language | null => {
  const stored = storage.getItem(STORAGE_KEY);
  return isLanguage(stored) ? stored : null;
};
/** Returns the language that was chosen on this computer, otherwise that of the browser. */
const languageOfComputer = (): Language =>
  storedIn(localStorage) ?? navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? DEFAULT_LANGUAGE;

/** Returns the language that this page shows. */
export const language = (): Language => (isLanguage(texts.language) ? texts.language : DEFAULT_LANGUAGE);

/** Returns the locale in which dates and numbers are written. */
export const locale = (): string => LOCALES[language()];

/** Loads the texts of this tab's language. Must end before any screen is loaded. */
export async function loadLanguage(): Promise<void> {
  const chosen = storedIn(sessionStorage) ?? languageOfComputer();
  document.documentElement.lang = chosen;
  if (chosen === DEFAULT_LANGUAGE) return;
  const [{ default: catalogue }, { default: service }] = await Promise.all([
    import('./es.json', { with: { type: 'json' } }),
    import('./service.es.json', { with: { type: 'json' } }),
  ]);
  texts.addResourceBundle(chosen, 'translation', catalogue);
  loadServiceTexts(service);
  await texts.changeLanguage(chosen);
}

/**
 * Shows this tab in the language of its user; null means that of the computer. Another language loads the page again, because its texts are read once;
 * the session stays.
 */
export function showIn(chosen: Language | null): void {
  const wanted = chosen ?? languageOfComputer();
  sessionStorage.setItem(STORAGE_KEY, wanted);
  if (wanted !== language()) location.reload();
}

/** Chooses the language of this computer, for its pages without a user and for users without a choice of their own. */
export function chooseForComputer(chosen: Language): void {
  localStorage.setItem(STORAGE_KEY, chosen);
  showIn(chosen);
}

/** Returns a number with the separators of the language. */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString(locale(), options);
texts.services.formatter?.add('number', (value: number) => numberText(value));

/** Returns a list as a part of a sentence: "A and B" or "A or B". */
export const listText = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(locale(), { type }).format(items);
