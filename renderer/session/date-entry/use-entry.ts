import type { FieldRef, PickerValidDate } from '@mui/x-date-pickers/models';
import { useEffect, useRef, useState } from 'react';

interface Entry {
  /** Date in the field, which may be incomplete or invalid. */
  readonly shown: PickerValidDate | null;
  /** Value of the date in the field; empty if it is incomplete. */
  readonly value: string;
  /** Latest value that the screen passed. */
  readonly passed: string;
  /** Values that the screen got and did not pass yet: a screen that stores them in its address passes them later. */
  readonly sent: readonly string[];
  /** True if the screen passed a value while a person was typing a date, and must get the empty value of the field instead. */
  readonly isRefused: boolean;
}

interface EntryOptions {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly read: (value: string) => PickerValidDate | null;
  readonly write: (date: PickerValidDate) => string;
}

/**
 * State of a field. Keeps incomplete input, for which the screen gets an empty value, until the screen sets another value. A value that the screen
 * sets while a person is typing the parts of a date, such as a default that arrives late, is not shown: it would replace the parts that are typed.
 */
export function useEntry({ value, onChange, read, write }: EntryOptions) {
  const [entry, setEntry] = useState<Entry>(() => ({ shown: read(value), value, passed: value, sent: [], isRefused: false }));
  const [isIncomplete, setIncomplete] = useState(false);
  const fieldRef = useRef<FieldRef<PickerValidDate | null>>(null);
  if (value !== entry.passed) {
    const at = entry.sent.indexOf(value);
    if (at >= 0 || value === entry.value) setEntry({ ...entry, passed: value, sent: entry.sent.slice(at + 1) });
    else if (isBeingTyped()) setEntry({ ...entry, passed: value, sent: [''], isRefused: true });
    else {
      setEntry({ shown: read(value), value, passed: value, sent: [], isRefused: false });
      setIncomplete(false);
    }
  } else if (value === entry.value && entry.sent.length > 0) setEntry({ ...entry, sent: [] });
  useEffect(() => {
    if (!entry.isRefused) return;
    setEntry((now) => ({ ...now, isRefused: false }));
    onChange('');
  }, [entry.isRefused, onChange]);
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
  const leave = () => setIncomplete(hasOnlyParts());
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
  /** Returns true if some parts are typed, but not a date. */
  function hasOnlyParts(): boolean {
    return entry.value === '' && (fieldRef.current?.getSections().some((part) => part.value !== '') ?? false);
  }
  function isBeingTyped(): boolean {
    return hasOnlyParts() && (fieldRef.current?.isFieldFocused() ?? false);
  }
  return { shown: entry.shown, change, leave, focus, isIncomplete, fieldRef };
}
