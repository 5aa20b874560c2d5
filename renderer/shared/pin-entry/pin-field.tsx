import TextField from '@mui/material/TextField';
import type { Ref } from 'react';

interface PinFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly inputRef?: Ref<HTMLInputElement>;
  readonly fault?: string;
  readonly help?: string;
  readonly autoFocus?: boolean;
}

/** Field for a PIN of 4 to 8 digits. Password managers must not store it: several people enter theirs in the same field. */
export function PinField({ id, label, value, onValue, inputRef, fault, help, autoFocus }: PinFieldProps) {
  return (
    <TextField
      id={id}
      label={label}
      type="password"
      value={value}
      onChange={(event) => onValue(event.target.value.replaceAll(/\D/g, '').slice(0, 8))}
      inputRef={inputRef}
      error={fault !== undefined}
      helperText={fault ?? help}
      autoFocus={autoFocus}
      slotProps={{ htmlInput: { inputMode: 'numeric', autoComplete: 'one-time-code', className: 'mono' } }}
    />
  );
}
