import { DesktopDateTimePicker } from '@mui/x-date-pickers/DesktopDateTimePicker';
import { CalendarProvider } from './calendar-provider.tsx';
import { HAS_HALF_DAYS } from './formats.ts';
import type { EntryProps } from './props.ts';
import { usePicker } from './use-picker.ts';

export { loadLocale } from './locale.ts';

/** Field of a day and a time with a calendar and lists of hours and minutes. */
export function DateTimePicker({ today, ...props }: EntryProps & { readonly today: string }) {
  const picker = usePicker('date-time', props);
  return (
    <CalendarProvider today={today}>
      <DesktopDateTimePicker {...picker} ampm={HAS_HALF_DAYS} />
    </CalendarProvider>
  );
}
