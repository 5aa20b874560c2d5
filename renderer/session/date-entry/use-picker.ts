import type { SxProps, Theme } from '@mui/material/styles';
import type { PickerValidDate } from '@mui/x-date-pickers/models';
import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react';
import { t } from '#renderer/base/language';
import { APP_ID } from '#renderer/base/theme';
import { calendarDate } from './calendar-adapter.ts';
import { FORMATS } from './formats.ts';
import { FIELD_STYLE, PAPER_STYLE, SLOTS } from './picker-slots.tsx';
import type { EntryKind, EntryProps } from './props.ts';
import { useEntry } from './use-entry.ts';

/** Key event of the library: the mark prevents its own reaction. */
type PickerKeyEvent = KeyboardEvent<HTMLElement> & { defaultMuiPrevented?: boolean };

const VALUE_FORMATS: Readonly<Record<EntryKind, string>> = { date: 'YYYY-MM-DD', time: 'HH:mm', 'date-time': 'YYYY-MM-DD[T]HH:mm' };
const ANY_DAY = '2000-01-01';
/** A year of fewer digits is still being typed. */
const YEAR_MIN = 1_000;

/** Properties of the library's picker for a field of the product. */
export function usePicker<Kind extends EntryKind>(kind: Kind, props: EntryProps) {
  const { label, error = false, helperText, disabled = false, readOnly = false, required = false, autoFocus = false, sx } = props;
  const ownId = useId();
  const id = props.id ?? ownId;
  const [isOpen, setOpen] = useState(false);
  const { shown, change, leave, focus, isIncomplete, fieldRef } = useEntry({
    value: props.value,
    onChange: props.onChange,
    read: (value) => (value === '' ? null : calendarDate(kind === 'time' ? `${ANY_DAY}T${value}` : value)),
    write: (date) => (date.year() < YEAR_MIN ? '' : date.format(VALUE_FORMATS[kind])),
  });
  return {
    label,
    value: shown,
    onChange: (date: PickerValidDate | null, { source }: { source: 'field' | 'view' | 'unknown' }) => {
      const value = change(date);
      if (source === 'view' && value !== '') props.onChoose?.(value);
    },
    open: isOpen,
    onOpen: () => setOpen(true),
    onClose: () => setOpen(false),
    format: FORMATS[kind],
    timezone: 'UTC',
    disabled,
    readOnly,
    autoFocus,
    reduceAnimations: true,
    slots: SLOTS[kind],
    slotProps: {
      field: { fieldRef },
      textField: {
        id,
        size: 'small',
        fullWidth: true,
        required,
        error: error || isIncomplete,
        helperText: isIncomplete && !error ? t('Complete or clear this field.') : helperText,
        sx: [FIELD_STYLE, ...(Array.isArray(sx) ? sx : [sx ?? null])] as SxProps<Theme>,
        // Before the library, for which this key changes a part of the date.
        onKeyDownCapture: (event: KeyboardEvent<HTMLElement>) => {
          if (!event.altKey || event.key !== 'ArrowDown' || disabled || readOnly) return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(true);
        },
        slotProps: {
          // The label and the ID belong to an input that is not visible. The library leaves the focus there if a part had it before.
          htmlInput: { onFocus: focus },
          root: {
            onBlur: (event: FocusEvent<HTMLElement>) => {
              if (event.currentTarget.contains(event.relatedTarget)) return;
              leave();
              props.onBlur?.();
            },
          },
        },
        onKeyDown: (event: PickerKeyEvent) => {
          props.onKeyDown?.(event);
          if (event.key === 'Enter') guardSubmission(event);
        },
      },
      openPickerButton: { size: 'small', edge: false },
      previousIconButton: { edge: false },
      nextIconButton: { edge: false },
      popper: { 'aria-labelledby': `${id}-label`, container: () => overlayOf(id) },
      desktopPaper: { sx: PAPER_STYLE },
    },
  } as const;
}

/** Returns the dialog or popover of the field, which would otherwise cover the calendar; without one, the page. */
function overlayOf(id: string): HTMLElement | null {
  return document.getElementById(id)?.closest<HTMLElement>('.MuiModal-root') ?? document.getElementById(APP_ID);
}

/** The library submits the form of the field on Enter, also if its button is disabled, which browsers do not. */
function guardSubmission(event: PickerKeyEvent): void {
  const button = event.currentTarget.closest('form')?.querySelector<HTMLButtonElement>('[type=submit]');
  if (event.defaultPrevented || button?.disabled) event.defaultMuiPrevented = true;
  if (button) event.preventDefault();
}
