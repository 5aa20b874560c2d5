import { DEFAULT_LANGUAGE, LANGUAGES, type Language, LOCALES, languageOf } from '#shared/languages';
import { loadServiceTexts } from '#shared/service-texts';
import spanishUrl from './es.json?url';
import { texts } from './instance.ts';
import spanishOfServiceUrl from './service.es.json?url';
import spanishOfSignInUrl from './sign-in.es.json?url';

/** Addresses of the texts of one language. */
interface Catalogues {
  /** Texts of the first run and of the sign-in. */
  readonly signIn: string;
  /** Other texts of the screens. */
  readonly product: string;
  /** Messages of the service. */
  readonly service: string;
}

/** English texts are in the code. */
const CATALOGUES: Readonly<Record<Exclude<Language, typeof DEFAULT_LANGUAGE>, Catalogues>> = {
  es: { signIn: spanishOfSignInUrl, product: spanishUrl, service: spanishOfServiceUrl },
};
const LOAD_TIMEOUT_MS = 15_000;
const STORAGE_KEY = 'paydesk.language';

const isLanguage = (value: string | null | undefined): value is Language => value != null && Object.hasOwn(LANGUAGES, value);
const storedIn = (storage: Storage): Language | null => {
  const stored = storage.getItem(STORAGE_KEY);
  return isLanguage(stored) ? stored : null;
};
/** Returns the language that was chosen on this computer, otherwise that of the browser. */
const languageOfComputer = (): Language =>
  storedIn(localStorage) ?? navigator.languages.map(languageOf).find((code) => code !== undefined) ?? DEFAULT_LANGUAGE;

/** Returns the language that this page shows. */
export const language = (): Language => (isLanguage(texts.language) ? texts.language : DEFAULT_LANGUAGE);

/** Returns the locale in which dates and numbers are written. */
export const locale = (): string => LOCALES[language()];

/** Language that this page was asked to show. Its texts may have failed to load. */
let requested: Language = DEFAULT_LANGUAGE;
let serviceTexts: Promise<void> = Promise.resolve();

/** Waits until messages of the service are shown in the language of this page. Never rejects. */
export const serviceTextsLoaded = (): Promise<void> => serviceTexts;

/** Loads the texts of the sign-in in this tab's language. Must end before any screen is loaded. The page is in English if they cannot be loaded. */
export async function loadLanguage(): Promise<void> {
  requested = storedIn(sessionStorage) ?? languageOfComputer();
  if (requested === DEFAULT_LANGUAGE) return;
  const signIn = fetchCatalogue(CATALOGUES[requested].signIn);
  // The first screen does not wait for them. Without the texts of the screens they are not used, because a page has one language.
  serviceTexts = Promise.all([signIn, fetchCatalogue(CATALOGUES[requested].service)]).then(([ofSignIn, ofService]) =>
    loadServiceTexts(ofSignIn && ofService),
  );
  const catalogue = await signIn;
  if (catalogue === null) return;
  texts.addResourceBundle(requested, 'translation', catalogue);
  await texts.changeLanguage(requested);
  document.documentElement.lang = requested;
}

/** Loads all texts in the language that the page shows. Must end before the screens after the sign-in are loaded. @throws Error if that fails. */
export async function loadProductTexts(): Promise<void> {
  const shown = language();
  if (shown === DEFAULT_LANGUAGE) return;
  const [catalogue] = await Promise.all([fetchCatalogue(CATALOGUES[shown].product), serviceTexts]);
  if (catalogue === null) throw new Error('The texts of the screens could not be loaded');
  texts.addResourceBundle(shown, 'translation', catalogue, true);
}

type Catalogue = Readonly<Record<string, string>>;

/** Returns null if the texts cannot be loaded. */
async function fetchCatalogue(url: string): Promise<Catalogue | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(LOAD_TIMEOUT_MS) });
    if (!response.ok) return null;
    return (await response.json()) as Catalogue;
  } catch {
    return null;
  }
}

/**
 * Shows this tab in the language of its user; null means that of the computer. Returns true if the page loads again for it, because its texts are read
 * once; the session stays.
 */
export function showIn(chosen: Language | null): boolean {
  const wanted = chosen ?? languageOfComputer();
  sessionStorage.setItem(STORAGE_KEY, wanted);
  // The page is not loaded again for texts that failed to load.
  return wanted !== requested && loadPageAgain();
}

/** Shows this tab in the language of the computer, as every page without a user. Returns true if the page loads again for it. */
export function showInLanguageOfComputer(): boolean {
  sessionStorage.removeItem(STORAGE_KEY);
  return languageOfComputer() !== requested && loadPageAgain();
}

/** Chooses the language of this computer, for its pages without a user and for users without a choice of their own. */
export function chooseForComputer(chosen: Language): void {
  localStorage.setItem(STORAGE_KEY, chosen);
  sessionStorage.removeItem(STORAGE_KEY);
  if (chosen !== language()) loadPageAgain();
}

/** Loads the page again after screens with unsaved changes are removed, which would ask whether to leave it. */
function loadPageAgain(): true {
  setTimeout(() => location.reload());
  return true;
}

/** Returns a number with the separators of the language. */
export const numberText = (value: number, options?: Intl.NumberFormatOptions): string => value.toLocaleString(locale(), options);
texts.services.formatter?.add('number', (value: number) => numberText(value));

/** Returns a list as a part of a sentence: "A and B" or "A or B". */
export const listText = (items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string =>
  new Intl.ListFormat(locale(), { type }).format(items);
