import type { PickersInputLocaleText } from '@mui/x-date-pickers/locales';
import { language, t } from '#renderer/base/language';

/** Texts of the library that the product words in its own way. */
const OWN_TEXTS: PickersInputLocaleText = {
  day: t('Day'),
  okButtonLabel: t('Done'),
  calendarViewSwitchingButtonAriaLabel: (view) => (view === 'year' ? t('Show the days') : t('Choose the year')),
  openDatePickerDialogue: (date) => (date ? t('Choose the date: {{date}}', { date }) : t('Choose the date')),
  openTimePickerDialogue: (time) => (time ? t('Choose the time: {{time}}', { time }) : t('Choose the time')),
  // Names that contain what their options show, for people who control the screen by voice.
  hoursClockNumberText: (hours) => t('{{hours}} hours', { hours: hours.padStart(2, '0') }),
  minutesClockNumberText: (minutes) => t('{{minutes}} minutes', { minutes: minutes.padStart(2, '0') }),
};

let texts = OWN_TEXTS;

/** Returns the texts of the library in the language of the screens. */
export const localeText = (): PickersInputLocaleText => texts;

/** Loads texts and names of months of the language. Must end before the first picker is shown. */
export async function loadLocale(): Promise<void> {
  if (language() === 'es') texts = { ...(await import('./spanish.ts')).SPANISH, ...OWN_TEXTS };
}
