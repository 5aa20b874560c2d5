import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider';
import { type ReactNode, useMemo } from 'react';
import { language } from '#renderer/base/language';
import { adapterFor } from './calendar-adapter.ts';
import { localeText } from './locale.ts';

/** Language of the pickers below, and their present day. */
export function CalendarProvider({ today, children }: { readonly today: string; readonly children: ReactNode }) {
  const adapter = useMemo(() => adapterFor(today), [today]);
  return (
    <LocalizationProvider dateAdapter={adapter} adapterLocale={language()} localeText={localeText()}>
      {children}
    </LocalizationProvider>
  );
}
