import TextField from '@mui/material/TextField';
import { useEffect, useRef } from 'react';

interface AmountFieldProps {
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly problem?: string | undefined;
  readonly hint?: string;
  readonly currency: string;
}

/** Amount field that gets the focus with its text selected, to confirm or overwrite. */
export function AmountField({ id, label, value, onChange, problem, hint, currency }: AmountFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  return (
    <TextField
      id={id}
      label={`${label}, ${currency}`}
      value={value}
      inputRef={input}
      onChange={(event) => onChange(event.target.value)}
      error={problem !== undefined}
      helperText={problem ?? hint}
      slotProps={{
        htmlInput: { inputMode: 'decimal', autoComplete: 'off', maxLength: 18, style: { textAlign: 'end', fontWeight: 600 } },
      }}
    />
  );
}
