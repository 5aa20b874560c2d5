import type { FieldRef, PickerValidDate } from '@mui/x-date-pickers/models';
import { useRef, useState } from 'react';

interface Entry {
  /** Date in the field, which may be incomplete or invalid. */
  readonly shown: PickerValidDate | null;
  /** Value of the date in the field; empty if it is incomplete. */
  readonly value: string;
  /** Latest value that the screen passed. */
  readonly passed: string;
}

interface EntryOptions {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly read: (value: string) => PickerValidDate | null;
  readonly write: (date: PickerValidDate) => string;
}

/** State of a field: keeps incomplete input, for which the screen gets an empty value, until the screen sets another value. */
export function useEntry({ value, onChange, read, write }: EntryOptions) {
  const [entry, setEntry] = useState<Entry>(() => ({ shown: read(value), value, passed: value }));
  const [isIncomplete, setIncomplete] = useState(false);
  const fieldRef = useRef<FieldRef<PickerValidDate | null>>(null);
  if (value !== entry.passed) {
    const isOwn = value === entry.value;
    setEntry({ shown: isOwn ? entry.shown : read(value), value, passed: value });
    if (!isOwn) setIncomplete(false);
  }
  /** Returns the value of the date. */
  const change = (shown: PickerValidDate | null): string => {
    const next = shown?.isValid() ? write(shown) : '';
    setEntry({ ...entry, shown, value: next });
    if (next !== '') setIncomplete(false);
    if (next !== entry.value) onChange(next);
    return next;
  };
  /** Marks a field that is left with only some of its parts, because its value is empty. */
  const leave = () => setIncomplete(entry.value === '' && (fieldRef.current?.getSections().some((part) => part.value !== '') ?? false));
  return { shown: entry.shown, change, leave, isIncomplete, fieldRef };
}
