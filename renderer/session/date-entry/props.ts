import type { SxProps, Theme } from '@mui/material/styles';
import type { KeyboardEvent } from 'react';

/** Properties that fields for days and times have in common. */
export interface EntryProps {
  readonly id?: string;
  readonly label: string;
  /** The complete value: `YYYY-MM-DD`, `HH:mm` or `YYYY-MM-DDTHH:mm`, without a time zone. Empty while the field is empty or incomplete. */
  readonly value: string;
  /** Called when the value changes. Incomplete input stays in the field, and the value is empty. */
  readonly onChange: (value: string) => void;
  readonly error?: boolean;
  readonly helperText?: string | undefined;
  readonly disabled?: boolean;
  readonly readOnly?: boolean;
  readonly required?: boolean;
  readonly autoFocus?: boolean;
  /** Called after `onChange` if the value was chosen from the calendar or from the lists of hours and minutes. */
  readonly onChoose?: (value: string) => void;
  readonly onBlur?: () => void;
  /** Called before the field handles a key. */
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly sx?: SxProps<Theme>;
}

export interface DateFieldProps extends EntryProps {
  /** First day that the calendar offers. Other days can be typed. */
  readonly min?: string;
  /** Last day that the calendar offers. Other days can be typed. */
  readonly max?: string;
}

/** Kinds of values. */
export type EntryKind = 'date' | 'time' | 'date-time';
