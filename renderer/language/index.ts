export { chooseForComputer, LANGUAGES, type Language, language, listText, loadLanguage, locale, numberText, showIn } from './language.ts';
export { serviceText } from './service-texts.ts';
export { Trans, t } from './texts.tsx';
