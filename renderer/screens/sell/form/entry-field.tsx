import TextField from '@mui/material/TextField';
import { memo, type ReactNode } from 'react';
import type { BoundField } from './use-sale-form.ts';

interface EntryFieldProps {
  readonly bound: BoundField;
  readonly label: string;
  readonly numeric?: boolean;
  readonly email?: boolean;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly frozen?: boolean;
  readonly required?: boolean;
  /** True to hide the text while the field does not have the focus. */
  readonly masked?: boolean;
  /** True to hide the text at all times. */
  readonly concealed?: boolean;
  readonly large?: boolean;
  readonly end?: ReactNode;
  readonly start?: ReactNode;
  readonly describedBy?: string;
  /** True to leave no room for a message below. */
  readonly tight?: boolean;
}

/** One field of the sale. The input is not controlled: typed text stays in the element. A key in another field does not render it again. */
export const EntryField = memo(function EntryField(props: EntryFieldProps) {
  const {
    bound,
    label,
    numeric,
    email,
    placeholder,
    maxLength,
    frozen,
    required,
    masked,
    concealed,
    large,
    end,
    start,
    describedBy,
    tight,
  } = props;
  const helperText = bound.problem ?? (tight ? undefined : ' ');
  return (
    <TextField
      label={label}
      id={`sale-${bound.name}`}
      name={bound.name}
      required={required}
      error={bound.problem !== undefined}
      helperText={helperText}
      inputRef={bound.inputRef}
      onInput={bound.onInput}
      onBlur={bound.onBlur}
      placeholder={placeholder}
      slotProps={{
        input: { readOnly: frozen, startAdornment: start, endAdornment: end },
        htmlInput: {
          autoComplete: 'off',
          autoCorrect: 'off',
          spellCheck: false,
          inputMode: numeric ? 'decimal' : email ? 'email' : 'text',
          maxLength,
          // Password managers must not store a caller's card.
          'data-1p-ignore': true,
          'data-lpignore': true,
          'data-form-type': 'other',
          ...(describedBy ? { 'aria-describedby': `${describedBy} sale-${bound.name}-helper-text` } : {}),
        },
      }}
      sx={[
        { '& input': { fontVariantNumeric: 'tabular-nums' } },
        large === true && {
          '& input': { fontSize: 28, lineHeight: '36px', fontWeight: 600, height: 36, py: 2.5, letterSpacing: '-0.01em' },
        },
        concealed === true && { '& input': { WebkitTextSecurity: 'disc' } },
        masked === true && { '& input:not(:focus)': { WebkitTextSecurity: 'disc' } },
      ]}
    />
  );
});
