import type { FieldRef, PickerValidDate } from '@mui/x-date-pickers/models';
import { useRef, useState } from 'react';

interface Entry {
  /** Date in the field, which may be incomplete or invalid. */
  readonly shown: PickerValidDate | null;
  /** Value of the date in the field; empty if it is incomplete. */
  readonly value: string;
  /** Latest value that the screen passed. */
  readonly passed: string;
  /** Values that the screen got and did not pass yet: a screen that stores them in its address passes them later. */
  readonly sent: readonly string[];
}

interface EntryOptions {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly read: (value: string) => PickerValidDate | null;
  readonly write: (date: PickerValidDate) => string;
}

/** State of a field: keeps incomplete input, for which the screen gets an empty value, until the screen sets another value. */
export function useEntry({ value, onChange, read, write }: EntryOptions) {
  const [entry, setEntry] = useState<Entry>(() => ({ shown: read(value), value, passed: value, sent: [] }));
  const [isIncomplete, setIncomplete] = useState(false);
  const fieldRef = useRef<FieldRef<PickerValidDate | null>>(null);
  if (value !== entry.passed) {
    const at = entry.sent.indexOf(value);
    if (at >= 0 || value === entry.value) setEntry({ ...entry, passed: value, sent: entry.sent.slice(at + 1) });
    else {
      setEntry({ shown: read(value), value, passed: value, sent: [] });
      setIncomplete(false);
    }
  } else if (value === entry.value && entry.sent.length > 0) setEntry({ ...entry, sent: [] });
  /** Returns the value of the date. */
  const change = (shown: PickerValidDate | null): string => {
    const next = shown?.isValid() ? write(shown) : '';
    const isNew = next !== entry.value;
    setEntry({ ...entry, shown, value: next, ...(isNew && { sent: [...entry.sent, next] }) });
    if (next !== '') setIncomplete(false);
    if (isNew) onChange(next);
    return next;
  };
  /** Marks a field that is left with only some of its parts, because its value is empty. */
  const leave = () => setIncomplete(entry.value === '' && (fieldRef.current?.getSections().some((part) => part.value !== '') ?? false));
  /** Focuses the first part that is missing, otherwise the first part. */
  const focus = () => {
    const field = fieldRef.current;
    field?.focusField(
      Math.max(
        0,
        field.getSections().findIndex((part) => part.value === ''),
      ),
    );
  };
  return { shown: entry.shown, change, leave, focus, isIncomplete, fieldRef };
}
