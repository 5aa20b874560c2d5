export { serviceText } from '#shared/service-texts';
export {
  chooseForComputer,
  language,
  listText,
  loadLanguage,
  locale,
  numberText,
  serviceTextsLoaded,
  showIn,
  showInLanguageOfComputer,
} from './language.ts';
export { Trans, t } from './texts.tsx';
