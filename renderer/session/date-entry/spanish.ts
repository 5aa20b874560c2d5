import { esES } from '@mui/x-date-pickers/locales';
// Defines the locale.
import 'dayjs/locale/es.js';

/** Texts of the library in Spanish. */
export const SPANISH = esES.components.MuiLocalizationProvider.defaultProps.localeText;
