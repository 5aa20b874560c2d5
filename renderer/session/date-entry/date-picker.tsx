import { DesktopDatePicker } from '@mui/x-date-pickers/DesktopDatePicker';
import { calendarDate } from './calendar-adapter.ts';
import { CalendarProvider } from './calendar-provider.tsx';
import type { DateFieldProps } from './props.ts';
import { usePicker } from './use-picker.ts';

export { loadLocale } from './locale.ts';

/** Field of a day with a calendar. */
export function DatePicker({ today, min, max, ...props }: DateFieldProps & { readonly today: string }) {
  const picker = usePicker('date', props);
  return (
    <CalendarProvider today={today}>
      <DesktopDatePicker
        {...picker}
        {...(min !== undefined && { minDate: calendarDate(min) })}
        {...(max !== undefined && { maxDate: calendarDate(max) })}
      />
    </CalendarProvider>
  );
}
