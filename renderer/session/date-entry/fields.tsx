import TextField from '@mui/material/TextField';
import { Lazy } from '#renderer/kit/ui';
import { useToday } from '#renderer/session/tenant-clock';
import { entryText } from './formats.ts';
import type { DateFieldProps, EntryKind, EntryProps } from './props.ts';

// The pickers and their library are loaded when the first field is shown.
const fetchDatePicker = async () => {
  const { DatePicker, loadLocale } = await import('./date-picker.tsx');
  await loadLocale();
  return DatePicker;
};
const fetchTimePicker = async () => {
  const { loadLocale, TimePicker } = await import('./time-picker.tsx');
  await loadLocale();
  return TimePicker;
};
const fetchDateTimePicker = async () => {
  const { DateTimePicker, loadLocale } = await import('./date-time-picker.tsx');
  await loadLocale();
  return DateTimePicker;
};

/** A day. Typed in the order of the language, or chosen from a calendar. */
export function DateField(props: DateFieldProps) {
  const today = useToday();
  return <Lazy load={fetchDatePicker} props={{ ...props, today }} fallback={<Placeholder kind="date" {...props} />} />;
}

/** A time of day. */
export function TimeField(props: EntryProps) {
  const today = useToday();
  return <Lazy load={fetchTimePicker} props={{ ...props, today }} fallback={<Placeholder kind="time" {...props} />} />;
}

/** A day with a time. */
export function DateTimeField(props: EntryProps) {
  const today = useToday();
  return <Lazy load={fetchDateTimePicker} props={{ ...props, today }} fallback={<Placeholder kind="date-time" {...props} />} />;
}

/** Field of the same size until the picker is loaded. It cannot be used yet. */
function Placeholder({ kind, label, value, error = false, helperText, sx }: EntryProps & { readonly kind: EntryKind }) {
  return <TextField inert label={label} value={entryText(kind, value)} error={error} helperText={helperText} sx={sx ?? null} />;
}
