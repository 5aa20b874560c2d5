export { serviceText } from '#shared/service-texts';
export {
  chooseForComputer,
  language,
  listText,
  loadLanguage,
  loadProductTexts,
  locale,
  numberText,
  serviceTextsLoaded,
  showIn,
  showInLanguageOfComputer,
} from './language.ts';
export { refusalOf } from './refusal.ts';
export { Trans, t } from './texts.tsx';
