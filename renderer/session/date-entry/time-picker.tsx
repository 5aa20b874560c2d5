import { DesktopTimePicker } from '@mui/x-date-pickers/DesktopTimePicker';
import { CalendarProvider } from './calendar-provider.tsx';
import { HAS_HALF_DAYS } from './formats.ts';
import type { EntryProps } from './props.ts';
import { usePicker } from './use-picker.ts';

export { loadLocale } from './locale.ts';

/** Field of a time of day with lists of hours and minutes. */
export function TimePicker({ today, ...props }: EntryProps & { readonly today: string }) {
  const picker = usePicker('time', props);
  return (
    <CalendarProvider today={today}>
      <DesktopTimePicker {...picker} ampm={HAS_HALF_DAYS} />
    </CalendarProvider>
  );
}
